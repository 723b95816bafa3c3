/* Pointing and clicking on the stage: whatever carries a block's number (data-b) points at it, and pins it. */

export function pointer(stage) {
  const { root } = stage;
  let last = "";
  root.onpointermove = (event) => {
    const at = `${event.clientX},${event.clientY}`;
    const moved = at !== last; // the picture may move under a pointer at rest
    last = at;
    if (event.pointerType === "mouse" && moved && !stage.clock.playing) pointFrom(stage, event.target);
  };
  root.onpointerleave = () => stage.point(null, null);
  root.addEventListener("focusin", (event) => pointFrom(stage, event.target));
  root.addEventListener("focusout", () => stage.point(null, null));
  root.onclick = (event) => {
    const node = event.target.closest("[data-b]");
    if (!node || event.target.closest(".sheet")) return; // tiles answer clicks themselves
    const block = Number(node.dataset.b);
    stage.setPin(stage.pin === block ? null : block);
  };
}

function pointFrom(stage, target) {
  const node = target.closest?.("[data-b]");
  if (node?.classList.contains("cursor")) return; // so does their cursor
  stage.point(node ? stage.rooms[0] : null, node ? Number(node.dataset.b) : null);
}
