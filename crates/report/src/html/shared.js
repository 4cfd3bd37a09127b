// The numbers of the page, and small helpers. Nothing here computes physics.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// What the parts of the page tell each other: time moved, event chosen, colours changed, Plotly read.
const heard = { time: [], event: [], theme: [], plotly: [] };
const tell = (what, value) => heard[what].forEach((listener) => listener(value));
const state = { time: 0, event: null };
// An event that is pressed stays for a while; then the panel follows the time.
const PINNED = 4000; // ms
let pinnedUntil = 0;
const pin = () => { pinnedUntil = performance.now() + PINNED; };
const isPinned = () => performance.now() < pinnedUntil;

const setTime = (time) => {
  state.time = Math.min(Math.max(time, 0), data.end);
  tell("time", state.time);
};
const chooseEvent = (event) => {
  state.event = event;
  tell("event", event);
};

// A number with so many significant digits and no trailing zeros.
const show = (x, digits = 10) => {
  if (x === null || x === undefined) return "–";
  if (Array.isArray(x)) return x.map((one) => show(one, digits)).join(", "); // along t1, t2 in space
  if (x === 0) return "0";
  let text = x.toPrecision(digits);
  const [mantissa, power] = text.split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  text = power === undefined ? short : `${short}e${Number(power)}`;
  return text.replace(/-/g, "−");
};

// An element with attributes and children; a text is never read as markup.
const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const drawn = (name, attributes = {}) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// A name for Plotly, which reads tags in its texts.
const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/[\u0000-\u001f]/g, " ");
const short = (text) => (text.length > 28 ? `${text.slice(0, 27)}…` : text);

// Colours that stay apart for colour-blind readers (Okabe and Ito), on light and on dark paper.
const palettes = {
  light: ["#0072b2", "#d55e00", "#009e73", "#aa4499", "#e69f00", "#3a9ad9", "#6b6b6b", "#000000"],
  dark: ["#56b4e9", "#ff9d57", "#2fcf9f", "#e07fd0", "#f0c04a", "#9ad1f5", "#b0b0b0", "#ffffff"],
};
const theme = () => document.documentElement.dataset.theme;
const colour = (k) => palettes[theme()][k % 8];
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// The last row whose instant is not after the time.
const rowAt = (time) => {
  let [low, high] = [0, data.time.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (data.time[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
};
