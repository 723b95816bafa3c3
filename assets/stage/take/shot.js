/* The step shown as one SVG: the stage is laid out at one width without its controls, walked, and put back, all within
   one task, so that nothing is seen of it. A step of another time can be asked for, which the handout does.
   Own code, and not a library: those that turn a page into SVG put HTML inside of it (foreignObject), which Inkscape
   and PowerPoint do not draw, and the one that does not has had no release since 2021. */
import { el, plain } from "../dom.js";
import { painted, xml } from "./colours.js";
import { letters } from "./letters.js";
import { Walk } from "./walk.js";

const WIDTH = 1240;
const FOOT = 34;
const THEMES = {
  light: "color-scheme:light;--st-background-color:#ffffff;--st-text-color:#1b1b1b;--st-primary-color:#0f62fe;--st-secondary-background-color:#f6f6f3",
  dark: "color-scheme:dark;--st-background-color:#151515;--st-text-color:#f1f1f1;--st-primary-color:#78a9ff;--st-secondary-background-color:#1f1f1f",
};

/** Do something with the stage laid out for a picture, and leave it as it was. */
export function posed(stage, { theme = null, width = WIDTH } = {}, act) {
  const frame = stage.el;
  const before = { style: frame.getAttribute("style"), at: stage.clock.at, alone: stage.alone, hot: stage.hot };
  const scroller = document.querySelector("[data-testid=stMain]");
  const top = scroller?.scrollTop;
  const place = [scrollX, scrollY];
  const had = ["alone", "present"].filter((name) => frame.classList.contains(name));
  stage.motion.cancel();
  stage.hot = null;
  stage.alone = false;
  frame.classList.remove(...had);
  frame.classList.add("posed");
  frame.setAttribute("style", `--posed-width:${width}px;${theme ? THEMES[theme] : ""}`);
  const again = () => {
    stage.build();
    stage.clock.onChange("seek");
    stage.repaint();
  };
  try {
    again();
    return act();
  } finally {
    frame.classList.remove("posed");
    frame.classList.add(...had);
    if (before.style === null) frame.removeAttribute("style");
    else frame.setAttribute("style", before.style);
    Object.assign(stage, { alone: before.alone, hot: before.hot });
    stage.clock.at = before.at;
    again();
    if (scroller) scroller.scrollTop = top;
    else scrollTo(...place);
  }
}

/** The step shown, as the text of an SVG file. */
export function picture(stage, { theme = null, foot = "" } = {}) {
  return posed(stage, { theme }, () => draw(stage, [stage.body, stage.links.svg], foot));
}

/** Elements of the posed stage as SVG; the picture is as large as `rect`, usually the first of them, with a margin. */
export function draw(stage, parts, foot = "", margin = 20, rect = parts[0].getBoundingClientRect()) {
  const walk = new Walk({ x: rect.left - margin, y: rect.top - margin });
  const ground = getComputedStyle(stage.root).backgroundColor;
  const inside = parts.map((part) => walk.element(part)).join("");
  const [w, h] = [Math.ceil(rect.width + 2 * margin), Math.ceil(rect.height + 2 * margin + (foot ? FOOT : 0))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${xml(titleOf(stage))}</title><desc id="desc">${xml(captions(stage).join(" "))} ${xml(foot)}</desc>`,
    walk.clips.length ? `<defs>${walk.clips.join("")}</defs>` : "",
    `<rect width="${w}" height="${h}" ${painted("fill", ground)}/>`,
    inside,
    foot ? footLine(stage, foot, margin, h - margin) : "",
    "</svg>\n",
  ].join("\n");
}

/** What the step says in the words shown, one sentence for each run on the stage that says one. */
export const captions = (stage) => stage.rooms.filter((room) => room.step).map((room) => plain(stage.caption(room, room.step)));

export const today = () => new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** The line below a picture: what it is, by whose rules, made when. */
export const footOf = (stage) => [titleOf(stage), stage.data.take?.rules, `pagedviz, ${today()}`].filter(Boolean).join(". ") + ".";

export function titleOf(stage) {
  const { tl } = stage.rooms[0];
  const place = tl.placeOf?.(stage.clock.at);
  const at = place?.scene ? `scene ${place.scene} of ${tl.scenes.length}, ${place.beat} of ${tl.scenes[place.scene - 1].beats}` : `${stage.words.step} ${stage.clock.at} of ${stage.clock.last}`;
  return `${stage.data.take?.title ?? "pagedviz"}, ${at}`;
}

/** A line below the picture, in the stage's small print. */
function footLine(stage, text, x, y) {
  const line = el("span", { class: "muted", style: "position:absolute;visibility:hidden;white-space:nowrap;font-size:13px" }, text);
  stage.root.append(line);
  const style = getComputedStyle(line);
  const { width, height } = line.getBoundingClientRect();
  const drawn = letters(text, { x, y: y - height, w: width, h: height }, style);
  line.remove();
  return drawn;
}
