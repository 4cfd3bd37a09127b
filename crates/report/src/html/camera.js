// Vectors, turns and the eye in space.
const vectors = {
  plus: (a, b) => a.map((x, k) => x + b[k]),
  minus: (a, b) => a.map((x, k) => x - b[k]),
  times: (a, s) => a.map((x) => x * s),
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  unit: (a) => { const length = Math.hypot(...a) || 1; return a.map((x) => x / length); },
};

// Turning by a unit quaternion (w, x, y, z); a pose is x, y, z and such a quaternion.
const turned = (pose, p) => {
  const [w, ...u] = pose.slice(3);
  const t = vectors.times(vectors.cross(u, p), 2);
  return vectors.plus(vectors.plus(p, vectors.times(t, w)), vectors.cross(u, t));
};
const standing = [0, 0, 0, 1, 0, 0, 0];
const placedIn = (pose, p) => vectors.plus(turned(pose, p), pose);
const poseBetween = (columns, row, share) => {
  const next = Math.min(row + 1, columns[0].length - 1);
  const [a, b] = [row, next].map((k) => columns.map((column) => column[k]));
  const sense = a.slice(3).reduce((sum, x, k) => sum + x * b[k + 3], 0) < 0 ? -1 : 1; // q and −q are one turn
  const mixed = a.map((x, k) => x + share * ((k < 3 ? b[k] : sense * b[k]) - x));
  return [...mixed.slice(0, 3), ...vectors.unit(mixed.slice(3))];
};

// Looks at a middle from a direction, with a mild perspective; z is up.
const FIRST_LOOK = { azimuth: -1.05, elevation: 0.38, zoom: 1 };
const cameraOf = (look, middle, radius) => {
  const [ca, sa, ce, se] = [Math.cos(look.azimuth), Math.sin(look.azimuth), Math.cos(look.elevation), Math.sin(look.elevation)];
  const toward = [ce * ca, ce * sa, se];
  const axes = [[-sa, ca, 0], [-se * ca, -se * sa, ce], toward];
  const far = 5 * radius;
  const project = (p) => {
    const r = vectors.minus(p, middle);
    const [u, v, w] = axes.map((axis) => vectors.dot(r, axis));
    const near = far / Math.max(far - w, 0.05 * far);
    return { u: u * near, v: v * near, w, near };
  };
  return { axes, toward, project, eye: vectors.plus(middle, vectors.times(toward, far)) };
};
