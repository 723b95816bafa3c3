// Draws the chart of its own file, in the colours of the reader's system, and again when they change; on paper in dark
// letters on white.
{
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const figure = read("figure");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const colours = (onDark = dark.matches) => {
    const [ink, ground] = onDark ? ["#f1f1f1", "#151515"] : ["#1b1b1b", "#ffffff"];
    return {
      "font.color": ink, "font.family": 'system-ui, -apple-system, "Segoe UI", sans-serif',
      paper_bgcolor: ground, plot_bgcolor: ground,
      "hoverlabel.bgcolor": ground, "hoverlabel.font.color": ink,
      dragmode: matchMedia("(hover: hover)").matches ? "zoom" : false, // a finger scrolls
    };
  };
  const chart = document.getElementById("chart");
  Plotly.newPlot(chart, figure.data, figure.layout, read("config"))
    .then(() => Plotly.relayout(chart, colours()));
  const paint = (onDark) => Plotly.relayout(chart, colours(onDark));
  dark.addEventListener("change", ({ matches }) => paint(matches));
  addEventListener("beforeprint", () => paint(false));
  addEventListener("afterprint", () => paint(dark.matches));
}
