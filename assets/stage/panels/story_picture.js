/* The picture of a beat, drawn from what was sent; pointing at a part lights up its fellows and the words for it. */
import { el, put } from "../dom.js";
import { aisles } from "../story_aisles.js";
import { growth } from "../story_growth.js";
import { Nodes } from "../story_nodes.js";
import { outcome } from "../story_outcome.js";
import { room as roomScene } from "../story_room.js";
import { sharing } from "../story_sharing.js";
import { spyre } from "../story_spyre.js";

const SCENES = { growth, aisles, room: roomScene, sharing, spyre, outcome };
const PHONE = 620; // px of the stage
const EDGE = 7; // px around the picture for rings and frames

export default function picture(stage, room) {
  const holder = el("div", { class: "picture", role: "group", "aria-label": "Picture of this beat" });
  const line = el("p", { class: "line" });
  const node = el("div", { class: "pic" }, holder, line);
  const nodes = new Nodes(holder);
  let geometry = null;
  let shownScene = null;
  let fresh = true;

  function measure() {
    const W = holder.clientWidth - 2 * EDGE;
    if (W <= 0) return null;
    const phone = stage.root.clientWidth <= PHONE;
    const scroller = stage.alone ? stage.el : document.querySelector("[data-testid=stMain]");
    const top = holder.getBoundingClientRect().top + (scroller?.scrollTop ?? scrollY);
    const room2 = innerHeight - top - (stage.alone ? 44 : 56);
    const H = Math.round(phone ? Math.max(380, Math.min(440, innerHeight - 420)) : Math.max(400, Math.min(room2, W * 0.86, 820)));
    const F = phone ? 1 : Math.max(0.86, Math.min(1.5, W / 660, H / 540));
    stage.root.style.setProperty("--picture", `${H}px`);
    holder.style.setProperty("--f", F.toFixed(3));
    return { W, H, F, phone };
  }

  function paint(instant) {
    geometry ??= measure();
    if (!geometry) return;
    const { tl, step } = room;
    const scene = tl.sceneOf(room.i);
    const which = stage.reg === "engine" ? 1 : 0;
    const t = (name) => (step.labels?.[name] ?? scene.labels[name])?.[which] ?? "";
    if (shownScene !== step.s) nodes.clear();
    const drawn = SCENES[scene.picture]({ scene, shows: step.shows, g: geometry, t, tl, reg: stage.reg, words: stage.words, doors: stage.data.story?.doors ?? [] });
    nodes.draw(drawn, instant || shownScene !== step.s);
    shownScene = step.s;
    nodes.light([]);
    tell("");
  }

  function tell(info) {
    const text = info || (stage.reg === "engine" ? (room.step.line ?? "") : "");
    put(line, text || " ");
    line.classList.toggle("info", Boolean(info));
  }

  function point(target) {
    const part = target?.closest?.(".nd");
    const keys = part && holder.contains(part) ? part.keys : [];
    if (holder.pointed === part) return;
    holder.pointed = part;
    nodes.light(keys.slice(0, 1));
    stage.find("tale", room)?.light(keys);
    tell(part?.info ?? "");
  }
  holder.onpointermove = holder.onpointerdown = (event) => point(event.target);
  holder.onpointerleave = (event) => event.pointerType === "touch" || point(null); // a tap stays, until another

  const onResize = () => {
    if (!node.isConnected) return removeEventListener("resize", onResize);
    redo();
  };
  addEventListener("resize", onResize);
  function redo() {
    if (!room.step) return;
    geometry = measure();
    paint(true);
  }
  return {
    el: node,
    light: (keys) => nodes.light(keys),
    build() {
      fresh = true;
      geometry = null;
    },
    draw() {
      paint(fresh);
      fresh = false;
    },
    resize: redo,
  };
}
