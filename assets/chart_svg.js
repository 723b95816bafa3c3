// "Chart, SVG": the chart of this page as one file, with its title, source, date and the way back.
// Plotly draws several SVG pictures on top of each other and the page colours their letters; here they become one
// picture that needs neither. Nothing is sent anywhere. This runs once on each page and listens once.
if (!document.documentElement.dataset.pvChartSvg) {
  document.documentElement.dataset.pvChartSvg = "listening";
  const NS = "http://www.w3.org/2000/svg", EDGE = 20, FONT = '"Helvetica Neue", Arial, sans-serif';
  const LETTERS = ["fill", "font-family", "font-size", "font-weight", "font-style"];
  const UNSEEN = ".hoverlayer, .zoomlayer, .menulayer, .draglayer, .cursor-pointer.legendtoggle, .legendtoggle";

  const make = (name, attributes = {}, text = "") => {
    const node = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.textContent = text;
    return node;
  };

  /** A copy of one of Plotly's pictures that looks the same without the page around it. */
  function copy(picture) {
    const twin = picture.cloneNode(true);
    const letters = [picture, twin].map((one) => [...one.querySelectorAll("text, tspan")]);
    letters[0].forEach((from, at) => {
      const style = getComputedStyle(from);
      for (const name of LETTERS) letters[1][at].style.setProperty(name, style.getPropertyValue(name));
      const long = from.firstElementChild ? 0 : from.getComputedTextLength(); // it fits where another font stands in
      if (long) for (const [name, value] of [["textLength", long.toFixed(2)], ["lengthAdjust", "spacingAndGlyphs"]]) letters[1][at].setAttribute(name, value);
    });
    twin.querySelectorAll(UNSEEN).forEach((node) => node.remove());
    for (const node of twin.querySelectorAll("*")) {
      for (const { name, value } of [...node.attributes]) { // references are within the file, whatever the page's address
        if (value.includes("url(")) node.setAttribute(name, value.replace(/url\((["']|&quot;)?[^)#]*#([^)"'&]+)(["']|&quot;)?\)/g, "url(#$2)"));
      }
    }
    twin.removeAttribute("style");
    return twin;
  }

  function wide(text, size) {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${size}px ${FONT}`;
    return pen.measureText(text).width;
  }

  function lines(text, width, size) {
    const found = [""];
    for (const word of text.split(" ")) {
      const longer = `${found.at(-1)} ${word}`.trim();
      if (found.at(-1) && wide(longer, size) > width) found.push(word);
      else found[found.length - 1] = longer;
    }
    return found;
  }

  function drawn(plot, about) {
    const { width, height } = plot.querySelector(".main-svg").getBoundingClientRect();
    const look = getComputedStyle(document.querySelector('[data-testid="stApp"]'));
    const title = lines(about.title, width, 20);
    const made = `Made with pagedviz on ${new Date().toISOString().slice(0, 10)}.`;
    const foot = [...lines(about.source, width, 13), made];
    const top = EDGE + title.length * 26 + 8;
    const total = top + height + 12 + (foot.length + (about.link ? 1 : 0)) * 18 + EDGE;
    const whole = make("svg", { xmlns: NS, width: width + 2 * EDGE, height: total, viewBox: `0 0 ${width + 2 * EDGE} ${total}`,
      role: "img", "font-family": FONT, fill: look.color });
    whole.append(make("title", {}, about.title), make("desc", {}, about.alt));
    whole.append(make("rect", { width: "100%", height: "100%", fill: look.backgroundColor }));
    title.forEach((line, at) => whole.append(make("text", { x: EDGE, y: EDGE + 20 + at * 26, "font-size": 20, "font-weight": 650 }, line)));
    const place = make("g", { transform: `translate(${EDGE} ${top})` });
    place.append(...[...plot.querySelectorAll(".main-svg")].map(copy));
    whole.append(place);
    const line = (text, at) => make("text", { x: EDGE, y: top + height + 26 + at * 18, "font-size": 13 }, text);
    foot.forEach((text, at) => whole.append(line(text, at)));
    if (about.link) {
      const way = make("a", { href: about.link });
      let shown = about.link; // the link leads there in full, however little of it can be shown
      while (shown.length > 20 && wide(shown, 13) > width) shown = `${shown.slice(0, -2)}…`;
      way.append(line(shown, foot.length));
      whole.append(way);
    }
    return new XMLSerializer().serializeToString(whole);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-pv-svg]");
    if (!button) return;
    const place = document.querySelector(`.st-key-${CSS.escape(button.dataset.pvSvg)}`);
    const plot = place?.querySelector(".js-plotly-plot");
    if (!plot) return;
    const { title, source, link, file } = button.dataset;
    const alt = place.querySelector("[aria-label]")?.getAttribute("aria-label") ?? "";
    const address = URL.createObjectURL(new Blob([drawn(plot, { title, source, link, alt })], { type: "image/svg+xml" }));
    const way = document.createElement("a");
    way.href = address;
    way.download = file;
    way.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  });
}
