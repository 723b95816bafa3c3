/* The story on paper: one page for each scene, with the picture of its telling beat, every sentence and the sources,
   as one HTML file that prints on A4 and on Letter. Black on white, whatever the screen is. */
import { parts } from "../story.js";
import { sources } from "./bundle.js";
import { xml } from "./colours.js";
import { address, origins } from "./file.js";
import { draw, posed, today } from "./shot.js";

const bare = (text) => parts(text ?? "").map((part) => part.text).join("");
const asImage = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

export function handout(stage) {
  const room = stage.rooms[0];
  const which = stage.reg === "engine" ? 1 : 0;
  const said = (pair) => bare(pair?.[which]);
  const title = stage.data.take?.ask?.[which] ?? "";
  const link = address();
  const pictures = posed(stage, { theme: "light" }, () =>
    room.tl.scenes.map((scene, k) => {
      stage.clock.at = scene.first + (stage.data.story?.telling?.[k] ?? scene.beats) - 1;
      stage.build();
      stage.clock.onChange("seek");
      const shown = stage.find("picture", room).el;
      return { at: stage.clock.at, svg: draw(stage, [shown], "", 10, around(shown)) };
    }),
  );
  const pages = room.tl.scenes.map((scene, k) => {
    const beats = room.tl.steps.filter((step) => step.s === k);
    const telling = room.tl.steps[pictures[k].at];
    const from = [...new Set(beats.map((step) => said(step.source)).filter(Boolean))];
    const other = bare(telling.says[1 - which]);
    return `<section>
<p class="running"><b>pagedviz</b> ${xml(title)} <span>Scene ${k + 1} of ${room.tl.scenes.length}</span></p>
<h2>${xml(said(scene.title))}</h2>
<p class="said">${xml(said(telling.says))}</p>
${other === said(telling.says) ? "" : `<p class="other">${xml(which ? "In the words of a storage room: " : "In the field's own words: ")}${xml(other)}</p>`}
<img alt="${xml(said(telling.says))}" src="${asImage(pictures[k].svg)}">
${said(telling.calc) ? `<p class="calc">${xml(said(telling.calc))}</p>` : ""}
<ol>${beats.map((step) => `<li${step === telling ? ' class="here"' : ""}>${xml(said(step.says))}</li>`).join("")}</ol>
${from.length ? `<p class="from"><b>Sources</b> ${from.map(xml).join(" ")}</p>` : ""}
<p class="foot">${today()}. <a href="${xml(link)}">${xml(short(link))}</a>${k === room.tl.scenes.length - 1 ? ` ${origins(stage).map(xml).join(" ")}` : ""}</p>
</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${xml(title)} - handout, pagedviz</title>
<style>
${sources()["take/handout.css"]}
</style>
</head>
<body>
<main>
<h1>${xml(title)}</h1>
${pages.join("\n")}
</main>
</body>
</html>
`;
}

/** Where there is something in a picture: what is empty costs paper. */
function around(picture) {
  const rects = [...picture.querySelectorAll(".nd:not(.out)")].map((node) => node.getBoundingClientRect()).filter((rect) => rect.width && rect.height);
  const [left, top] = [Math.min(...rects.map((rect) => rect.left)), Math.min(...rects.map((rect) => rect.top))];
  return new DOMRect(left, top, Math.max(...rects.map((rect) => rect.right)) - left, Math.max(...rects.map((rect) => rect.bottom)) - top);
}

/** An address as it can be typed: without what only a click can carry. */
const short = (link) => {
  const { origin, pathname } = new URL(link);
  return origin === "null" ? link : origin + pathname;
};
