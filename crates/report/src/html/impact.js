// One event: its impulse plane, its phases in words, its numbers as in run.json.
const impact = (() => {
  const isEarly = document.querySelector("#impact .ended") !== null;
  if (!data.events.length && !isEarly) return null;
  byId("impact").hidden = false;
  if (!data.events.length) {
    byId("h-impact").textContent = "No event was solved";
    return null;
  }
  const place = byId("detail");
  // One place for all impulse planes: Plotly may still be busy with the last one.
  const paper = element("div", { id: "plane", role: "img", "aria-label": "Impulse plane: tangent impulse against normal impulse" });

  const table = (id, head, rows) => {
    const cells = (row) => row.map((cell, k) => element(k ? "td" : "th", k ? {} : { scope: "row" }, cell));
    const body = rows.map((row) => element("tr", {}, ...cells(row)));
    return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": id }, element("table", { id },
      element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...body)));
  };

  // The part of the line n p_n + t p_t + offset = 0 between two abscissas or, if it is upright, ordinates.
  const across = ({ n, t, offset }, [x0, x1], [y0, y1]) => (Math.abs(t) > 1e-12 * Math.abs(n)
    ? [x0, x1].map((x) => [x, -(offset + n * x) / t])
    : [y0, y1].map((y) => [-(offset + t * y) / n, y]));

  const planeTraces = (plane, range) => {
    const [x, y] = range;
    const traces = [];
    const straight = (ends, name, tone, dash) => traces.push({
      x: ends.map((p) => p[0]), y: ends.map((p) => p[1]), name, mode: "lines", hoverinfo: "name", line: { color: tone, width: 1.6, dash },
    });
    if (plane.compression) straight(across(plane.compression, x, y), "v_n = 0 (greatest compression)", colour(1), "solid");
    if (plane.sticking) straight(across(plane.sticking, x, y), "v_t = 0 (sticking)", colour(0), "solid");
    if (plane.friction_slope) straight([[0, 0], [x[1], plane.friction_slope * x[1]]], "friction, slope −μσ", colour(6), "dash");
    else if (plane.friction_slope === null && plane.static_angle > 0) {
      const mu = Math.tan(plane.static_angle);
      straight([[x[1], mu * x[1]], [0, 0], [x[1], -mu * x[1]]], "static friction cone", colour(6), "dash");
    }
    plane.ends.forEach((end) => {
      if (end.line) straight(across(end.line, x, y), `end (${end.law})`, colour(3), "dot");
    });
    traces.push({
      x: plane.path.map((p) => p.p_n), y: plane.path.map((p) => p.p_t), name: "path of the impact", mode: "lines+markers",
      line: { color: css("--ink"), width: 3 }, marker: { size: 8, color: css("--card"), line: { color: css("--ink"), width: 2 } },
      text: plane.path.map((p) => `v_n ${show(p.v_n, 7)} m/s<br>v_t ${show(p.v_t, 7)} m/s`),
      hovertemplate: "p_n %{x:.7g} N·s<br>p_t %{y:.7g} N·s<br>%{text}<extra></extra>",
    });
    if (plane.ends.length) {
      traces.push({
        x: plane.ends.map((e) => e.p_n), y: plane.ends.map((e) => e.p_t), name: "end", mode: "markers",
        marker: { symbol: "diamond", size: 12, color: colour(3) }, hovertemplate: "end<br>p_n %{x:.7g} N·s<br>p_t %{y:.7g} N·s<extra></extra>",
      });
    }
    return traces;
  };
  const rangeOf = (plane) => {
    const points = [...plane.path, ...plane.ends];
    const xs = [0, ...points.map((p) => p.p_n)];
    const ys = [0, ...points.map((p) => p.p_t)];
    const [w, h] = [xs, ys].map((list) => Math.max(...list) - Math.min(...list));
    const [dx, dy] = [0.12 * (w || h || 1), Math.max(0.3 * h, 0.12 * w) || 0.1];
    return [[Math.min(...xs) - dx, Math.max(...xs) + dx], [Math.min(...ys) - dy, Math.max(...ys) + dy]];
  };
  const drawPlane = (plane) => {
    if (!plane || !window.Plotly) return;
    const range = rangeOf(plane);
    const layout = {
      ...look(),
      margin: { l: 60, r: 10, t: 10, b: 40 },
      xaxis: { ...axisLook(), title: { text: "normal impulse p_n (N·s)", standoff: 4 }, range: range[0] },
      yaxis: { ...axisLook(), title: { text: "tangent impulse p_t (N·s)" }, range: range[1] },
      showlegend: true, legend: { orientation: "h", yref: "container", y: 0, yanchor: "bottom", x: 0, font: { size: 11 } },
      hovermode: "closest", dragmode: isTouch ? false : "zoom",
    };
    Plotly.react(paper, planeTraces(plane, range), layout, config);
  };

  // What is below this part of its kind is round-off, shown as the zero it stands for.
  const ROUND_OFF = 1e-12;
  const clean = (x, scale) => {
    if (Array.isArray(x)) return x.map((one) => clean(one, scale));
    return Number.isFinite(x) && Math.abs(x) <= ROUND_OFF * scale ? 0 : x;
  };
  const numbers = (contact, k, { units, scales, stops }) => {
    const isSpace = Array.isArray(contact.velocity_before.tangent);
    const rows = [
      [`impulse (${units[k].impulse})`, contact.impulse, scales.impulse],
      [`velocity before (${units[k].velocity})`, contact.velocity_before, scales.velocity],
      [`velocity after (${units[k].velocity})`, contact.velocity_after, scales.velocity],
      ["work (J)", contact.work, scales.impulse * scales.velocity],
    ].map(([name, pair, scale]) => [name, show(clean(pair.normal, scale)), show(clean(pair.tangent, scale))]);
    if (stops[k]) return table(`contact-${k}`, ["", "at the stop"], rows.map((row) => row.slice(0, 2)));
    return table(`contact-${k}`, ["", "normal", isSpace ? "tangent (t1, t2)" : "tangent"], rows);
  };
  // In space along the direction of the impact, where it has one.
  const corners = (path, k, { units, scales, stops, directions }) => {
    const { impulse, velocity } = units[k];
    const d = directions[k];
    const along = (x, scale) => show(clean(d && Array.isArray(x) ? d[0] * x[0] + d[1] * x[1] : x, scale));
    const of = d ? " along d" : "";
    const head = ["corner", `p_n (${impulse})`, `p_t${of} (${impulse})`, `v_n (${velocity})`, `v_t${of} (${velocity})`, "then"];
    const rows = path.map((c, j) => [String(j), show(c.p_n), along(c.p_t, scales.impulse), show(clean(c.v_n, scales.velocity)), along(c.v_t, scales.velocity),
      j + 1 < path.length ? [c.phase, c.mode?.replace("-", "−")].filter(Boolean).join(", ") : "end"]);
    const kept = (row) => row.filter((_, j) => !stops[k] || (j !== 2 && j !== 4)); // a stop has no tangent
    return table("path", kept(head), rows.map(kept));
  };
  const rates = (detail) => {
    const same = (unit) => data.rates.filter((rate) => rate.unit === unit)
      .flatMap(({ joint, index }) => [detail.rates_before, detail.rates_after].map((map) => map?.[joint]?.[index] ?? 0));
    const rows = data.rates.map(({ joint, index, name, unit }) => {
      const most = Math.max(...same(unit).map(Math.abs));
      const at = (map) => show(clean(map?.[joint]?.[index], most));
      return [`${joint} ${name} (${unit})`, at(detail.rates_before), at(detail.rates_after)];
    });
    return table("rates", ["rate", "before", "after"], rows);
  };
  const reactions = (list) => {
    const most = Math.max(...list.flatMap(([, { force, moment }]) => [force, moment].flat().map(Math.abs)));
    const all = (x) => [x].flat().map((one) => show(clean(one, most), 7)).join(", ");
    return table("joint-impulses", ["joint", "impulse (N·s)", "moment (N·m·s)", "unique"],
      list.map(([name, { force, moment, unique }]) => [name, all(force), all(moment), unique ? "yes" : "no"]));
  };

  // One row per outcome and contact.
  const outcomes = ({ outcomes: all, units, scales }) => {
    const head = ["outcome", "contact", "p_n", "p_t", "v_n after", "v_t after", "energy change (J)"];
    const rows = all.flatMap(({ energy_change: change, contacts }, j) => contacts.map((contact, k) => {
      const { impulse, velocity_after: after } = contact;
      const [p, v] = [units[k]?.impulse ?? "N·s", units[k]?.velocity ?? "m/s"];
      const at = (x, scale, unit) => (x === null || x === undefined ? "–" : `${show(clean(x, scale))} ${unit}`);
      return [String(j + 1), contact.name, at(impulse.normal, scales.impulse, p), at(impulse.tangent, scales.impulse, p),
        at(after.normal, scales.velocity, v), at(after.tangent, scales.velocity, v), k ? "" : show(change)];
    }));
    return table("outcomes", head, rows);
  };

  const parts = (detail) => {
    const out = [];
    const add = (...children) => out.push(...children);
    detail.notes.forEach((note) => add(element("p", { class: "note" }, note)));
    if (detail.plane) {
      add(element("h3", {}, "Impulse plane"));
      add(paper);
    }
    if (detail.hodograph) add(element("h3", {}, "Slip and impulses"), ...hodograph.papers);
    detail.contacts.forEach((contact, k) => {
      add(element("h3", {}, `${contact.name}: ${detail.stops[k] ? "stop of a joint" : detail.deeds[k]}`));
      add(element("ol", { class: "steps" }, ...detail.steps[k].map((step) => element("li", {}, element("b", {}, `${step.name}: `), step.words))));
      add(numbers(contact, k, detail));
      if (contact.path.length) add(element("details", {}, element("summary", {}, "Corners of the path"), corners(contact.path, k, detail)));
    });
    if (detail.outcomes.length) add(element("h3", {}, "Outcomes, none of them taken"), outcomes(detail));
    if (Object.keys(detail.rates_before).length) add(element("details", {}, element("summary", {}, "Rates before and after"), rates(detail)));
    if (detail.joint_impulses.length) add(element("details", {}, element("summary", {}, "Reaction impulses of the joints"), reactions(detail.joint_impulses)));
    return out;
  };

  const draw = (event) => {
    byId("h-impact").textContent = `Event ${event.index}: ${short(event.name)}`;
    const { detail } = event;
    const head = element("p", {}, `At ${show(event.time)} s`);
    if (!detail) {
      place.replaceChildren(head, element("p", {}, `The page keeps the details of the first events only: carom impact run.json --event ${event.index}`));
      return;
    }
    if (detail.law) head.append(`, by ${detail.law}`);
    if (detail.energy_change !== null) head.append(`; the energy changes by ${show(detail.energy_change)} J`);
    place.replaceChildren(head, ...parts(detail));
    drawPlane(detail.plane);
    hodograph.draw(detail.hodograph);
  };
  const mark = (event) => document.querySelectorAll("#events tr[data-event]").forEach((row) => {
    row.classList.toggle("chosen", Number(row.dataset.event) === event.index);
  });
  heard.event.push((event) => { draw(event); mark(event); });
  const redraw = () => {
    drawPlane(state.event?.detail?.plane);
    hodograph.draw(state.event?.detail?.hodograph);
  };
  heard.theme.push(redraw);
  heard.plotly.push(redraw);
  byId("events").addEventListener("click", ({ target }) => {
    const row = target.closest("tr[data-event]");
    const event = row && data.events.find((e) => e.index === Number(row.dataset.event));
    if (!event) return;
    pin();
    chooseEvent(event);
    setTime(event.time);
    byId("impact").scrollIntoView({ block: "nearest" });
  });
  return { draw };
})();
