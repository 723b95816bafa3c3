/* One side of the reservation page: the door, the memory, how much of what is given out is empty, and who has gone
   home. Who comes in walks from the door to their place, who leaves walks home. */
import { calm, el, hue, put, toggle } from "./dom.js";

const WALK = 420; // ms
const SHOWN = 12; // people drawn at the door

export function tagOf(room, visitor) {
  const { letter, hue: k } = room.tl.requests[visitor];
  return el("b", { class: "tag", style: hue(k), "data-v": visitor }, letter);
}

export function side(stage, room, key, memory) {
  const title = el("h2", { class: "sidehead" });
  const line = (name) => {
    const label = el("b", {});
    const people = el("div", { class: "ppl" });
    return { el: el("div", { class: `sideline ${name}` }, label, people), label, people };
  };
  const door = line("atdoor");
  const gone = line("gonehome");
  const big = el("span", { class: "big" });
  const parts = (key === "L" ? ["token", "later", "never", "external", "free"] : ["token", "tail", "kept", "free"]).map((name) => el("i", { class: name }));
  const bar = el("div", { class: "waste", "aria-hidden": "true" }, ...parts);
  const words = el("p", {});
  const node = el("section", { class: `side ${key}` }, title, door.el, memory.el, el("div", { class: "gaugew" }, big, bar, words), gone.el);

  function people(list, visitors, make, most) {
    const shown = visitors.slice(0, most);
    list.replaceChildren(...shown.map(make), ...(visitors.length > most ? [el("span", { class: "muted" }, stage.words.reservation.more(visitors.length - most))] : []));
  }
  return {
    el: node,
    build() {
      const say = stage.words.reservation;
      const { wire } = room.tl;
      const note = key === "L" ? say.L[1][wire.policy] : say.R[1](wire.block_size);
      title.replaceChildren(say[key][0], el("small", {}, note));
      memory.build();
    },
    draw(mode) {
      const say = stage.words.reservation;
      const { tl, step } = room;
      const before = mode === "step" && !calm.matches && stage.clock.speed <= 4 ? spots(node) : null;
      const waits = step[key].waits;
      door.label.replaceChildren(say.door, el("small", {}, waits.length ? say.waiting(waits.length) : say.nobody));
      people(door.people, [...waits].reverse().slice(-SHOWN), ([visitor, waited]) => el("span", { class: "person" }, tagOf(room, visitor), el("small", {}, String(waited))), SHOWN);
      memory.draw();
      const { m, e } = step[key];
      const all = tl.wire.slots;
      parts.forEach((part, k) => {
        part.style.width = `${(m[k] / all) * 100}%`;
        toggle(part, "none", !m[k]);
      });
      const [empty, given, percent] = e;
      put(big, `${Math.round(percent)} %`);
      const more = key === "L" ? [m[1] ? say.later(m[1]) : "", m[2] ? say.neverUsed(m[2]) : "", m[3] ? say.external(m[3]) : ""] : [m[2] ? say.kept(m[2]) : ""];
      words.replaceChildren(`${say.empty}: `, el("b", {}, say.ofGiven(empty, given)), ...(more.some(Boolean) ? [`. ${more.filter(Boolean).join(", ")}`] : []));
      const left = step[key].gone;
      gone.label.replaceChildren(say.gone, el("small", {}, say.of(left.length, tl.requests.length)));
      people(gone.people, left, (visitor) => tagOf(room, visitor), 40);
      if (before) walk(stage, node, before, step[key]);
    },
    resize: () => memory.resize?.(),
  };
}

/** Where everybody's first tag stands now: visitor -> rectangle. */
function spots(node) {
  const found = new Map();
  for (const tag of node.querySelectorAll(".tag[data-v]")) if (!found.has(tag.dataset.v)) found.set(tag.dataset.v, { box: tag.getBoundingClientRect(), home: Boolean(tag.closest(".gonehome")) });
  return found;
}

function walk(stage, node, before, at) {
  stage.motion.frame = stage.root.getBoundingClientRect();
  const door = node.querySelector(".atdoor .ppl").getBoundingClientRect();
  for (const [visitor, now] of spots(node)) {
    const was = before.get(visitor);
    const entered = at.new.includes(Number(visitor));
    const left = at.out.includes(Number(visitor)) && now.home;
    if (!entered && !left) continue;
    const from = was?.box ?? new DOMRect(door.right - 40, door.top + 6, 24, 24);
    const tag = [...node.querySelectorAll(`.tag[data-v="${visitor}"]`)][0];
    stage.motion.fly(tag.cloneNode(true), stage.motion.at(from), stage.motion.at(now.box), { duration: WALK });
    stage.motion.appear(tag, WALK - 60);
  }
}
