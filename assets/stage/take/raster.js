/* The picture as PNG: the SVG drawn on a canvas, twice as fine as it is large, with the page's own letters packed into it
   where the page has some. */
import { letters } from "./fonts.js";

const SCALE = 2;

/** A PNG of an SVG text, as a Blob. */
export async function png(svg) {
  const rules = await letters();
  const whole = rules ? svg.replace("<title", `<style>${rules}</style>\n<title`) : svg;
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([whole], { type: "image/svg+xml" }));
  try {
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth * SCALE, image.naturalHeight * SCALE];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("too large for this browser"))), "image/png"));
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
