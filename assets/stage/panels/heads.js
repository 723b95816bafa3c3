/* The hands-on row of the attention page: which query head is shown (grouped by the KV head it reads), how close one
   looks, and what is done to the table: move all blocks, or break it. Head and zoom need no server; the rest does. */
import { ZOOMS } from "../attention.js";
import { el } from "../dom.js";

export default function headsPanel(stage, room) {
  const heads = el("div", { class: "headsel", role: "group" });
  const zooms = el("div", { class: "seg", role: "group" });
  const move = el("button", { type: "button", class: "plain", onclick: moved });
  const trials = el("select", { onchange: () => tell({ trial: trials.value }) });
  const labels = [el("span", {}), el("span", {})];
  const breaker = el("label", { class: "breaker" }, labels[1], trials);
  const node = el("div", { class: "attrow" }, el("div", { class: "fld" }, labels[0], heads), zooms, el("div", { class: "fld end" }, move, breaker));

  function tell(what) {
    stage.tell("edit", { of: stage.data.revision, ...what });
  }
  function moved() {
    tell({ moves: room.tl.wire.moves + 1 });
  }
  function chooseHead(head) {
    stage.view.head = head;
    room.tl.setHead(head);
    stage.build();
    stage.clock.go(stage.clock.at);
  }
  stage.chooseHead = chooseHead; // the table of heads uses it too
  function chooseZoom(zoom) {
    stage.view.zoom = zoom;
    stage.build();
    stage.clock.go(stage.clock.at);
  }
  const nextZoom = () => chooseZoom((stage.view.zoom + 1) % ZOOMS.length);
  return {
    el: node,
    keys: { z: nextZoom, ...(stage.offline ? {} : { m: moved }), h: () => chooseHead((room.tl.head + 1) % room.tl.heads) },
    keyList: [["Z", "closer: room, scores, numbers"], ["H", "the next query head"], ...(stage.offline ? [] : [["M", "move all blocks to other places"]])],
    build() {
      const words = stage.words.attention;
      const { wire, head } = room.tl;
      labels[0].textContent = words.head;
      heads.setAttribute("aria-label", words.head);
      const groups = [];
      for (let kv = 0; kv * wire.group < room.tl.heads; kv++) {
        const members = Array.from({ length: wire.group }, (_, k) => kv * wire.group + k);
        const buttons = members.map((h) =>
          el("button", { type: "button", "aria-pressed": String(h === head), "aria-label": words.headSpoken(h, kv), onclick: () => chooseHead(h) }, String(h)),
        );
        groups.push(el("span", { class: "kvgroup" }, el("span", { class: "seg" }, ...buttons), el("small", {}, words.headGroup(kv))));
      }
      node.lastChild.hidden = stage.offline; // moving and breaking are done by Python
      keepFocus(heads, groups);
      keepFocus(zooms, words.zooms.map((name, k) => el("button", { type: "button", "aria-pressed": String(k === stage.view.zoom), onclick: () => chooseZoom(k) }, name)));
      zooms.setAttribute("aria-label", words.zoom);
      move.textContent = words.move;
      labels[1].textContent = words.break;
      trials.setAttribute("aria-label", words.break);
      const now = wire.trial ?? "own";
      const reg = stage.reg === "engine" ? 1 : 0;
      trials.replaceChildren(
        ...Object.entries(words.trials)
          .filter(([name]) => name !== "own" || now === "own")
          .map(([name, text]) => {
            const missing = wire.trials[name];
            return el("option", { value: name, selected: name === now, disabled: Boolean(missing) }, missing ? `${text} (${missing[reg]})` : text);
          }),
      );
      trials.classList.toggle("broken", now !== "intact");
    },
    draw() {},
  };
}

/** Buttons made anew: the one that had the focus has it again. */
function keepFocus(holder, children) {
  const before = [...holder.querySelectorAll("button")].indexOf(holder.getRootNode().activeElement);
  holder.replaceChildren(...children);
  if (before >= 0) holder.querySelectorAll("button")[before]?.focus({ preventScroll: true });
}
