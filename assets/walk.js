// A talk's Page keys: they move inside the view as often as its talk says, then lead to the view before or after. Also
// keeps the place in the talk in the URL while one looks at another page. Runs once on each page.
{
  const root = document.documentElement;
  const bar = () => document.querySelector(".pv-walk");
  const TAKES = "input:not([type=range]), textarea, select, [role=textbox], [role=combobox], [role=listbox]:not(.room):not(.sheet), [role=slider], [role=grid], [role=menu], [data-testid=stDataFrame], [data-testid=stPopoverBody], dialog, [role=dialog], pre, .log, .pv-numbers";
  let inside = 0; // presses within this view
  let shown = "";
  let left = 0; // when a view was left, and which: until the next one stands there, presses count for nothing
  let leaving = "";
  const PATIENCE = 6000; // ms

  function underway() {
    const talk = bar();
    const app = document.querySelector('[data-testid="stApp"]');
    const there = talk && `${talk.dataset.talk} ${talk.dataset.at}` !== leaving && app?.dataset.testScriptState === "notRunning";
    if (there || Date.now() - left > PATIENCE) leaving = "";
    return leaving !== "";
  }

  function go(way) {
    const link = document.querySelector(`.st-key-walk-${way > 0 ? "on" : "back"} a`);
    if (!link || link.getAttribute("aria-disabled") === "true" || link.hasAttribute("disabled")) return false;
    const { talk, at } = bar().dataset;
    left = Date.now();
    leaving = `${talk} ${at}`;
    link.click();
    return true;
  }

  function onKey(event) {
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    const talk = bar();
    if (!step || !talk || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.composedPath().some((node) => node instanceof Element && node.matches(TAKES))) return;
    if (underway()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    const { talk: id, at, presses } = talk.dataset;
    if (shown !== `${id} ${at}`) {
      shown = `${id} ${at}`;
      inside = 0;
    }
    if (step > 0 && root.dataset.pvQuiz) return; // the stage has it: a question is open, and this shows its answer
    const stays = root.dataset.pvStage && (step > 0 ? inside < Number(presses) : inside > 0);
    if (stays) {
      inside += step;
      return; // the stage has it
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) go(step);
  }

  /** A stage that is at its end hands the press on (stage/present.js). */
  const onEnd = (event) => {
    if (bar() && !underway() && go(event.detail)) event.preventDefault();
  };

  if (!root.dataset.pvWalk) {
    root.dataset.pvWalk = "1";
    addEventListener("keydown", onKey, true);
    document.addEventListener("pagedviz:end", onEnd);
  }
  // Another page was chosen from the menu: its link still says where the talk stands.
  let tries = 30;
  const keep = setInterval(() => {
    const talk = bar();
    const url = new URL(location.href);
    if ((!talk && --tries) || document.querySelector('[data-stale="true"]')) return;
    clearInterval(keep);
    if (!talk || url.searchParams.has("talk")) return;
    url.searchParams.set("talk", talk.dataset.talk);
    url.searchParams.set("at", talk.dataset.at);
    history.replaceState(history.state, "", url);
  }, 100);
}
