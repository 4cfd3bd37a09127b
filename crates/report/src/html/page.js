// Colours, printing, and the first drawing.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let choice = "auto";
  const apply = (wanted) => {
    const now = wanted ?? (choice === "auto" ? (dark.matches ? "dark" : "light") : choice);
    if (theme() === now) return;
    document.documentElement.dataset.theme = now;
    tell("theme", now);
  };
  byId("theme").addEventListener("click", () => {
    choice = { auto: "light", light: "dark", dark: "auto" }[choice];
    byId("theme").textContent = `Colours: ${choice}`;
    apply();
  });
  dark.addEventListener("change", () => apply());
  // How far the page is, and when (ms since it was asked for).
  const mark = (stage) => { document.documentElement.dataset[stage] = performance.now().toFixed(); };
  const SHEET = 680; // pixels
  const resize = (width) => {
    if (!window.Plotly) return;
    document.querySelectorAll(".js-plotly-plot").forEach((plot) => Plotly.relayout(plot, { width, autosize: width === null }));
  };
  // Plots of the width of a sheet.
  addEventListener("beforeprint", () => { apply("light"); resize(SHEET); });
  addEventListener("afterprint", () => { apply(); resize(null); });

  setTime(0);
  if (data.events.length) chooseEvent(data.events[0]);
  // One plot after another, so that the page answers in between.
  const rest = plots ? [...data.panels] : [];
  const next = () => {
    const panel = rest.shift();
    if (panel) {
      plots.draw(panel);
      setTimeout(next, 0);
      return;
    }
    tell("time", state.time);
    mark("ready");
  };
  mark("usable");
  // Plotly last: the motion and the numbers need not wait for it.
  addEventListener("load", () => setTimeout(() => {
    document.body.append(element("script", {}, byId("plotly").textContent));
    byId("plotly").remove();
    tell("plotly");
    next();
  }, 30));
})();
