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
  addEventListener("beforeprint", () => { plots?.drawAll(); apply("light"); resize(SHEET); });
  addEventListener("afterprint", () => { apply(); resize(null); });

  setTime(0);
  if (data.events.length) chooseEvent(data.events[0]);
  mark("usable");
  // Plotly last: the motion and the numbers need not wait for it.
  const read = () => {
    document.body.append(element("script", {}, byId("plotly").textContent));
    byId("plotly").remove();
    tell("plotly");
    if (plots) plots.start(() => mark("complete"));
    else mark("complete");
    mark("ready");
  };
  addEventListener("load", () => requestAnimationFrame(() => setTimeout(read, 0)));
})();
