// Printing, and the first drawing.
(() => {
  document.addEventListener("colours", () => tell("theme", theme()));
  // How far the page is, and when (ms since it was asked for).
  const mark = (stage) => { document.documentElement.dataset[stage] = performance.now().toFixed(); };
  const SHEET = 680; // pixels
  const resize = (width) => {
    if (!window.Plotly) return;
    document.querySelectorAll(".js-plotly-plot").forEach((plot) => Plotly.relayout(plot, { width, autosize: width === null }));
  };
  // Plots of the width of a sheet.
  addEventListener("beforeprint", () => { plots?.drawAll(); resize(SHEET); });
  addEventListener("afterprint", () => resize(null));

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
