// The link of a trainer's panel: made here, from the address the browser is at, so that it is right behind any proxy and
// names the step the stage stands at. Python only makes the QR code of it, and gets the link for that.
const GONE = ["talk", "at", "notes", "view"]; // of the one who shows it, not of the class
const LOOK = 700; // ms between looks at the address while the panel is open

function linkOf(wishes) {
  const url = new URL(location.href);
  for (const name of [...GONE, ...Object.keys(wishes)]) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(wishes)) if (value) url.searchParams.set(name, value);
  return url.href.replaceAll("%2C", ","); // commas between names may stand as they are
}

const states = new WeakMap();

export default function mount({ data, parentElement, setStateValue }) {
  const field = parentElement.querySelector("input");
  const button = parentElement.querySelector("button");
  const code = parentElement.querySelector(".qr");
  const said = parentElement.querySelector("[role=status]");
  const state = states.get(parentElement) ?? { told: "" };
  states.set(parentElement, state);
  state.data = data;
  const look = () => {
    const link = linkOf(state.data.wishes);
    if (field.value !== link) {
      field.value = link;
      said.textContent = "";
    }
    const fits = state.data.link === link;
    code.hidden = !fits;
    if (fits && code.dataset.of !== link) {
      code.dataset.of = link;
      if (state.data.qr) code.innerHTML = state.data.qr; // made of black and white by segno; no text in it
      else code.textContent = state.data.problem;
    }
    if (!fits && state.told !== link) {
      state.told = link;
      setStateValue("link", link);
    }
  };
  field.onfocus = () => field.select();
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      said.textContent = "Copied.";
    } catch {
      field.select(); // no clipboard on a page without https: the keys still work
      said.textContent = document.execCommand?.("copy") ? "Copied." : "Press Ctrl+C to copy.";
    }
  };
  clearInterval(state.timer);
  state.timer = setInterval(look, LOOK);
  look();
  return () => {
    clearInterval(state.timer);
    states.delete(parentElement);
  };
}
