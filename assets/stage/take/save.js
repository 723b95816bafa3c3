/* Files out of the browser, without a server: their names, and the click that saves them. */
import { el } from "../dom.js";

/** A name that says where it is from: pagedviz-allocator-step-24.svg. */
export function nameOf(stage, ending, part = null) {
  const page = (stage.data.take?.title ?? "stage").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const place = stage.rooms[0]?.tl.placeOf?.(stage.clock.at);
  const at = place?.scene ? `scene-${place.scene}-beat-${place.beat}` : `step-${stage.clock.at}`;
  return `pagedviz-${page}-${part ?? at}.${ending}`;
}

/** Save parts (text or blobs) as a file of that name; tells the name. */
export function save(stage, name, parts, type) {
  const url = URL.createObjectURL(new Blob([parts].flat(), { type }));
  const link = el("a", { href: url, download: name, hidden: true });
  stage.root.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  return name;
}
