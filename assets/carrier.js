/* Carries the code of the stage into the page: it changes with a release and never with a picture, so that Streamlit
   sends it once and then only says that it is the same. What it does with it is the door's (door.js). */
const source = "/*SOURCE*/";
const css = "/*CSS*/";
const known = (globalThis.pagedvizCode ??= {});
const entry = (known["/*NAME*/"] ??= {});
if (!entry.here && !entry.asked) {
  entry.asked = true;
  const main = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  entry.here = { mount: main.default, css };
  entry.put?.(entry.here);
}
export default () => {};
