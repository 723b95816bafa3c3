// Six things that Streamlit leaves to be done around a page. This runs once on each page.

// On a phone the menu stays open over the page that was chosen from it, and is open again on the
// next visit. Streamlit's own rule is that a press beside the menu closes it: press there.
if (matchMedia("(max-width: 768px)").matches) {
  document.querySelector('[data-testid="stMain"]')
    ?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
}

// The scrolling main part is a stop of the Tab key without being a control, and shows no focus: all in it that can be
// used is reached by itself, and whatever has the focus in there scrolls with the keys.
document.querySelector('[data-testid="stMain"]')?.setAttribute("tabindex", "-1");

// Forms that open over the page stand outside of the app's element, which alone knows whether it is
// light or dark: say it for the whole document.
{
  const app = document.querySelector('[data-testid="stApp"]');
  const tell = () => {
    const scheme = app && getComputedStyle(app).colorScheme;
    if (scheme && scheme !== "normal") document.documentElement.style.colorScheme = scheme;
  };
  tell();
  if (app && !app.dataset.pvScheme) {
    app.dataset.pvScheme = "watched";
    new MutationObserver(tell).observe(app, { attributes: true, attributeFilter: ["class", "style"] });
  }
}

// Streamlit's tables on a canvas keep the Tab key for their cells, of which there may be thousands: one could not leave
// by keyboard. The arrows walk the cells, Tab leaves.
if (!document.documentElement.dataset.pvTables) {
  document.documentElement.dataset.pvTables = "mended";
  document.addEventListener(
    "keydown",
    (event) => event.key === "Tab" && event.target.closest?.('[data-testid="stDataFrame"], canvas[data-testid="data-grid-canvas"]') && event.stopPropagation(),
    true,
  );
}

// A link to the start page has no path. A click does not need it, but "open in a new tab" and "copy link" would lead to
// the page one is on: give it one before it can be used.
if (!document.documentElement.dataset.pvMenu) {
  document.documentElement.dataset.pvMenu = "mended";
  const mend = (event) => {
    const link = event.target.closest?.('a[data-testid="stPageLink-NavLink"]');
    const address = link?.getAttribute("href");
    if (address === "" || address?.startsWith("?")) link.setAttribute("href", `./${address}`);
  };
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, mend, true);
}

// After a lost connection Streamlit shows the old page and asks for nothing; if the server is a new one, the next change
// would be made to the page as it was first opened. Ask for the page anew, by the link as it is now.
{
  const app = document.querySelector('[data-testid="stApp"]');
  if (app && !app.dataset.pvConnection) {
    const state = () => app.getAttribute("data-test-connection-state");
    app.dataset.pvConnection = state();
    new MutationObserver(() => {
      const back = state() === "CONNECTED" && app.dataset.pvConnection === "lost";
      app.dataset.pvConnection = state() === "CONNECTED" ? "CONNECTED" : "lost";
      if (back) setTimeout(() => window.dispatchEvent(new PopStateEvent("popstate")));
    }).observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] });
  }
}
