/* The open block as numbers: query, keys with their scores, values with their weights; to be copied as a table. */
import { fixed, minus } from "./attention.js";
import { el } from "./dom.js";

export class ReadingNumbers {
  constructor(stage, room) {
    this.stage = stage;
    this.room = room;
    this.copy = el("button", { type: "button", class: "plain small", onclick: () => this.take() });
    this.tables = el("div", {});
    this.el = el("div", { class: "numbers-view" }, this.tables, this.copy);
  }

  build() {
    this.copy.textContent = this.stage.words.attention.copy;
  }

  draw() {
    const { tl } = this.room;
    const words = this.stage.words.attention;
    const { wire, head } = tl;
    const { h, k, line, ended } = tl.look(this.room.i);
    const l = ended ? wire.lines.length - 1 : Math.max(0, line);
    const kv = Math.floor(head / wire.group);
    const each = wire.lines[l];
    const narrow = this.el.clientWidth < 420 || h.query.length > 10;
    const digits = narrow ? 1 : 2;
    const show = (x) => minus(x.toFixed(digits));
    const [scores, weights] = [ended || k >= 1, ended || k >= 2];
    const row = (name, values, last) =>
      el("tr", {}, el("th", { scope: "row" }, name), ...values.map((x) => el("td", { style: tint(x), class: x < 0 ? "neg" : "" }, show(x))), el("td", { class: "r" }, last));
    const label = (t) => (typeof each.t[t] === "number" ? String(each.t[t]) : each.t[t] || words.old);
    const head1 = el("tr", {}, el("td", {}), ...h.query.map(() => el("td", {})), el("td", { class: "r muted" }, words.score));
    const head2 = el("tr", {}, el("td", {}), ...h.query.map(() => el("td", {})), el("td", { class: "r muted" }, words.weight));
    const keys = wire.keys[kv][l].map((key, t) => row(`${words.key} ${label(t)}`, key, scores ? fixed(h.s[l][t], digits) : "·"));
    const masked = Array.from({ length: each.unread }, () => el("tr", { class: "masked" }, el("th", {}, "–"), el("td", { colspan: h.query.length + 1 }, words.unread)));
    const values = wire.values[kv][l].map((value, t) => row(`${words.value} ${label(t)}`, value, weights ? fixed(h.p[l][t], digits) : "·"));
    this.tables.replaceChildren(
      el("table", { class: "nt" }, head1, row(words.q, h.query, ""), ...keys, ...masked),
      el("table", { class: "nt" }, head2, ...values),
    );
    // where it is wider than its place it scrolls, and keys must reach it
    const wide = this.tables.scrollWidth > this.tables.clientWidth;
    for (const [name, value] of Object.entries({ tabindex: 0, role: "group", "aria-label": words.zooms[2] })) {
      if (wide) this.tables.setAttribute(name, value);
      else this.tables.removeAttribute(name);
    }
    this.text = tsv(words, h, l, wire.keys[kv][l], wire.values[kv][l], label);
  }

  async take() {
    const words = this.stage.words.attention;
    try {
      await navigator.clipboard.writeText(this.text);
      this.copy.textContent = words.copied;
    } catch {
      // no clipboard here (an http page, say): select the tables, so that Ctrl+C takes them
      const range = document.createRange();
      range.selectNodeContents(this.tables);
      const selection = window.getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
    }
    setTimeout(() => (this.copy.textContent = words.copy), 1500);
  }
}

function tsv(words, h, l, keys, values, label) {
  const rows = [[words.q, "", ...h.query]];
  keys.forEach((key, t) => rows.push([words.key, label(t), ...key, h.s[l][t]]));
  values.forEach((value, t) => rows.push([words.value, label(t), ...value, h.p[l][t]]));
  return rows.map((row) => row.join("\t")).join("\n");
}

const tint = (x) => `background:color-mix(in srgb,var(${x < 0 ? "--b-t" : "--a-t"}) ${Math.round(Math.min(1, Math.abs(x) / 2) * 100)}%,var(--bg))`;
