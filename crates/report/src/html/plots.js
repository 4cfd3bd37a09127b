// Curves over time; all plots share their range.
const look = () => ({
  paper_bgcolor: "rgba(0,0,0,0)",
  plot_bgcolor: "rgba(0,0,0,0)",
  font: { family: "system-ui, DejaVu Sans, sans-serif", size: 12, color: css("--ink") },
  hoverlabel: { bgcolor: css("--card"), bordercolor: css("--line"), font: { color: css("--ink") } },
});
const axisLook = () => ({ gridcolor: css("--line"), zerolinecolor: css("--ground"), linecolor: css("--line"), automargin: true });
const isTouch = matchMedia("(pointer: coarse)").matches;
const config = {
  responsive: true, displaylogo: false, showTips: false, displayModeBar: isTouch ? false : "hover",
  modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
};

const plots = (() => {
  if (!data.panels.length || !data.time.length) return null;
  byId("plots").hidden = false;
  const made = [];
  // Of more curves the names are told where one points.
  const MOST_NAMED = 12;

  const eventTraces = () => {
    const shown = data.events;
    if (!shown.length) return [];
    return [
      { x: shown.flatMap((e) => [e.time, e.time, null]), y: shown.flatMap(() => [0, 1, null]), yaxis: "y2", mode: "lines",
        line: { color: css("--ground"), width: 1, dash: "dot" }, hoverinfo: "skip", showlegend: false },
      { x: shown.map((e) => e.time), y: shown.map(() => 0), yaxis: "y2", mode: "markers", name: "events", cliponaxis: false,
        marker: { symbol: "triangle-up", size: 11, color: css("--warm") }, customdata: shown.map((e) => e.index),
        text: shown.map((e) => `event ${e.index}: ${plain(short(e.name))}`), hovertemplate: "%{text}<br>%{x} s<extra></extra>" },
    ];
  };
  const curveTraces = (panel) => panel.curves.map((curve, k) => ({
    x: curve.x ?? data.time, y: curve.y, name: plain(short(curve.name)), mode: "lines",
    line: { color: colour(k), width: 1.6, dash: ["solid", "dash", "dot", "dashdot"][Math.floor(k / 8) % 4] },
    hovertemplate: `%{y:.6g} ${panel.unit}<br>at %{x:.6g} s`,
  }));
  const layout = (panel) => ({
    ...look(),
    margin: { l: 60, r: 12, t: 10, b: 36 },
    showlegend: panel.curves.length <= MOST_NAMED,
    legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 1, xanchor: "right", font: { size: 11 } },
    dragmode: isTouch ? false : "zoom",
    xaxis: { ...axisLook(), title: { text: "time (s)", standoff: 4 }, range: [0, data.end] },
    yaxis: { ...axisLook(), title: { text: panel.unit ? plain(panel.unit) : "" } },
    yaxis2: { overlaying: "y", range: [0, 1], visible: false, fixedrange: true },
    hovermode: "closest",
  });

  const clicked = (points) => {
    const [point] = points;
    const event = data.events.find((e) => e.index === point.customdata);
    if (event) {
      pin();
      chooseEvent(event);
    }
    setTime(event ? event.time : point.x);
  };

  // A range chosen in one plot is that of all.
  let isSharing = false;
  const share = (source, change) => {
    if (isSharing) return;
    const keys = ["xaxis.range[0]", "xaxis.range[1]", "xaxis.range"];
    const all = change["xaxis.autorange"];
    if (!all && !keys.some((key) => key in change)) return;
    const range = all ? [0, data.end] : [...source._fullLayout.xaxis.range];
    isSharing = true;
    shared = [...range];
    const others = made.filter((one) => one.plot !== source || all);
    Promise.all(others.map((one) => Plotly.relayout(one.plot, { "xaxis.range": [...range] })))
      .finally(() => { isSharing = false; placeCursors(); });
  };

  const placeCursors = () => {
    for (const { plot, cursor } of made) {
      const full = plot._fullLayout;
      if (!full) continue;
      const at = full.xaxis.l2p(state.time);
      const isInside = at >= 0 && at <= full.xaxis._length;
      cursor.style.display = isInside ? "block" : "none";
      if (!isInside) continue;
      cursor.style.left = `${full.xaxis._offset + at}px`;
      cursor.style.top = `${full.yaxis._offset}px`;
      cursor.style.height = `${full.yaxis._length}px`;
    }
  };

  // A plot is made when it comes near the window, or when the browser has nothing else to do.
  const places = data.panels.map((panel) => {
    const plot = element("div", { class: "plot", id: `plot-${panel.id}`, role: "img", "aria-label": `${panel.title} over time` });
    const cursor = element("div", { class: "cursor" });
    const many = panel.curves.length > MOST_NAMED ? ` (${panel.curves.length} curves: point at one for its name)` : "";
    byId("panels").append(element("h3", {}, panel.title + many), element("div", { class: "panel" }, plot, cursor));
    return { panel, plot, cursor, isDrawn: false };
  });
  let shared = [0, data.end];
  const draw = (place) => {
    if (place.isDrawn) return;
    place.isDrawn = true;
    const { panel, plot, cursor } = place;
    const traces = () => [...curveTraces(panel), ...eventTraces()];
    const fresh = layout(panel);
    fresh.xaxis.range = [...shared];
    Plotly.newPlot(plot, traces(), fresh, config);
    made.push({ plot, cursor, panel, traces });
    plot.on("plotly_click", ({ points }) => clicked(points));
    plot.on("plotly_relayout", (change) => share(plot, change));
    plot.on("plotly_afterplot", placeCursors);
    placeCursors();
  };
  const NEAR = 200; // pixels
  const isNear = ({ plot }) => {
    const { top, bottom } = plot.getBoundingClientRect();
    return bottom > -NEAR && top < innerHeight + NEAR;
  };
  const drawNear = () => places.filter(isNear).forEach(draw);
  const drawAll = () => places.forEach(draw);
  // Draws what is seen at once, the rest one by one; tells when all is drawn.
  const start = (done) => {
    drawNear();
    addEventListener("scroll", drawNear, { passive: true });
    const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));
    const next = () => {
      const place = places.find((one) => !one.isDrawn);
      if (!place) return done();
      draw(place);
      idle(next);
    };
    idle(next);
  };
  const redraw = () => made.forEach(({ plot, panel, traces }) => {
    const fresh = layout(panel);
    fresh.xaxis.range = [...plot._fullLayout.xaxis.range];
    Plotly.react(plot, traces(), fresh, config);
  });
  heard.theme.push(redraw);
  heard.time.push(placeCursors);
  return { start, drawAll, made };
})();
