/* The stage as one HTML file that plays from a disk: the same scripts and styles, the runs as they were sent, where it
   stood, and where it is from. It asks for nothing: its policy forbids it. What needs the app (changing the run) is not
   in it; it says so and links to the page it came from. The letters of the page come along. */
import { plainOf } from "../fallback.js";
import { sources } from "./bundle.js";
import { xml } from "./colours.js";
import { letters } from "./fonts.js";
import { captions, titleOf, today } from "./shot.js";

const POLICY = "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; img-src data: blob:; connect-src data: blob:; font-src data:; base-uri 'none'";
const OWN = ["present", "view", "notes", "embed"]; // of this window, not of what it shows
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M3 2v20M21 2v20M3 8h18M3 15h18M3 21h18" fill="none" stroke="#777" stroke-width="2"/></svg>`;

/** The address of the page with its state, without what belongs to this window alone. */
export function address() {
  const url = new URL(location.href);
  for (const name of OWN) url.searchParams.delete(name);
  return url.href;
}

/** What the page around the stage says of where its picture is from, one paragraph each. */
export function origins(stage) {
  const said = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent.trim()).filter(Boolean);
  const agreement = said("[data-testid=stCaptionContainer]").filter((text) => /^(Agrees|Differs) /.test(text));
  return [...(stage.data.take?.by ?? []), ...said(".st-key-this-is [data-testid=stMarkdownContainer] p").slice(0, 1), ...agreement];
}

/** A value as JSON that may stand in a script element: no tag ends or begins in it. */
const json = (value) => JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

/** What the file's stage is given: the data sent, standing where this stage stands. */
function dataOf(stage, link) {
  const { data, clock } = stage;
  const away = (href) => new URL(href, link).href;
  const story = data.story && {
    links: data.story.links?.map((one) => one && { ...one, href: away(one.href) }),
    doors: data.story.doors?.map((one) => ({ ...one, href: away(one.href) })),
  };
  return {
    ...data,
    open: { token: "file", step: clock.at, until: null, pin: stage.pin, register: stage.reg },
    view: { ...stage.view },
    plain: plainOf(stage.rooms[0]),
    url: null,
    ...(story ? { story } : {}),
    offline: { link, made: today(), lead: document.querySelector(".st-key-headline p")?.textContent ?? "", origins: origins(stage) },
  };
}

/** The whole file as text. */
export async function file(stage) {
  stage.place.write();
  const link = address();
  const modules = sources();
  const style = [...stage.root.getRootNode().querySelectorAll("style")].map((sheet) => sheet.textContent).join("\n");
  const loader = modules["loader.js"].replace(/\/\*MODULES\*\/ \{\}/, () => json(modules));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="generator" content="pagedviz">
<title>${xml(titleOf(stage))} - pagedviz</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(LOGO)}">
<style>
${await letters()}
${modules["take/file.css"]}
</style>
</head>
<body>
<header id="head"><h1>${xml(stage.data.take?.ask?.[stage.reg === "engine" ? 1 : 0] ?? "pagedviz")}</h1></header>
<main id="stage"><p class="said">${xml(captions(stage).join(" "))}</p><p class="waiting">The animated picture has not started: the browser is too old for it, or something blocks its scripts.</p></main>
<footer id="foot"></footer>
<script type="application/json" id="pagedviz">${json({ data: dataOf(stage, link), style })}</script>
<script type="module">
${loader}
main.alone();
</script>
</body>
</html>
`;
}
