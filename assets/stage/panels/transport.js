/* Time: the buttons, the speed, and the scrubber with the run's profile of use and one lane per kind of event. */
import { el, icon, plain, put } from "../dom.js";
import { SPEEDS } from "../clock.js";

const LANES = ["share", "evict", "refuse", "preempt"]; // of the block manager; other timelines bring their own
const LANE = 13;
const SVG = "http://www.w3.org/2000/svg";

export default function transport(stage, room) {
  const { clock } = stage;
  const button = (name, label, act) => el("button", { type: "button", "data-k": name, "aria-label": label, onclick: act }, icon(name));
  const play = el("button", { type: "button", class: "play", "data-k": "play", "aria-label": "Play", onclick: () => clock.play(!clock.playing) }, icon("play"));
  const buttons = el(
    "div",
    { class: "btns" },
    button("first", "First step", () => clock.jump(0)),
    button("prev", "Step back", () => clock.jump(clock.at - 1)),
    play,
    button("next", "Step forward", () => clock.jump(clock.at + 1, "step")),
    button("last", "Last step", () => clock.jump(clock.last)),
  );
  const speed = el(
    "select",
    { "aria-label": "Speed", onchange: () => chooseSpeed() },
    ...SPEEDS.map((value) => el("option", { value, selected: value === 1 }, value === Infinity ? "max" : `${value}x`)),
  );
  function chooseSpeed() {
    clock.speed = Number(speed.value);
    stage.root.focus({ preventScroll: true }); // the keys are time again
  }
  const at = el("b", {});
  const total = el("span", {});
  const word = el("span", {});
  const count = el("span", { class: "count" }, word, " ", at, " of ", total);
  const help = el("button", { type: "button", class: "key", "aria-label": "Keys", onclick: () => stage.help() }, "?");
  const alone = el("button", { type: "button", class: "key", "aria-label": "The stage alone", title: "F: the stage alone", onclick: () => stage.setAlone(!stage.alone) }, "⤢");
  const lanes = el("div", { class: "lanes", "aria-hidden": "true" });
  const area = svg("area", 28);
  const kinds = room.tl.lanes ?? LANES;
  const profiled = !room.tl.lanes || Boolean(room.tl.curves) || room.tl.steps.some((step) => room.tl.profile?.(step));
  const events = svg("ev", kinds.length * LANE + 2);
  events.style.height = `${kinds.length * LANE + 2}px`;
  const head = el("i", { class: "head" });
  const tracks = el("div", { class: "tracks", "aria-hidden": "true" }, profiled ? area : null, events, head, ...(room.tl.flags ?? []).map(() => el("b", { class: "curvename" })));
  const scrub = el("input", { type: "range", class: "scrub", min: 0, "aria-label": "Step", oninput: () => clock.jump(Number(scrub.value)) });
  tracks.onpointerdown = (event) => {
    tracks.setPointerCapture(event.pointerId);
    tracks.onpointermove = seek;
    seek(event);
  };
  tracks.onpointerup = tracks.onpointercancel = () => (tracks.onpointermove = null);
  function seek(event) {
    const box = tracks.getBoundingClientRect();
    clock.jump(Math.round(((event.clientX - box.left - 8) / (box.width - 16)) * clock.last));
  }
  const node = el(
    "div",
    { class: profiled ? "tp" : "tp slim" }, // few steps and no profile of use: one line is enough
    el("div", { class: "hands" }, buttons, el("div", { class: "under" }, count, speed, alone, stage.take.button(), help)),
    el("div", { class: "time" }, lanes, tracks, scrub),
  );
  /** Words on the line of time, such as where all have gone home. */
  function drawFlags() {
    (room.tl.flags ?? []).forEach(({ i, side }, k) => {
      const flag = tracks.querySelectorAll(".curvename")[k];
      put(flag, stage.words.reservation.home(side, i));
      const share = i / clock.last;
      flag.style.cssText = share > 0.72 ? `right:calc(8px + ${1 - share} * (100% - 16px))` : `left:calc(12px + ${share} * (100% - 16px))`;
    });
  }
  let shown = {};
  return {
    el: node,
    build() {
      put(total, String(clock.last));
      put(word, stage.words.step);
      drawFlags();
      scrub.max = clock.last;
      lanes.replaceChildren(...(room.tl.curves ? stage.words.reservation.curves : kinds.map((kind) => stage.words.lanes[room.tl.laneNames?.[kind] ?? kind])).map((text) => el("b", {}, text)));
      const look = `${room.tl.head}`; // marks may be those of one head
      if (shown.tl !== room.tl || shown.look !== look) drawTracks(room.tl, kinds, area, events);
      shown = { tl: room.tl, look };
    },
    draw() {
      put(at, String(clock.at));
      scrub.value = clock.at;
      scrub.setAttribute("aria-valuetext", `${stage.words.step} ${clock.at}: ${plain(stage.caption(room, room.step))}`);
      head.style.left = `calc(8px + ${clock.last ? clock.at / clock.last : 0} * (100% - 16px))`;
      const name = clock.playing ? "pause" : "play";
      if (play.dataset.shows !== name) {
        play.dataset.shows = name;
        play.replaceChildren(icon(name));
        play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
      }
    },
  };
}

function svg(name, height) {
  const node = document.createElementNS(SVG, "svg");
  node.setAttribute("class", name);
  node.setAttribute("viewBox", `0 0 1000 ${height}`);
  node.setAttribute("preserveAspectRatio", "none");
  return node;
}

function drawTracks(tl, kinds, area, events) {
  drawUse(tl, area);
  const x = across(tl);
  events.innerHTML = kinds.map((kind, lane) => {
    const marks = tl.steps.filter((step) => step.kinds.includes(kind)).map((step) => `M${x(step.i)} ${lane * LANE + 4}v10`);
    return `<path d="M0 ${lane * LANE + 9}H1000" stroke="var(--line)" vector-effect="non-scaling-stroke"/><path d="${marks.join("")}" stroke="var(--ink)" stroke-width="2.2" vector-effect="non-scaling-stroke"/>`;
  }).join("");
}

const across = (tl) => (i) => ((tl.last ? i / tl.last : 0) * 1000).toFixed(1);

function drawUse(tl, area) {
  if (tl.curves) return drawCurves(tl, area);
  const x = across(tl);
  const y = (share) => (28 - share * 27).toFixed(1);
  const blocks = Math.max(1, tl.numBlocks - 1);
  const shares = tl.lanes ? (step) => [tl.profile?.(step) ?? 0, 0] : ({ m }) => [m[0] / blocks, m[2] / blocks];
  let used = "M0 28";
  let kept = "M0 28";
  for (const step of tl.steps) {
    const [use, keep] = shares(step);
    used += `H${x(step.i)}V${y(use)}`;
    kept += `H${x(step.i)}V${y(use + keep)}`;
  }
  area.innerHTML = `<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5" stroke="var(--muted)" stroke-width="1.4"/></pattern></defs><path d="${kept}H1000V28Z" fill="url(#hatch)"/><path d="${used}H1000V28Z" fill="var(--hair)"/><path d="M0 .8H1000M0 27.5H1000" stroke="var(--line)" vector-effect="non-scaling-stroke"/>`;
}

/** Two lines on one scale: the first filled and solid, the second dashed. */
function drawCurves(tl, area) {
  const x = across(tl);
  const line = (k) => tl.steps.map((step, i) => `${i ? `H${x(i)}V` : "M0 "}${(28 - tl.curves(step)[k] * 26).toFixed(1)}`).join("");
  const stroke = 'fill="none" stroke="var(--ink)" stroke-width="2" vector-effect="non-scaling-stroke"';
  area.innerHTML = `<path d="${line(0)}H1000V28H0Z" fill="var(--hair)" opacity=".55"/><path d="${line(0)}" ${stroke}/><path d="${line(1)}" ${stroke} stroke-dasharray="5 4"/>`;
}
