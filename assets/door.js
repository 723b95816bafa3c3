/* The door of the stage. Scripts and style are 400 kB, the same for every picture: they come once, in an element of
   their own (carrier.js), and with each new picture comes only this. Whichever of the two is first waits for the other,
   under a name made from the code, so that a page that stayed open never mixes two releases. */
const NAME = "/*NAME*/";

function code() {
  const entry = ((globalThis.pagedvizCode ??= {})[NAME] ??= {});
  if (!entry.here) entry.come ??= new Promise((done) => (entry.put = done));
  return entry;
}

const opened = new WeakMap(); // place of a stage -> what it was told last, and how it ends

export default function door(told) {
  const place = told.parentElement;
  const stage = opened.get(place) ?? {};
  opened.set(place, stage);
  stage.told = told;
  const tell = ({ mount, css }) => {
    if (opened.get(place) !== stage) return; // gone before the code came
    if (!stage.end) {
      const style = document.createElement("style");
      style.textContent = css;
      place.prepend(style);
    }
    stage.end = mount(stage.told);
  };
  const entry = code();
  if (entry.here) tell(entry.here);
  else if (!stage.waits) {
    stage.waits = true;
    entry.come.then(tell);
  }
  return () => {
    opened.delete(place);
    stage.end?.();
  };
}
