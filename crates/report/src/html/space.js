// The mechanism in space: a view that is turned by hand, faces sorted from far to near.
const spaceView = (scene, traces, redraw) => {
  const { plus, minus, times, dot, cross, unit } = vectors;
  const stage = element("canvas", { id: "stage", role: "img", tabindex: "0", "aria-label": "The mechanism at the time shown; drag to turn it" });
  byId("view").append(stage);
  byId("turning").hidden = false;
  const pen = stage.getContext("2d");
  const look = { ...FIRST_LOOK };

  // A circle about an axis, in the frame of its body.
  const RING = 48;
  const across = (axis) => {
    const e1 = unit(Math.abs(axis[2]) < 0.9 ? cross([0, 0, 1], axis) : cross(axis, [0, 1, 0]));
    return [e1, cross(axis, e1)];
  };
  const ring = (center, axis, radius) => {
    const [e1, e2] = across(axis);
    return Array.from({ length: RING }, (_, k) => {
      const turn = (2 * Math.PI * k) / RING;
      return plus(center, plus(times(e1, radius * Math.cos(turn)), times(e2, radius * Math.sin(turn))));
    });
  };
  const rims = ({ center, axis, radius, length }) => (length ? [-0.5, 0.5] : [0]).map((part) => ring(plus(center, times(axis, part * length)), axis, radius));
  // A point of an ellipsoid, given where all semi-axes are one, and the other way round.
  const onEllipsoid = ({ center, semi_axes }, u) => semi_axes.reduce((p, a, k) => plus(p, times(a, u[k])), center);
  const unstretched = ({ center, semi_axes }, p) => semi_axes.map((a) => dot(minus(p, center), a) / dot(a, a));
  const CELL = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z]))).filter((u) => u.some((x) => x)).map(unit);
  // Corners of an outline in its body, for the size of the picture.
  const cornersOf = (outline) => {
    if (outline.polyhedron) return outline.polyhedron.corners;
    if (outline.cylinder) return rims(outline.cylinder).flat();
    if (outline.ellipsoid) return CELL.map((u) => onEllipsoid(outline.ellipsoid, u));
    if (outline.bowl) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]].flatMap((e) => [1, -1].map((sense) => plus(outline.bowl.center, times(e, sense * outline.bowl.radius))));
    if (!outline.round) return [];
    const { from, to, radius } = outline.round;
    return [from, to].flatMap((p) => [0, 1, 2].flatMap((k) => [radius, -radius].map((r) => p.map((x, j) => (j === k ? x + r : x)))));
  };
  const bounds = (() => {
    const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    const see = (p) => p.forEach((x, k) => { low[k] = Math.min(low[k], x); high[k] = Math.max(high[k], x); });
    const every = Math.max(1, Math.floor(data.time.length / 400));
    for (const body of scene.bodies) {
      const points = body.outlines.flatMap(cornersOf).concat(body.points);
      if (!points.length) points.push([0, 0, 0]);
      for (let row = 0; row < data.time.length; row += every) {
        const pose = body.pose.map((column) => column[row]);
        points.forEach((point) => see(placedIn(pose, point)));
      }
    }
    scene.world.outlines.flatMap(cornersOf).forEach(see);
    scene.world.points.forEach(see);
    // What never leaves a point has a picture of some size.
    if (!(Math.hypot(...minus(high, low)) > 1e-6)) [low, high].slice().forEach((p, side) => p.forEach((_, k) => { p[k] += side ? 0.1 : -0.1; }));
    const size = Math.max(Math.hypot(...minus(high, low)), 1e-9);
    const middle = times(plus(low, high), 0.5);
    // A floor or wall near the motion is in the picture.
    for (const { half_space } of scene.world.outlines) {
      if (!half_space) continue;
      const height = dot(minus(middle, half_space.point), half_space.normal);
      if (Math.abs(height) < size) see(minus(middle, times(half_space.normal, height)));
    }
    for (const { tube } of scene.world.outlines) {
      if (tube) ring(plus(tube.center, times(tube.axis, dot(minus(middle, tube.center), tube.axis))), tube.axis, tube.radius).forEach(see);
    }
    const radius = Math.max(Math.hypot(...minus(high, low)) / 2, 1e-9);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((j) => ((k >> j) & 1 ? high : low)[j]));
    return { low, high, corners, middle: times(plus(low, high), 0.5), radius };
  })();

  // Paper coordinates: the box of the motion fits the stage from where one looks first.
  let camera = cameraOf(look, bounds.middle, bounds.radius);
  const first = bounds.corners.map(camera.project);
  const reach = (key) => [Math.min(...first.map((p) => p[key])), Math.max(...first.map((p) => p[key]))];
  const [sideways, upward] = [reach("u"), reach("v")];
  let [width, height, scale] = [0, 0, 1];
  const onPaper = (p) => {
    const { u, v, w, near } = camera.project(p);
    const x = width / 2 + scale * (u - (sideways[0] + sideways[1]) / 2);
    return { x, y: height / 2 - scale * (v - (upward[0] + upward[1]) / 2), w, near };
  };

  // Colours: bodies a little apart, brighter where the light falls.
  const rgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
  const mix = (a, b, share) => a.map((x, k) => x + share * (b[k] - x));
  const paint = (tone, alpha = 1) => `rgba(${tone.map(Math.round).join()},${alpha})`;
  const tones = (k) => {
    const isDark = theme() === "dark";
    const tint = rgb(colour(k));
    return { shade: mix(rgb(isDark ? "#20262b" : "#8d98a3"), tint, 0.28), light: mix(rgb(isDark ? "#7d8a95" : "#f6f8fa"), tint, 0.12) };
  };
  const still = () => ({ shade: rgb(css("--ground")), light: rgb(css("--fill")) });
  const LIGHT = unit([-0.35, 0.75, 0.6]); // right, up, toward the eye
  const brightness = (normal) => 0.25 + 0.75 * Math.max(0, dot(camera.axes.map((axis) => dot(axis, normal)), LIGHT));

  // What is drawn, each with its depth.
  let items = [];
  const add = (w, draw) => items.push({ w, draw });
  const trail = (points, close = false) => {
    pen.beginPath();
    points.forEach(({ x, y }, k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    if (close) pen.closePath();
  };
  const stroke = (tone, thick) => { pen.strokeStyle = tone; pen.lineWidth = thick; pen.stroke(); };

  const addSolid = ({ corners, faces }, pose, tone) => {
    const world = corners.map((p) => placedIn(pose, p));
    const paper = world.map(onPaper);
    for (const face of faces) {
      const [a, b, c] = face.map((k) => world[k]);
      const normal = unit(cross(minus(b, a), minus(c, a)));
      if (dot(normal, minus(camera.eye, a)) <= 0) continue; // seen from behind
      const depth = face.reduce((sum, k) => sum + paper[k].w, 0) / face.length;
      add(depth, () => {
        trail(face.map((k) => paper[k]), true);
        pen.fillStyle = paint(mix(tone.shade, tone.light, brightness(normal)));
        pen.fill();
        stroke(css("--ink"), 1);
      });
    }
  };
  const addRound = ({ from, to, radius }, pose, tone) => {
    const ends = [from, to].map((p) => onPaper(placedIn(pose, p)));
    const sizes = ends.map(({ near }) => Math.max(radius * scale * near, radius ? 1 : 4));
    add((ends[0].w + ends[1].w) / 2, () => {
      const [a, b] = ends;
      const along = Math.atan2(b.y - a.y, b.x - a.x);
      pen.beginPath();
      pen.arc(b.x, b.y, sizes[1], along - Math.PI / 2, along + Math.PI / 2);
      pen.arc(a.x, a.y, sizes[0], along + Math.PI / 2, along - Math.PI / 2);
      pen.closePath();
      const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
      const size = Math.max(sizes[0], sizes[1]) + Math.hypot(b.x - a.x, b.y - a.y) / 2;
      const fill = pen.createRadialGradient(x - 0.35 * size, y - 0.45 * size, 0.1 * size, x, y, 1.15 * size);
      fill.addColorStop(0, paint(tone.light));
      fill.addColorStop(1, paint(tone.shade));
      pen.fillStyle = fill;
      pen.fill();
      stroke(css("--ink"), 1);
    });
    if (radius > 0 && String(from) === String(to)) addEquator(from, radius, pose);
  };
  // A cylinder or disk: its outline, the cap that is seen, and two spokes on it that show its turning.
  const addCylinder = (cylinder, pose, tone) => {
    const axis = turned(pose, cylinder.axis);
    const caps = rims(cylinder).map((rim) => rim.map((p) => placedIn(pose, p)));
    const centers = caps.map((rim) => times(rim.reduce(plus), 1 / rim.length));
    const paper = caps.map((rim) => rim.map(onPaper));
    const isSeen = (k) => !cylinder.length || dot(times(axis, k ? 1 : -1), minus(camera.eye, centers[k])) > 0;
    const toEye = minus(camera.eye, placedIn(pose, cylinder.center));
    const side = unit(minus(toEye, times(axis, dot(axis, toEye))));
    const fill = (points, normal) => {
      trail(points, true);
      pen.fillStyle = paint(mix(tone.shade, tone.light, brightness(normal)));
      pen.fill();
      stroke(css("--ink"), 1);
    };
    add(onPaper(placedIn(pose, cylinder.center)).w, () => {
      if (cylinder.length) fill(hull(paper.flat()), side);
      paper.forEach((rim, k) => {
        if (!isSeen(k)) return;
        const outward = times(axis, dot(axis, minus(camera.eye, centers[k])) > 0 ? 1 : -1);
        fill(rim, outward);
        [0, RING / 4].forEach((j) => { trail([onPaper(centers[k]), rim[j]]); stroke(css("--soft"), 1); });
      });
    });
  };
  // An ellipsoid: its outline, and the lines on it where two semi-axes meet, so that its turning is seen.
  const addEllipsoid = (ellipsoid, pose, tone) => {
    const inverse = [0, 0, 0, pose[3], -pose[4], -pose[5], -pose[6]];
    const eye = unstretched(ellipsoid, turned(inverse, minus(camera.eye, pose.slice(0, 3))));
    const far = dot(eye, eye);
    if (!(far > 1)) return;
    const paper = (u) => onPaper(placedIn(pose, onEllipsoid(ellipsoid, u)));
    const rim = ring(times(eye, 1 / far), unit(eye), Math.sqrt(1 - 1 / far)).map(paper);
    const lines = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => [...ring([0, 0, 0], axis, 1), ring([0, 0, 0], axis, 1)[0]].map((u) => ({ ...paper(u), isSeen: dot(u, eye) > 1 })));
    const middle = paper([0, 0, 0]);
    add(middle.w, () => {
      const size = Math.max(...rim.map((p) => Math.hypot(p.x - middle.x, p.y - middle.y)));
      const fill = pen.createRadialGradient(middle.x - 0.25 * size, middle.y - 0.3 * size, 0.1 * size, middle.x, middle.y, 1.15 * size);
      fill.addColorStop(0, paint(tone.light));
      fill.addColorStop(1, paint(tone.shade));
      trail(rim, true);
      pen.fillStyle = fill;
      pen.fill();
      stroke(css("--ink"), 1);
      lines.forEach(strokeSeen);
    });
  };
  const strokeSeen = (points) => {
    pen.beginPath();
    points.slice(1).forEach((p, k) => {
      if (!p.isSeen || !points[k].isSeen) return;
      pen.moveTo(points[k].x, points[k].y);
      pen.lineTo(p.x, p.y);
    });
    stroke(css("--soft"), 1);
  };
  // Circles on a ball, so that its turning is seen.
  const addEquator = (centre, radius, pose) => {
    const circle = (e1, e2) => Array.from({ length: 49 }, (_, k) => {
      const turn = (2 * Math.PI * k) / 48;
      const out = turned(pose, plus(times(e1, Math.cos(turn)), times(e2, Math.sin(turn))));
      const p = plus(placedIn(pose, centre), times(out, radius));
      return { ...onPaper(p), isSeen: dot(out, minus(camera.eye, p)) > 0 };
    });
    const middle = onPaper(placedIn(pose, centre));
    for (const [e1, e2] of [[[1, 0, 0], [0, 1, 0]], [[0, 0, 1], [1, 0, 0]]]) {
      const points = circle(e1, e2);
      add(middle.w + 1e-6 * bounds.radius, () => strokeSeen(points));
    }
  };
  const PIECES = 8;
  const addBar = (from, to, pose) => {
    const at = (k) => onPaper(placedIn(pose, plus(times(from, 1 - k / PIECES), times(to, k / PIECES))));
    for (let k = 0; k < PIECES; k++) {
      const ends = [at(k), at(k + 1)];
      add((ends[0].w + ends[1].w) / 2, () => { pen.lineCap = "round"; trail(ends); stroke(css("--ink"), 3.5); pen.lineCap = "butt"; });
    }
  };
  // The axes of a body without a shape: its turning is seen.
  const addTriad = (centre, pose) => [0.3, 0.22, 0.15].forEach((part, k) => {
    const end = centre.map((x, j) => (j === k ? x + part * bounds.radius : x));
    const ends = [centre, end].map((p) => onPaper(placedIn(pose, p)));
    add((ends[0].w + ends[1].w) / 2, () => {
      trail(ends);
      stroke(colour(k), 2.6);
      pen.fillStyle = colour(k);
      pen.textAlign = "center";
      pen.fillText("xyz"[k], ends[1].x + 0.12 * (ends[1].x - ends[0].x), ends[1].y + 0.12 * (ends[1].y - ends[0].y) + 4);
    });
  });
  const addDot = (point, pose, pixels, fill) => {
    const { x, y, w } = onPaper(placedIn(pose, point));
    add(w + 0.02 * bounds.radius, () => {
      pen.beginPath();
      pen.arc(x, y, pixels, 0, 2 * Math.PI);
      pen.fillStyle = css(fill);
      pen.fill();
      stroke(css("--ink"), 1.2);
    });
  };

  // A half-space is a grid below (or before) everything.
  const roundStep = (length) => {
    const power = 10 ** Math.floor(Math.log10(length));
    return [5, 2, 1].find((m) => m * power <= length) * power;
  };
  const grid = ({ point, normal }, pose) => {
    const n = turned(pose, normal);
    const base = placedIn(pose, point);
    const e1 = unit(Math.abs(n[2]) < 0.9 ? cross([0, 0, 1], n) : minus([1, 0, 0], times(n, n[0])));
    const e2 = cross(n, e1);
    const foot = minus(bounds.middle, times(n, dot(minus(bounds.middle, base), n)));
    const step = roundStep(bounds.radius / 2.5);
    const count = Math.ceil((1.5 * bounds.radius) / step);
    const origin = [e1, e2].map((axis) => Math.round(dot(minus(foot, base), axis) / step) * step);
    const at = (i, j) => plus(base, plus(times(e1, origin[0] + i * step), times(e2, origin[1] + j * step)));
    return { n, base, at, count, isAbove: dot(n, minus(camera.eye, base)) > 0 };
  };
  // The part of a convex patch, or of a segment, outside the other half-spaces: walls end where they meet.
  const cutBy = (points, { n, base }) => points.flatMap((p, k) => {
    const q = points[(k + 1) % points.length];
    const [a, b] = [p, q].map((one) => dot(minus(one, base), n));
    const crossing = (a > 0 && b < 0) || (a < 0 && b > 0) ? [plus(p, times(minus(q, p), a / (a - b)))] : [];
    return a >= 0 ? [p, ...crossing] : crossing;
  });
  const drawGrid = (own, grids) => {
    const { at, count, isAbove } = own;
    const others = grids.filter((g) => g !== own && Math.abs(dot(g.n, own.n)) < 0.999);
    const part = (points) => others.reduce(cutBy, points);
    const corners = part([[-count, -count], [count, -count], [count, count], [-count, count]].map(([i, j]) => at(i, j)));
    trail(corners.map(onPaper), true);
    // A wall before the eye is a mere veil.
    pen.fillStyle = paint(rgb(css("--ground")), isAbove ? 0.35 : 0.12);
    pen.fill();
    const line = paint(rgb(css("--ground")), isAbove ? 1 : 0.45);
    for (let k = -count; k <= count; k++) {
      for (const ends of [[at(k, -count), at(k, count)], [at(-count, k), at(count, k)]]) {
        trail(part(ends).map(onPaper));
        stroke(line, 1);
      }
    }
  };
  // A hollow is a net of circles and lines behind everything.
  const drawHollow = ({ bowl, tube }, pose) => {
    const line = paint(rgb(css("--ground")), 1);
    const draw = (points, close) => { trail(points.map((p) => onPaper(placedIn(pose, p))), close); stroke(line, 1); };
    if (bowl) {
      [-0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75].forEach((part) => draw(ring(plus(bowl.center, [0, 0, part * bowl.radius]), [0, 0, 1], bowl.radius * Math.sqrt(1 - part * part)), true));
      for (let k = 0; k < 4; k++) draw(ring(bowl.center, [Math.cos((k * Math.PI) / 4), Math.sin((k * Math.PI) / 4), 0], bowl.radius), true);
      return;
    }
    const axis = turned(pose, tube.axis);
    const foot = dot(minus(bounds.middle, placedIn(pose, tube.center)), axis);
    const at = (part) => plus(tube.center, times(tube.axis, foot + part * bounds.radius));
    const parts = [-1, -0.5, 0, 0.5, 1];
    parts.forEach((part) => draw(ring(at(part), tube.axis, tube.radius), true));
    const [low, high] = [at(-1), at(1)].map((center) => ring(center, tube.axis, tube.radius));
    for (let k = 0; k < RING; k += RING / 12) draw([low[k], high[k]], false);
  };
  // The shadow of a body straight onto a plane: how high it is can be seen.
  const hull = (points) => {
    const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
    const chain = (list) => list.reduce((out, p) => {
      const turns = () => {
        const [a, b] = out.slice(-2);
        return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) <= 0;
      };
      while (out.length > 1 && turns()) out.pop();
      out.push(p);
      return out;
    }, []);
    return [...chain(sorted).slice(0, -1), ...chain(sorted.reverse()).slice(0, -1)];
  };
  const sphere = Array.from({ length: 32 }, (_, k) => [Math.cos((k * Math.PI) / 16), Math.sin((k * Math.PI) / 16)]);
  // The points of an ellipsoid that are farthest along directions across a normal.
  const shadowOf = (ellipsoid, [e1, e2], pose) => sphere.map(([c, s]) => {
    const along = plus(times(e1, c), times(e2, s));
    return placedIn(pose, onEllipsoid(ellipsoid, unit(ellipsoid.semi_axes.map((a) => dot(turned(pose, a), along)))));
  });
  const drawShadow = ({ n, base }, outline, pose) => {
    const e1 = unit(Math.abs(n[2]) < 0.9 ? cross([0, 0, 1], n) : cross([0, 1, 0], n));
    const e2 = cross(n, e1);
    const points = outline.ellipsoid ? shadowOf(outline.ellipsoid, [e1, e2], pose)
      : outline.polyhedron || outline.cylinder ? cornersOf(outline).map((p) => placedIn(pose, p))
      : [outline.round.from, outline.round.to].map((p) => placedIn(pose, p))
        .flatMap((p) => sphere.map(([c, s]) => plus(p, times(plus(times(e1, c), times(e2, s)), outline.round.radius))));
    const flat = points.map((p) => onPaper(minus(p, times(n, dot(minus(p, base), n)))));
    trail(hull(flat), true);
    pen.fillStyle = "rgba(0,0,0,.16)";
    pen.fill();
  };

  const addBody = (body, pose, tone) => {
    for (const outline of body.outlines) {
      if (outline.polyhedron) addSolid(outline.polyhedron, pose, tone);
      else if (outline.round) addRound(outline.round, pose, tone);
      else if (outline.cylinder) addCylinder(outline.cylinder, pose, tone);
      else if (outline.ellipsoid) addEllipsoid(outline.ellipsoid, pose, tone);
    }
    if (body.bars && !body.outlines.length) addTriad(body.points[body.points.length - 1] ?? [0, 0, 0], pose);
    (body.bars ?? []).forEach(([a, b]) => addBar(a, b, pose));
    if (body.outlines.length && body.points.length < 2) return; // a lone mass centre inside its body
    const last = body.bars ? body.points.length - 1 : -1;
    body.points.forEach((point, k) => addDot(point, pose, k === last ? 2.5 : 4, k === last ? "--soft" : "--card"));
    if (!body.outlines.length && !body.points.length) addDot([0, 0, 0], pose, 5, "--card");
  };
  const CHUNK = 24;
  const addTrace = (trace, k, row, here) => {
    trace.way ??= data.time.map((_, j) => placedIn(trace.body.pose.map((c) => c[j]), trace.point));
    const points = [...trace.way.slice(0, row + 1), placedIn(here, trace.point)].map(onPaper);
    for (let j = 0; j + 1 < points.length; j += CHUNK) {
      const part = points.slice(j, j + CHUNK + 1);
      add(part.reduce((sum, p) => sum + p.w, 0) / part.length, () => { trail(part); stroke(colour(k), 1.5); });
    }
  };

  const arrow = (from, to) => {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (!(length > 0.5)) return;
    const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
    const head = Math.min(9, length);
    const [bx, by] = [to.x - head * ux, to.y - head * uy];
    trail([from, { x: bx, y: by }]);
    stroke(css("--warm"), 2.4);
    trail([to, { x: bx - 0.45 * head * uy, y: by + 0.45 * head * ux }, { x: bx + 0.45 * head * uy, y: by - 0.45 * head * ux }], true);
    pen.fillStyle = css("--warm");
    pen.fill();
  };
  const drawArrows = (arrows, metres) => arrows.forEach(({ at, impulse, both }) => {
    const by = times(impulse, metres / largestImpulse);
    arrow(onPaper(at), onPaper(plus(at, by)));
    if (both) arrow(onPaper(at), onPaper(minus(at, by)));
  });
  const drawRule = () => {
    const metres = roundStep(90 / scale);
    const y = height - 12;
    pen.beginPath();
    pen.moveTo(12, y - 4);
    [[12, y], [12 + metres * scale, y], [12 + metres * scale, y - 4]].forEach(([px, py]) => pen.lineTo(px, py));
    stroke(css("--soft"), 1.5);
    pen.fillStyle = css("--soft");
    pen.textAlign = "left";
    pen.fillText(`${show(metres, 3)} m`, 16, y - 8);
  };
  const drawAxes = () => {
    const [x0, y0, long] = [width - 40, height - 34, 22];
    pen.textAlign = "center";
    [0, 1, 2].forEach((k) => {
      const [u, v] = camera.axes.map((axis) => axis[k]);
      trail([{ x: x0, y: y0 }, { x: x0 + long * u, y: y0 - long * v }]);
      stroke(css("--soft"), 1.5);
      pen.fillStyle = css("--soft");
      pen.fillText("xyz"[k], x0 + 1.4 * long * u, y0 - 1.4 * long * v + 4);
    });
  };

  const fit = () => {
    const box = stage.getBoundingClientRect();
    [width, height] = [box.width, box.height];
    const dense = window.devicePixelRatio || 1;
    const [w, h] = [width, height].map((x) => Math.round(x * dense));
    if (stage.width !== w || stage.height !== h) [stage.width, stage.height] = [w, h];
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    pen.lineJoin = "round";
    const room = 0.86;
    scale = room * look.zoom * Math.min(width / (sideways[1] - sideways[0]), height / (upward[1] - upward[0]));
  };
  const draw = ({ row, share, arrows }) => {
    fit();
    if (!width) return;
    camera = cameraOf(look, bounds.middle, bounds.radius);
    items = [];
    const poses = scene.bodies.map((body) => poseBetween(body.pose, row, share));
    const halves = (body, pose) => body.outlines.filter((o) => o.half_space).map((o) => grid(o.half_space, pose));
    const grids = [...halves(scene.world, standing), ...scene.bodies.flatMap((body, k) => halves(body, poses[k]))];
    [[scene.world, standing], ...scene.bodies.map((body, k) => [body, poses[k]])].forEach(([body, pose]) => body.outlines.filter((o) => o.bowl || o.tube).forEach((o) => drawHollow(o, pose)));
    addBody(scene.world, standing, still());
    scene.bodies.forEach((body, k) => addBody(body, poses[k], tones(k)));
    traces.forEach((trace, k) => {
      if (trace.box.checked) addTrace(trace, k, row, poses[scene.bodies.indexOf(trace.body)]);
    });
    grids.filter((g) => g.isAbove).forEach((g) => {
      drawGrid(g, grids);
      if (g.n[2] < 0.5) return; // a shadow falls on floors
      scene.bodies.forEach((body, k) => body.outlines.filter((o) => o.round || o.polyhedron || o.cylinder || o.ellipsoid).forEach((o) => drawShadow(g, o, poses[k])));
    });
    items.sort((a, b) => a.w - b.w).forEach((item) => item.draw());
    grids.filter((g) => !g.isAbove).forEach((g) => drawGrid(g, grids));
    drawArrows(arrows, 0.4 * bounds.radius);
    drawRule();
    drawAxes();
    stage.dataset.pose = poses.flat().map((x) => x.toFixed(6)).join();
    stage.dataset.arrows = arrows.length;
  };

  // Drag turns, wheel and pinch zoom.
  const LEVEL = Math.PI / 2 - 0.02;
  const turn = (dx, dy) => {
    look.azimuth -= dx;
    look.elevation = Math.min(Math.max(look.elevation + dy, -LEVEL), LEVEL);
    redraw();
  };
  const zoom = (factor) => { look.zoom = Math.min(Math.max(look.zoom * factor, 0.2), 20); redraw(); };
  const reset = () => { Object.assign(look, FIRST_LOOK); redraw(); };
  const fingers = new Map();
  const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
  stage.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    stage.setPointerCapture(event.pointerId);
  });
  stage.addEventListener("pointermove", (event) => {
    const old = fingers.get(event.pointerId);
    if (!old) return;
    const before = fingers.size === 2 ? spread() : 0;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 2 && before > 0) return zoom(spread() / before);
    const [dx, dy] = [event.clientX - old[0], event.clientY - old[1]];
    turn(dx * 0.01, dy * 0.01);
  });
  ["pointerup", "pointercancel"].forEach((name) => stage.addEventListener(name, (event) => fingers.delete(event.pointerId)));
  stage.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(-0.0015 * event.deltaY)); }, { passive: false });
  stage.addEventListener("dblclick", reset);
  stage.addEventListener("keydown", (key) => {
    const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
    if (key.shiftKey && turns[key.key]) turn(...turns[key.key]);
    else if (key.key === "+" || key.key === "=") zoom(1.2);
    else if (key.key === "-") zoom(1 / 1.2);
    else if (key.key === "Home") reset();
    else return;
    key.preventDefault();
    key.stopPropagation();
  });
  return { stage, draw, look };
};
