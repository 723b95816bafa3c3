/* Several ES modules in one string, without a build step and without a server to fetch them from.
   Python puts the texts of all modules in place of the marker below (path -> source). Each module becomes
   an object URL; an import of a relative path is replaced by the URL of the module it names.
   No cycles: a module's imports are loaded before it is. A content security policy must allow blob: scripts. */
const sources = /*MODULES*/ {};
const urls = {};

function load(path) {
  if (urls[path]) return urls[path];
  if (!(path in sources)) throw new Error(`stage module not found: ${path}`);
  const resolve = (relative) => new URL(relative, `stage:///${path}`).pathname.slice(1);
  const text = sources[path].replace(
    /(\bfrom\s+)"(\.{1,2}\/[^"]+)"/g,
    (_, from, relative) => `${from}"${load(resolve(relative))}"`,
  );
  urls[path] = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return urls[path];
}

const main = await import(load("main.js"));
main.carry(sources); // for a file that plays without a server (take/file.js)
export default main.default;
