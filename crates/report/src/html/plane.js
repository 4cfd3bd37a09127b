// The mechanism in the plane, as a drawing of lines.
const planeView = (scene, traces) => {
  const stage = drawn("svg", { id: "stage", role: "img", "aria-label": "The mechanism at the time shown" });
  byId("view").append(stage);

  // Corners of an outline in its body, for the size of the picture.
  const corners = (outline) => {
    if (outline.polygon) return outline.polygon.corners;
    if (!outline.round) return [];
    const { from, to, radius } = outline.round;
    return [from, to].flatMap(([x, y]) => [[x - radius, y], [x + radius, y], [x, y - radius], [x, y + radius]]);
  };
  const placed = ([x, y, angle], [px, py]) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return [x + c * px - s * py, y + s * px + c * py];
  };
  // Everything that is ever seen, and some room.
  const bounds = (() => {
    const box = [Infinity, -Infinity, Infinity, -Infinity];
    const see = ([x, y]) => {
      box[0] = Math.min(box[0], x); box[1] = Math.max(box[1], x);
      box[2] = Math.min(box[2], y); box[3] = Math.max(box[3], y);
    };
    for (const body of scene.bodies) {
      const points = body.outlines.flatMap(corners).concat(body.points, [[0, 0]].slice(body.points.length ? 1 : 0));
      for (let row = 0; row < data.time.length; row++) {
        const pose = body.pose.map((column) => column[row]);
        for (const point of points) see(placed(pose, point));
      }
    }
    scene.world.outlines.flatMap(corners).forEach(see);
    scene.world.points.forEach(see);
    const size = Math.max(box[1] - box[0], box[3] - box[2], 1e-9);
    // A floor or wall near the motion is in the picture.
    for (const { half_space } of scene.world.outlines) {
      if (!half_space) continue;
      const { point, normal } = half_space;
      const middle = [(box[0] + box[1]) / 2, (box[2] + box[3]) / 2];
      const height = (middle[0] - point[0]) * normal[0] + (middle[1] - point[1]) * normal[1];
      if (Math.abs(height) < 1.5 * size) see([middle[0] - height * normal[0], middle[1] - height * normal[1]]);
    }
    const room = 0.06 * size;
    return [box[0] - room, box[1] + room, box[2] - room, box[3] + room];
  })();
  const span = Math.max(bounds[1] - bounds[0], bounds[3] - bounds[2]);

  const world = drawn("g");
  const still = drawn("g", { class: "still", "vector-effect": "non-scaling-stroke" });
  const paths = drawn("g");
  const moving = drawn("g");
  const pins = drawn("g");
  const over = drawn("g");
  world.append(still, paths, moving, pins);
  stage.append(world, over);
  const fixed = { "vector-effect": "non-scaling-stroke" };
  let scale = 1;
  let origin = [0, 0];
  const onPaper = ([x, y]) => [origin[0] + scale * x, origin[1] - scale * y];

  const pathOf = (outline) => {
    if (outline.polygon) return `M${outline.polygon.corners.map((p) => p.join()).join("L")}Z`;
    if (outline.round) {
      const { from, to, radius } = outline.round;
      const along = Math.atan2(to[1] - from[1], to[0] - from[0]) + Math.PI / 2;
      const [dx, dy] = [radius * Math.cos(along), radius * Math.sin(along)];
      const arc = (x, y) => `A${radius} ${radius} 0 0 1 ${x} ${y}`;
      return `M${to[0] - dx} ${to[1] - dy}${arc(to[0] + dx, to[1] + dy)}L${from[0] + dx} ${from[1] + dy}${arc(from[0] - dx, from[1] - dy)}Z`;
    }
    const { point, normal } = outline.half_space;
    const [nx, ny] = normal.map((n) => 40 * span * n);
    const edge = [[point[0] - ny, point[1] + nx], [point[0] + ny, point[1] - nx]];
    const deep = edge.map(([x, y]) => [x - nx, y - ny]);
    return `M${edge[0]}L${edge[1]}L${deep[1]}L${deep[0]}Z`;
  };
  const isPoint = (outline) => outline.round && outline.round.radius === 0
    && outline.round.from.every((x, k) => x === outline.round.to[k]);
  const line = (a, b, kind) => drawn("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: kind, ...fixed });
  const dot = ([cx, cy], kind) => drawn("circle", { cx, cy, r: 1, class: kind, ...fixed });
  const dots = [];
  const addDot = (group, point, kind, pixels) => {
    const made = dot(point, kind);
    dots.push([made, pixels]);
    group.append(made);
  };

  scene.world.outlines.forEach((outline) => still.append(drawn("path", { d: pathOf(outline), class: "ground", ...fixed })));
  scene.world.points.forEach((point) => addDot(pins, point, "pin", 5));
  const groups = scene.bodies.map((body) => {
    const group = drawn("g");
    const name = drawn("title");
    name.textContent = body.name;
    group.append(name);
    body.bars.forEach(([a, b]) => group.append(line(a, b, "bar")));
    body.outlines.forEach((outline) => {
      if (isPoint(outline)) addDot(group, outline.round.from, "pin", 4);
      else group.append(drawn("path", { d: pathOf(outline), class: "body", ...fixed }));
    });
    const last = body.points.length - 1;
    body.points.forEach((point, k) => addDot(group, point, k === last ? "centre" : "pin", k === last ? 3 : 4));
    if (!body.outlines.length && !body.points.length) addDot(group, [0, 0], "pin", 5);
    moving.append(group);
    return group;
  });


  traces.forEach((trace) => {
    trace.curve = drawn("polyline", { class: "trace", ...fixed });
    trace.corners = null;
    paths.append(trace.curve);
  });
  const cornersOf = (trace) => {
    trace.corners ??= data.time.map((_, row) => placed(trace.body.pose.map((c) => c[row]), trace.point).map((x) => Number(x.toPrecision(6))).join());
    return trace.corners;
  };

  const arrow = (from, to) => {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy);
    if (!(length > 0.5)) return;
    const [ux, uy] = [dx / length, dy / length];
    const head = Math.min(9, length);
    const [bx, by] = [to[0] - head * ux, to[1] - head * uy];
    over.append(drawn("line", { x1: from[0], y1: from[1], x2: bx, y2: by, class: "arrow" }));
    over.append(drawn("polygon", { class: "arrow", points: [to, [bx - 0.45 * head * uy, by + 0.45 * head * ux], [bx + 0.45 * head * uy, by - 0.45 * head * ux]].map((p) => p.join()).join(" ") }));
  };
  const drawArrows = (shown, pixels) => {
    for (const { at, impulse, both } of shown) {
      const from = onPaper(at);
      const long = pixels / largestImpulse;
      const by = [long * impulse[0], -long * impulse[1]];
      arrow(from, [from[0] + by[0], from[1] + by[1]]);
      if (both) arrow(from, [from[0] - by[0], from[1] - by[1]]);
    }
  };
  const drawRule = (height) => {
    const raw = 90 / scale;
    const power = 10 ** Math.floor(Math.log10(raw));
    const metres = [5, 2, 1].find((m) => m * power <= raw) * power;
    const y = height - 12;
    over.append(drawn("path", { class: "rule", d: `M12 ${y - 4}V${y}H${12 + metres * scale}V${y - 4}` }));
    const text = drawn("text", { x: 16, y: y - 5 });
    text.textContent = `${show(metres, 3)} m`;
    over.append(text);
  };

  const poseAt = (body, row, share) => body.pose.map((column) => {
    const [a, b] = [column[row], column[Math.min(row + 1, column.length - 1)]];
    return a + share * (b - a);
  });
  const draw = ({ row, share, arrows }) => {
    const { width, height } = stage.getBoundingClientRect();
    if (!width) return;
    stage.setAttribute("viewBox", `0 0 ${width} ${height}`); // printed at another width
    scale = Math.min(width / (bounds[1] - bounds[0]), height / (bounds[3] - bounds[2]));
    origin = [width / 2 - (scale * (bounds[0] + bounds[1])) / 2, height / 2 + (scale * (bounds[2] + bounds[3])) / 2];
    world.setAttribute("transform", `matrix(${scale} 0 0 ${-scale} ${origin[0]} ${origin[1]})`);
    dots.forEach(([made, pixels]) => made.setAttribute("r", pixels / scale));
    scene.bodies.forEach((body, k) => {
      const [x, y, angle] = poseAt(body, row, share);
      groups[k].setAttribute("transform", `translate(${x} ${y}) rotate(${(angle * 180) / Math.PI})`);
    });
    traces.forEach((trace, k) => {
      trace.curve.setAttribute("stroke", colour(k));
      trace.curve.style.display = trace.box.checked ? "" : "none";
      if (!trace.box.checked) return;
      const here = placed(poseAt(trace.body, row, share), trace.point).join();
      trace.curve.setAttribute("points", `${cornersOf(trace).slice(0, row + 1).join(" ")} ${here}`);
    });
    over.replaceChildren();
    drawArrows(arrows, 0.25 * Math.min(width, height));
    drawRule(height);
  };
  return { stage, draw };
};
