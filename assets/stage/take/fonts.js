/* The page's own letters, packed into what is taken away: a file asks for nothing, and a picture inside of a page may not.
   Only upright letters of the two families that the stage writes with. */
let packed = null;

const asUrl = (blob) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

function faces() {
  return [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule).map((rule) => [rule.style, sheet.href]);
    } catch {
      return []; // a sheet that may not be read
    }
  });
}

async function pack([style, base]) {
  const file = /url\("?([^")]+)"?\)/.exec(style.src)?.[1];
  const answer = await fetch(new URL(file, base ?? document.baseURI));
  if (!answer.ok) throw new Error(`no letters: ${answer.status}`);
  const family = style.fontFamily.includes("Code") ? "Source Code Pro" : "Source Sans 3";
  return `@font-face{font-family:"${family}";font-weight:${style.fontWeight || "200 900"};src:url(${await asUrl(await answer.blob())})}`;
}

/** @font-face rules with the letters inside, or "" where the page has none or they cannot be had: others stand in. */
export function letters() {
  const wanted = faces().filter(([style]) => /Source (Sans|Code)/.test(style.fontFamily) && style.fontStyle !== "italic");
  packed ??= Promise.all(wanted.map(pack)).then((rules) => rules.join("\n"), () => "");
  return packed;
}
