/* The door for Streamlit: called again whenever the data or the theme changes, so it keeps one stage per place. */
import { failedStage } from "./fallback.js";
import { Stage } from "./stage.js";

export { alone } from "./alone.js";
export { carry } from "./take/bundle.js";

const stages = new WeakMap();

export default function mount({ data, parentElement, setStateValue }) {
  let stage = stages.get(parentElement);
  const host = parentElement.querySelector("#stage");
  try {
    if (!stage) {
      stage = new Stage((name, value) => stage.tellNow(name, value));
      stages.set(parentElement, stage);
      host.replaceChildren(stage.el);
    }
    stage.tellNow = (name, value) => setStateValue(name, value);
    if (stage.data === data || JSON.stringify(stage.data) === JSON.stringify(data)) stage.repaint();
    else stage.update(data).catch((error) => host.replaceChildren(failedStage("reading the run", error, data)));
  } catch (error) {
    host.replaceChildren(failedStage("starting", error, data));
  }
  return () => {
    stage?.stop();
    stages.delete(parentElement);
  };
}
