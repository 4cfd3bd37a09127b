// The mechanism in motion: bodies at their recorded poses between samples; play, scrub, step.
// Impulses are drawn so long that the largest of the run takes a quarter of the picture.
const arrowsOf = (event) => (event.detail ? event.detail.arrows : []);
const largestImpulse = data.events.flatMap(arrowsOf).reduce((most, { impulse }) => Math.max(most, Math.hypot(...impulse)), 1e-300);

const motion = (() => {
  const scene = data.scene;
  if (!scene) return null;
  byId("motion").hidden = false;

  // Points whose paths can be shown, up to the present instant.
  const MOST_SHOWN = 6;
  const traces = [];
  scene.bodies.forEach((body) => {
    const last = body.points.length - 1;
    const named = body.traced.map((point, k) => [point, body.traced.length > 1 ? `outline ${k + 1}` : "outline", body.outlines.length > 0]);
    if (!body.outlines.length) named.length = 0;
    body.points.forEach((point, k) => named.push([point, k === last ? "mass centre" : `joint ${k + 1}`, !body.outlines.length && k === last]));
    named.forEach(([point, name, isOn]) => {
      const box = element("input", { type: "checkbox" });
      box.checked = isOn && traces.filter((t) => t.box.checked).length < MOST_SHOWN;
      box.addEventListener("change", () => draw());
      byId("traces").append(element("label", {}, box, ` ${body.name}: ${name}`));
      traces.push({ body, point, box });
    });
  });
  const view = (scene.space === "space" ? spaceView : planeView)(scene, traces, () => draw());

  // Events whose arrows are seen: those at the instant, or passed a blink ago while playing.
  let isPlaying = false;
  const speed = () => Number(byId("speed").value);
  const near = (time) => {
    const back = isPlaying ? 0.25 * speed() : 0;
    return data.events.filter((event) => event.time <= time + 1e-12 && event.time >= time - back - 1e-12);
  };
  const draw = () => {
    const row = rowAt(state.time);
    const gap = data.time[Math.min(row + 1, data.time.length - 1)] - data.time[row];
    const share = gap > 0 ? Math.min((state.time - data.time[row]) / gap, 1) : 0;
    view.draw({ row, share, arrows: near(state.time).flatMap(arrowsOf) });
  };

  // The event shown is the last one passed, unless one was pressed a moment ago.
  const REST = 150; // ms between events shown while playing
  let shownAt = 0;
  const follow = () => {
    if (isPinned() || !data.events.length) return;
    const now = performance.now();
    if (isPlaying && now - shownAt < REST) return;
    const passed = data.events.filter((event) => event.time <= state.time + 1e-12);
    const last = passed[passed.length - 1] ?? data.events[0];
    if (last === state.event || last.time === state.event?.time) return;
    shownAt = now;
    chooseEvent(last);
  };

  // Play, scrub, step.
  const scrub = byId("scrub");
  scrub.max = data.end;
  let before = 0;
  const frame = (now) => {
    if (!isPlaying) return;
    setTime(state.time + (speed() * (now - before)) / 1000);
    before = now;
    if (state.time >= data.end) play(false);
    else requestAnimationFrame(frame);
  };
  const play = (on) => {
    if (on === isPlaying) return;
    isPlaying = on;
    byId("play").querySelector("path").setAttribute("d", on ? "M4 2h3v12H4zM9 2h3v12H9z" : "M4 2l10 6-10 6z");
    byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
    byId("impact").setAttribute("aria-live", on ? "off" : "polite");
    if (!on) {
      follow();
      return draw();
    }
    if (state.time >= data.end) setTime(0);
    before = performance.now();
    requestAnimationFrame(frame);
  };
  const step = (sense) => {
    play(false);
    const ahead = (event) => sense * (event.time - state.time) > 1e-9 * data.end;
    const list = data.events.filter(ahead);
    const found = sense > 0 ? list[0] : list[list.length - 1];
    pinnedUntil = 0;
    if (found) {
      chooseEvent(found);
      setTime(found.time);
    } else setTime(sense > 0 ? data.end : 0);
  };
  byId("play").addEventListener("click", () => play(!isPlaying));
  byId("next").addEventListener("click", () => step(1));
  byId("previous").addEventListener("click", () => step(-1));
  scrub.addEventListener("input", () => { play(false); setTime(Number(scrub.value)); });
  document.addEventListener("keydown", (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey || key.shiftKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(key.target.tagName) && key.target.type !== "checkbox") return;
    if (key.key === " " && !/^(BUTTON|SUMMARY|INPUT)$/.test(key.target.tagName)) play(!isPlaying);
    else if (key.key === "ArrowRight") step(1);
    else if (key.key === "ArrowLeft") step(-1);
    else return;
    key.preventDefault();
  });
  heard.time.push((time) => {
    scrub.value = time;
    byId("clock").textContent = `${time.toFixed(4)} s`;
    scrub.setAttribute("aria-valuetext", `${time.toFixed(4)} seconds`);
    draw();
    follow();
  });
  heard.theme.push(() => draw());
  new ResizeObserver(() => draw()).observe(view.stage);
  return { play, isPlaying: () => isPlaying };
})();
