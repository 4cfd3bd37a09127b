// An impact whose slip turns: the hodograph, and the friction impulse against the normal impulse.
const hodograph = (() => {
  const sheet = (id, label) => element("div", { id, class: "sheet", role: "img", "aria-label": label });
  const papers = [
    sheet("slip", "Hodograph: slip along t2 against slip along t1"),
    sheet("impulses", "Size of the friction impulse against the normal impulse"),
  ];
  const size = ([a, b]) => Math.hypot(a, b);
  // Pieces of one phase and mode, each with the point the next one starts at.
  const pieces = (path) => {
    const out = [];
    let start = 0;
    for (let end = 1; end < path.length; end += 1) {
      const [a, b] = [path[start], path[end]];
      if (end + 1 === path.length || a.phase !== b.phase || a.mode !== b.mode) {
        out.push(path.slice(start, end + 1));
        start = end;
      }
    }
    return out;
  };
  // Straight in impulse space is curved in the size of the friction impulse.
  const between = ([a, ...rest]) => rest.reduce((points, b) => {
    const from = points[points.length - 1];
    const parts = Array.from({ length: 16 }, (_, k) => (k + 1) / 16);
    const mix = (x, y, s) => x + s * (y - x);
    return [...points, ...parts.map((s) => ({ ...b, p_n: mix(from.p_n, b.p_n, s), p_t: [0, 1].map((i) => mix(from.p_t[i], b.p_t[i], s)) }))];
  }, [a]);
  const tone = { compression: 0, restitution: 1 };
  const line = (piece, place) => ({
    x: piece.map((p) => place(p)[0]), y: piece.map((p) => place(p)[1]), mode: "lines",
    name: `${piece[0].phase}${piece[0].mode === "stick" ? ", sticking" : ""}`,
    line: { color: colour(tone[piece[0].phase]), width: 3, dash: piece[0].mode === "stick" ? "dash" : "solid" },
    text: piece.map((p) => `p_n ${show(p.p_n, 7)} N·s<br>p_t ${show(p.p_t, 7)} N·s<br>v_n ${show(p.v_n, 7)} m/s<br>v_t ${show(p.v_t, 7)} m/s`),
    hovertemplate: "%{text}<extra>%{fullData.name}</extra>",
  });
  const marks = {
    greatest_compression: ["greatest compression", "diamond"], second_compression: ["the bodies approach again", "diamond-open"], halt: ["halt", "x"],
  };
  const points = (drawn, place, start) => {
    const mark = (at, name, symbol, color) => ({
      x: [at[0]], y: [at[1]], name, mode: "markers", marker: { symbol, size: 11, color, line: { color: css("--ink"), width: 1 } },
      hovertemplate: `${name}<extra></extra>`,
    });
    return [
      mark(start, "start", "circle-open", css("--ink")),
      ...drawn.events.filter((event) => marks[event.kind]).map((event) => mark(place(event.at), ...marks[event.kind], css("--ink"))),
      ...drawn.ends.map((end) => mark(place(end), `end (${end.law})`, "circle", colour(3))),
    ];
  };
  const once = (traces) => traces.map((trace, k) => ({
    ...trace, legendgroup: trace.name, showlegend: traces.findIndex(({ name }) => name === trace.name) === k,
  }));
  const layout = (x, y, more) => ({
    ...look(), margin: { l: 60, r: 10, t: 10, b: 40 },
    xaxis: { ...axisLook(), title: { text: x, standoff: 4 }, ...more.x }, yaxis: { ...axisLook(), title: { text: y }, ...more.y },
    showlegend: true, legend: { orientation: "h", yref: "container", y: 0, yanchor: "bottom", x: 0, font: { size: 11 } },
    hovermode: "closest", dragmode: isTouch ? false : "zoom",
  });
  const drawSlip = (drawn) => {
    const place = (p) => p.v_t;
    const [, ...start] = drawn.v_pre;
    const all = [start, [0, 0], ...drawn.path.map(place), ...drawn.ends.map(place)];
    const far = Math.max(...all.map(size)) || Math.abs(drawn.v_pre[0]) || 1;
    const rays = drawn.invariant_directions.map((d) => ({
      x: [0, 1.2 * far * d.direction[0]], y: [0, 1.2 * far * d.direction[1]], mode: "lines",
      name: `${d.attracting ? "attracts" : "repels"} slip${d.outgoing ? ", outgoing" : ""}`,
      line: { color: colour(d.attracting ? 2 : 4), width: 1.6, dash: d.attracting ? "solid" : "dash" },
      hovertemplate: `${d.attracting ? "attracting" : "repelling"} direction<br>r ${show(d.r, 7)} 1/kg<br>k ${show(d.k, 7)} 1/kg<extra></extra>`,
    }));
    const slips = pieces(drawn.path).filter((piece) => piece[0].mode === "slip").map((piece) => line(piece, place));
    const more = { x: {}, y: { scaleanchor: "x" } };
    Plotly.react(papers[0], once([...rays, ...slips, ...points(drawn, place, start)]), layout("slip along t1 (m/s)", "slip along t2 (m/s)", more), config);
  };
  const drawImpulses = (drawn) => {
    const place = (p) => [p.p_n, size(p.p_t)];
    const far = 1.1 * Math.max(...[...drawn.path, ...drawn.ends].map((p) => p.p_n), 0) || 1;
    const { kinetic } = drawn.friction;
    const cone = {
      x: [0, far], y: [0, kinetic * far], name: "friction cone", mode: "lines", hoverinfo: "name", line: { color: colour(6), width: 1.6, dash: "dash" },
    };
    const lines = pieces(drawn.path).map((piece) => line(between(piece), place));
    const more = { x: { rangemode: "tozero" }, y: { rangemode: "tozero" } };
    Plotly.react(papers[1], once([cone, ...lines, ...points(drawn, place, [0, 0])]),
      layout("normal impulse p_n (N·s)", "friction impulse |p_t| (N·s)", more), config);
  };
  const draw = (drawn) => {
    if (!drawn || !window.Plotly) return;
    drawSlip(drawn);
    drawImpulses(drawn);
  };
  return { papers, draw };
})();
