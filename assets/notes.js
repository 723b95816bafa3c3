// Speaker notes in a second window. Every other window of the app tells which view it shows (page, scene or part, place
// in a talk); the window of notes shows what belongs to it. They talk over a channel of the browser: no server, and
// nothing on the projector. Runs once on each page, in either role.
{
  const NAME = "pagedviz.notes";
  const LOOK = 500; // ms between looks at the address
  const root = document.documentElement;

  function viewOf(url) {
    const path = url.pathname.replace(/\/+$/, "").split("/").at(-1);
    return { path, scene: url.searchParams.get("scene"), part: url.searchParams.get("part") };
  }

  function told() {
    const bar = document.querySelector(".pv-walk");
    return { ...viewOf(new URL(location.href)), title: document.title, talk: bar ? { ...bar.dataset } : null };
  }

  function speak(channel) {
    let last = "";
    const say = (again) => {
      const text = JSON.stringify(told());
      if (!again && text === last) return;
      last = text;
      channel.postMessage({ view: JSON.parse(text) });
    };
    channel.onmessage = (event) => event.data?.hello && say(true);
    setInterval(say, LOOK);
    say(true);
  }

  function show(notes, view, heard) {
    const first = Object.fromEntries(notes.dataset.first.split(";").map((pair) => pair.split("=")));
    const sections = [...notes.querySelectorAll("[data-for]")];
    const pages = new Set(sections.map((section) => section.dataset.for.split(":")[0]));
    const page = pages.has(view.path) || view.path === "" ? view.path : ""; // the start page may stand below a folder
    const part = page === "" ? view.scene : view.part;
    const key = page in first ? `${page}:${part ?? first[page]}` : page;
    let shown = 0;
    for (const section of sections) {
      section.hidden = section.dataset.for !== key;
      shown += !section.hidden;
    }
    notes.querySelector(".none").hidden = shown > 0;
    const talk = notes.querySelector(".pv-talk");
    talk.hidden = !view.talk;
    if (view.talk) {
      const { at, of, title, note, next } = view.talk;
      talk.querySelector("h2").textContent = `${at} of ${of}: ${title}`;
      talk.querySelector(".say").textContent = note;
      talk.querySelector(".then").textContent = next ? `Next: ${next}` : "This is the last view.";
    }
    if (heard) notes.querySelector(".pv-heard").textContent = `Follows: ${view.title}`;
  }

  const notes = document.querySelector(".pv-notes");
  if (!root.dataset.pvNotes) {
    root.dataset.pvNotes = "1";
    const channel = "BroadcastChannel" in window ? new BroadcastChannel(NAME) : { postMessage() {} };
    if (notes) {
      channel.onmessage = (event) => event.data?.view && show(document.querySelector(".pv-notes"), event.data.view, true);
      channel.postMessage({ hello: true });
    } else speak(channel);
  }
  if (notes) show(notes, { ...viewOf(new URL(location.href)), talk: null }, false);
}
