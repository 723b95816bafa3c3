/* Linked looking: what is pointed at, focused or pinned lights up wherever it appears, with lines from the shelf to
   every list that names it and to its place in the queue. */

const SVG = "http://www.w3.org/2000/svg";
const NARROW = 700; // below it the lines would cross everything: lights only

export class Links {
  constructor(stage) {
    this.stage = stage;
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("class", "links");
    this.svg.setAttribute("aria-hidden", "true");
    this.lit = [];
  }

  draw() {
    const { stage } = this;
    this.lit.forEach((node) => node.classList.remove("hl"));
    this.lit = [];
    const hot = stage.hot;
    stage.root.classList.toggle("dim", hot !== null);
    const block = hot ?? stage.pin;
    this.svg.replaceChildren();
    if (block === null) return;
    const room = stage.pointed ?? stage.rooms[0];
    const visitors = stage.lists(room);
    const queue = stage.find("queue", room);
    const shelves = stage.shelves(room);
    if (hot !== null) {
      this.lit = [shelves?.part(block, null), ...(visitors?.cells(block) ?? []), queue?.chip(block)].filter(Boolean);
      this.lit.forEach((node) => node.classList.add("hl"));
      shelves?.highlight(block);
    }
    if (shelves && stage.root.clientWidth >= NARROW) this.lines(block, shelves, visitors, queue);
  }

  lines(block, shelves, visitors, queue) {
    const frame = this.stage.root.getBoundingClientRect();
    const shelf = shelves.rect(block);
    let path = "";
    const dots = [];
    for (const cell of visitors?.cells(block) ?? []) {
      const box = cell.getBoundingClientRect();
      const beside = box.right < shelf.left; // lists stand left of the room, or below it on a narrow stage
      const from = beside
        ? [box.right - frame.left, box.top + box.height / 2 - frame.top]
        : [box.left + box.width / 2 - frame.left, box.top - frame.top];
      const to = beside
        ? [shelf.left - frame.left, shelf.top + shelf.height / 2 - frame.top]
        : [shelf.left + shelf.width / 2 - frame.left, shelf.bottom - frame.top];
      const middle = (from[0] + to[0]) / 2;
      path += beside
        ? `M${from}C${middle} ${from[1]} ${middle} ${to[1]} ${to}`
        : `M${from}C${from[0]} ${from[1] - 40} ${to[0]} ${to[1] + 40} ${to}`;
      dots.push(from, to);
    }
    const chip = queue?.chip(block)?.getBoundingClientRect();
    if (chip) {
      const from = [chip.left + chip.width / 2 - frame.left, chip.top - frame.top];
      const to = [shelf.left + shelf.width / 2 - frame.left, shelf.bottom - frame.top];
      path += `M${from}C${from[0]} ${from[1] - 40} ${to[0]} ${to[1] + 40} ${to}`;
      dots.push(from);
    }
    this.svg.innerHTML = `<path d="${path}"/>${dots.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.5"/>`).join("")}`;
  }
}
