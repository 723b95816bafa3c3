// Presenting: the presenter view, the black screen and their keys, on every page, with a stage or without. The state
// is a class on the document, `present=1` in the URL, and the tab's memory, so that a change of page keeps it. The
// URL wins. Runs once on each page; what must be there once is guarded. Leaves out: the keys of the stage, which are
// its own (stage/keys.js), and the bar of a talk (walk.js).
{
  const MEMORY = "pagedviz.present";
  const AWAKE = 2500; // ms for which the corner buttons stay after the pointer has moved
  const KEYS = [
    ["P", "presenter view, and back"],
    ["B", "black screen; any key brings the picture back"],
    ["PageUp, PageDown", "in a talk: back or on"],
    ["?", "this list"],
  ];
  const TYPING = "input:not([type=range]):not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true], [role=textbox], [role=combobox], [role=spinbutton], [role=listbox]:not(.room):not(.sheet), [role=menu], [data-testid=stPopoverBody], [data-testid=stDataFrame]";
  const root = document.documentElement;
  const remembered = () => {
    try {
      return sessionStorage.getItem(MEMORY) === "1";
    } catch {
      return false; // storage switched off: the URL still has it
    }
  };

  function present(on) {
    root.classList.toggle("pagedviz-present", on);
    const url = new URL(location.href);
    if (on) url.searchParams.set("present", "1");
    else url.searchParams.delete("present");
    if (url.href !== location.href) history.replaceState(history.state, "", url);
    try {
      sessionStorage.setItem(MEMORY, on ? "1" : "0");
    } catch {
      // see above
    }
    document.dispatchEvent(new CustomEvent("pagedviz:present"));
    dispatchEvent(new Event("resize")); // charts take the width there is now
  }

  function blank() {
    const dark = document.createElement("dialog");
    dark.className = "pv-blank";
    dark.tabIndex = -1;
    dark.setAttribute("aria-label", "The screen is black. Any key brings the picture back.");
    dark.onpointerdown = () => dark.close();
    dark.onclose = () => dark.remove();
    document.body.append(dark);
    dark.showModal();
  }

  function keys() {
    const list = document.createElement("dialog");
    list.className = "pv-keys";
    list.setAttribute("aria-label", "Keys");
    const title = document.createElement("h2");
    title.textContent = "Keys";
    const lines = document.createElement("dl");
    for (const [key, what] of KEYS) {
      const term = document.createElement("dt");
      const said = document.createElement("dd");
      term.textContent = key;
      said.textContent = what;
      lines.append(term, said);
    }
    const form = document.createElement("form");
    form.method = "dialog";
    const close = document.createElement("button");
    close.textContent = "Close";
    form.append(close);
    list.append(title, lines, form);
    list.onclose = () => list.remove();
    document.body.append(list);
    list.showModal();
  }

  function onKey(event) {
    const black = document.querySelector("dialog.pv-blank");
    if (black) {
      event.preventDefault();
      event.stopImmediatePropagation(); // it brings the picture back and does nothing else
      if (!event.repeat && !["Shift", "Control", "Alt", "Meta"].includes(event.key)) black.close();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
    const path = event.composedPath();
    if (path.some((node) => node instanceof Element && (node.matches(TYPING) || node.matches("dialog, [role=dialog]")))) return;
    const act = { p: () => present(!root.classList.contains("pagedviz-present")), b: blank }[event.key.toLowerCase()];
    const help = event.key === "?" && !root.dataset.pvStage ? keys : null; // a stage lists these with its own
    if (!act && !help) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    (act ?? help)();
  }

  function onClick(event) {
    const button = event.target.closest?.("[data-pv-do]");
    if (button?.dataset.pvDo === "present") present(!root.classList.contains("pagedviz-present"));
    if (button?.dataset.pvDo === "notes") {
      const url = new URL(location.href); // the same view, as a window that can be put beside this one
      url.searchParams.set("notes", "1");
      url.searchParams.delete("present");
      event.preventDefault();
      open(url.href, "pagedviz-notes", "width=760,height=820");
    }
  }

  /** The way out for a hand without keys: small, and there only while the pointer moves. */
  function corner() {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "pv-leave";
    button.dataset.pvDo = "present";
    button.textContent = "Leave presenter view";
    document.querySelector('[data-testid="stApp"]')?.append(button);
  }

  if (!root.dataset.pvPresenting) {
    root.dataset.pvPresenting = "1";
    addEventListener("keydown", onKey, true);
    document.addEventListener("click", onClick);
    let rest = 0;
    const wake = () => {
      root.classList.add("pv-awake");
      clearTimeout(rest);
      rest = setTimeout(() => root.classList.remove("pv-awake"), AWAKE);
    };
    addEventListener("pointermove", wake, { passive: true });
    addEventListener("pointerdown", wake, { passive: true });
    corner();
  }
  const asked = new URL(location.href).searchParams.get("present");
  const on = asked === null ? remembered() : asked === "1";
  if (on || root.classList.contains("pagedviz-present") || asked !== null) present(on);
}
