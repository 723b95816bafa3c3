/* Keys: left and right are time, up and down are place. They work from anywhere on the page unless a control that
   uses the key itself has the focus. R and C are Streamlit's own and stay free. */
import { el } from "./dom.js";
import { handOn } from "./present.js";

const KEYS = [
  ["Space", "play or pause"],
  ["Left, Right", "one step back or forward: always time"],
  ["Up, Down", "previous or next shelf: always place"],
  ["Enter", "pin the shelf; Esc lets go"],
  ["PageUp, PageDown", "previous or next marked event (what clickers send)"],
  ["Home, End", "first or last step"],
  ["E", "switch the words: storage room or engine"],
  ["F", "the stage alone, and back"],
  ["?", "this list"],
];

/* Roles and elements that need keys themselves. The scrubber does not: its keys are the stage's own. A button that
   only jumps to a step (.jump) keeps Enter and leaves Space to the play. */
const TYPING = "input:not([type=range]):not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=true], [role=textbox], [role=combobox], [role=spinbutton]";
const OWN_ARROWS = "input[type=range]:not(.scrub), input[type=radio], [role=slider], [role=radio], [role=tab], [role=menu], [role=menuitem], [role=grid], [role=gridcell], [role=listbox]:not(.room):not(.sheet), [role=tree], canvas[data-testid], audio, video, iframe";
const OWN_ALL = "[data-testid=stDataFrame], [data-testid=stPopoverBody], [role=menu]";
const OWN_SPACE = "button:not(.jump), summary, a[href], input[type=checkbox], input[type=radio], [role=button], [role=switch], [role=checkbox]";
const SCROLLS = ".log, pre"; // downwards; to the side is time
const SHEET = ".pv-numbers"; // both ways
const ONCE = [" ", "e", "f", "h", "m", "q", "t", "z", "1", "2", "3", "4", "?", "enter", "escape"]; // switches: a key held down is one press

export function keysDialog() {
  const list = el("dl", {});
  const close = el("button", { type: "submit", class: "plain" }, "Close");
  return el("dialog", { "aria-label": "Keys" }, el("h2", {}, "Keys"), list, el("form", { method: "dialog" }, close));
}

const TAKE = ["T", "take away: a page, a drawing, a picture, a table"];

/** What the page's own panels add stands after the keys of every stage. */
export function listKeys(dialog, more, all = KEYS) {
  dialog.querySelector("dl").replaceChildren(...[...all, ...more, TAKE].flatMap(([key, what]) => [el("dt", {}, key), el("dd", {}, what)]));
}

/** Does the control that has the focus want this key for itself? */
function taken(event, target, stage) {
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPING)) return true;
  const scrubbed = /^(Arrow|Home|End|Page)/.test(event.key);
  if (scrubbed && target.closest(OWN_ARROWS)) return true;
  if (target.closest(OWN_ALL)) return true;
  if (/^(ArrowUp|ArrowDown|Home|End|Page)/.test(event.key) && target.matches(SCROLLS)) return true;
  if (/^(Arrow|Home|End|Page)/.test(event.key) && target.matches(SHEET)) return true;
  if (event.key === " " && target.closest(OWN_SPACE)) return true;
  if (event.key === "Enter" && target.closest(`${OWN_SPACE}, .jump`)) return true;
  // Streamlit's dialog about a lost connection stands over a run that still plays
  if (!stage.notice.textContent && document.querySelector("[role=dialog]") && !stage.root.getRootNode().host.closest("[role=dialog]")) return true;
  return false;
}

export function listen(stage) {
  const { clock } = stage;
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
    if (stage.dialog.open || !stage.root.isConnected) return;
    const target = event.composedPath()[0];
    if (taken(event, target, stage)) return;
    if (event.key === "Escape" && document.querySelector(":popover-open")) return; // closes that first
    const inStage = stage.root.contains(target);
    const act = action(event.key, stage, clock, inStage);
    if (!act || (event.repeat && ONCE.includes(event.key.toLowerCase()))) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function action(key, stage, clock, inStage) {
  const shelves = inStage ? stage.shelves(stage.rooms[0]) : null;
  const focused = shelves?.focused() ?? null;
  const move = (by) => {
    const from = focused ?? stage.subject(stage.rooms[0]) - by;
    const last = stage.rooms[0].tl.numBlocks - 1;
    shelves.focus(Math.max(0, Math.min(last, from + by)));
  };
  const always = {
    " ": () => clock.play(!clock.playing),
    ArrowRight: () => clock.jump(clock.at + 1, "step"),
    ArrowLeft: () => clock.jump(clock.at - 1),
    PageDown: () => (clock.at >= clock.last && handOn(1)) || clock.mark(1),
    PageUp: () => (clock.at <= 0 && handOn(-1)) || clock.mark(-1),
    Home: () => clock.jump(0),
    End: () => clock.jump(clock.last),
    "?": () => stage.help(),
    e: () => stage.setRegister(stage.reg === "room" ? "engine" : "room"),
    f: () => stage.setAlone(!stage.alone),
    t: () => stage.take.open(),
    Escape: () => stage.escape(),
  };
  for (const { panel } of stage.panels) Object.assign(always, panel.keys);
  for (const letter of Object.keys(always).filter((name) => /^[a-z]$/.test(name))) always[letter.toUpperCase()] = always[letter];
  if (shelves) {
    always.ArrowDown = () => move(1);
    always.ArrowUp = () => move(-1);
    if (focused !== null) always.Enter = () => stage.setPin(stage.pin === focused ? null : focused, stage.rooms[0]);
  }
  return Object.hasOwn(always, key) ? always[key] : null;
}

/** A run was chosen in a list: the list keeps the focus, and with it the keys. */
export function letGoOfLists() {
  const focused = document.activeElement;
  if (focused?.matches("[role=combobox], [data-baseweb=select] input")) focused.blur();
}
