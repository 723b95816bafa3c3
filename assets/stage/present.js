/* The stage's part of the presenter view: it takes the large type on and off with the page (assets/present.js), and
   says how much of the page stands above it, so that it can fill the rest of the screen. */

export const PRESENT_KEYS = [
  ["P", "presenter view, and back"],
  ["B", "black screen; any key brings the picture back"],
];

/** Follow the page into the presenter view and out of it. Returns what stops that. */
export function watchPresenting(stage) {
  const root = document.documentElement;
  stage.canPresent = Boolean(root.dataset.pvPresenting); // not in a file that stands alone
  root.dataset.pvStage = "1";
  const follow = () => {
    const on = root.classList.contains("pagedviz-present");
    stage.canPresent = Boolean(root.dataset.pvPresenting);
    if (stage.presenting === on) return;
    stage.presenting = on;
    stage.el.classList.toggle("present", on);
    requestAnimationFrame(() => {
      const main = document.querySelector("[data-testid=stMain]");
      stage.el.style.setProperty("--above", `${Math.round(stage.el.getBoundingClientRect().top + (main?.scrollTop ?? 0)) + 10}px`);
      stage.width = 0;
      stage.resized();
    });
  };
  document.addEventListener("pagedviz:present", follow);
  const first = setTimeout(follow, 0); // when it stands in the page
  return () => {
    clearTimeout(first);
    document.removeEventListener("pagedviz:present", follow);
    delete root.dataset.pvStage;
  };
}

/** A Page key at the first or last step: in a talk it leads to another view. Tells whether it did (assets/walk.js). */
export const handOn = (way) => !document.dispatchEvent(new CustomEvent("pagedviz:end", { detail: way, cancelable: true }));
