/* The door for a file that stands alone: one stage in the page, no server, no address to keep. The words around it
   follow the words on it. */
import { el, put } from "./dom.js";
import { failedStage } from "./fallback.js";
import { Stage } from "./stage.js";

export function alone() {
  const { data, style } = JSON.parse(document.getElementById("pagedviz").textContent);
  const host = document.getElementById("stage");
  const shadow = (host.shadowRoot ?? host.attachShadow({ mode: "open" }));
  const sheet = el("style", {});
  sheet.textContent = style;
  shadow.replaceChildren(sheet);
  around(data);
  try {
    const stage = new Stage((name, value) => name === "register" && head(data, value));
    shadow.append(stage.el);
    stage.update(data).catch((error) => shadow.append(failedStage("reading the run", error, data)));
  } catch (error) {
    shadow.append(failedStage("starting", error, data));
  }
}

/** The question in the words shown; the line below it was said in the words of then. */
function head({ take, open, offline }, register) {
  const holder = document.getElementById("head");
  const question = take?.ask?.[register === "engine" ? 1 : 0];
  if (question) put(holder.querySelector("h1"), question);
  holder.querySelector("p")?.remove();
  if (offline.lead && register === open.register) holder.append(el("p", {}, offline.lead));
}

function around(data) {
  head(data, data.open.register);
  const { link, made, origins } = data.offline;
  document.getElementById("foot").replaceChildren(
    el("h2", {}, "Where this is from"),
    ...origins.map((text) => el("p", {}, text)),
    el("p", {}, `Made with pagedviz on ${made}. It plays without any network; changing the run needs the app: `, el("a", { href: link, rel: "noreferrer" }, link)),
  );
}
