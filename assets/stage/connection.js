/* Whether the page still has its server. Playing needs none, so the stage goes on and only says what does not work. */

const GRACE = 2500; // ms: a short break is mended before anybody notices

export function watchConnection(notice, say) {
  const app = document.querySelector('[data-testid="stApp"]');
  if (!app) return () => {}; // a stage outside of Streamlit has no server to lose
  let timer = 0;
  const look = () => {
    const lost = app.getAttribute("data-test-connection-state") !== "CONNECTED";
    clearTimeout(timer);
    if (!lost) notice.textContent = "";
    else timer = setTimeout(() => (notice.textContent = say()), GRACE);
  };
  const observer = new MutationObserver(look);
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] });
  look();
  return () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}
