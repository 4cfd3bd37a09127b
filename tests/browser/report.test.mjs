// Reports of runs, impacts and papers, opened offline in Chromium and used as a reader would.
//
// CAROM: the command; OUT: a folder for runs and screenshots; CHROMIUM: the browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const carom = process.env.CAROM ?? "carom";
const out = resolve(process.env.OUT ?? "target/browser");
const MOST_BYTES = 10e6;

let browser;
before(async () => {
  mkdirSync(out, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--no-first-run"],
  });
});
after(() => browser?.close());

/// Runs a scenario into a folder of its own; the folder.
const run = (name, ...input) => {
  const folder = join(out, name);
  rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync(carom, ["run", ...input, "-o", folder, "--figures", "none", "--quiet"]);
  } catch (error) {
    if (error.status !== 1) throw error; // 1: the physics ended early
  }
  return folder;
};

/// The report of a run once what is seen of it is drawn, and when that was (s).
const open = async (folder, options = {}) => {
  const shown = await openPage(join(folder, "report.html"), options);
  const { page } = shown;
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  const times = await page.evaluate(() => {
    const { usable, ready } = document.documentElement.dataset;
    return { usable: usable / 1000, ready: ready / 1000 };
  });
  return { ...shown, ...times };
};

/// Waits until every plot is drawn.
const complete = (page) => page.waitForFunction(() => document.documentElement.dataset.complete);

/// A page, and what it complained about or asked the network for.
const openPage = async (file, options = {}) => {
  const context = await browser.newContext({ offline: true, viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  return { page, complaints, close: () => context.close() };
};

/// A cell shows ten significant digits of a number of run.json.
const assertShows = (text, expected) => {
  const value = Number(text.trim().replace(/−/g, "-"));
  assert.equal(value, Number(expected.toPrecision(10)), `${text} is not ${expected}`);
};

test("the report of the rough pendulum opens offline, quickly and without complaint", async () => {
  const folder = run("pendulum", "--example", "pendulum-rough");
  assert.ok(statSync(join(folder, "report.html")).size < MOST_BYTES);
  // The best of three: the machine has other work.
  const times = [];
  for (let k = 0; k < 3; k++) {
    const { usable, ready, close } = await open(folder);
    times.push([usable, ready]);
    await close();
  }
  const [first, drawn] = [0, 1].map((k) => Math.min(...times.map((pair) => pair[k])));
  const { page, complaints, close } = await open(folder);
  await complete(page);
  const all = await page.evaluate(() => document.documentElement.dataset.complete / 1000);
  console.log(`motion and numbers after ${first.toFixed(2)} s, plots in view after ${drawn.toFixed(2)} s, all after ${all.toFixed(2)} s`);
  assert.ok((await page.locator(".plot .main-svg").count()) >= 5);
  assert.match(await page.locator("#summary").innerText(), /10 impacts/);
  await page.screenshot({ path: join(out, "report-1280.png"), fullPage: true });
  assert.deepEqual(complaints, []);
  await close();
});

test("play moves the mechanism, space halts it, arrow keys step to the events", async () => {
  const folder = join(out, "pendulum");
  const events = JSON.parse(readFileSync(join(folder, "run.json"))).events;
  const { page, complaints, close } = await open(folder);
  const time = async () => Number(await page.locator("#scrub").inputValue());
  const pose = () => page.locator("#stage g g g").last().getAttribute("transform");
  const [t0, pose0] = [await time(), await pose()];
  await page.click("#play");
  await page.waitForTimeout(400);
  assert.ok((await time()) > t0 + 0.1, "time advances");
  assert.notEqual(await pose(), pose0);
  await page.locator("h1").click();
  await page.keyboard.press("Space");
  const halted = await time();
  await page.waitForTimeout(150);
  assert.equal(await time(), halted);
  for (const k of [0, 1, 2]) {
    if (k === 0) await page.evaluate(() => setTime(0));
    await page.keyboard.press("ArrowRight");
    assert.ok(Math.abs((await time()) - events[k].time) < 1e-9);
    assert.ok((await page.locator("#stage .arrow").count()) >= 2, "an impulse is drawn");
  }
  await page.keyboard.press("ArrowLeft");
  assert.ok(Math.abs((await time()) - events[1].time) < 1e-9);
  assert.deepEqual(complaints, []);
  await close();
});

test("an impact that is pressed shows its diagram and the numbers of run.json", async () => {
  const folder = join(out, "pendulum");
  const { events } = JSON.parse(readFileSync(join(folder, "run.json")));
  const { page, complaints, close } = await open(folder);
  for (const event of events) {
    await page.click(`#events tr[data-event="${event.index}"]`);
    assert.match(await page.locator("#h-impact").innerText(), new RegExp(`Event ${event.index}:`));
    const [contact] = event.contacts;
    const drawn = await page.evaluate(() => {
      const path = byId("plane").data.find((trace) => trace.name === "path of the impact");
      return path.x.map((x, k) => [x, path.y[k]]);
    });
    assert.deepEqual(drawn, contact.path.map((corner) => [corner.p_n, corner.p_t]));
    const rows = await page.locator("#contact-0 tbody tr").allInnerTexts();
    const expected = [contact.impulse, contact.velocity_before, contact.velocity_after, contact.work];
    rows.forEach((row, k) => {
      const [, normal, tangent] = row.split("\t");
      assertShows(normal, expected[k].normal);
      assertShows(tangent, expected[k].tangent);
    });
    assert.ok((await page.locator("#detail .steps li").count()) >= 3);
  }
  // A marker in a plot does the same.
  await complete(page);
  const marker = page.locator("#panels .plot").first().locator(".scatterlayer .trace .points path").nth(4);
  await marker.scrollIntoViewIfNeeded();
  const box = await marker.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => byId("h-impact").textContent.startsWith("Event 5:"));
  assert.deepEqual(complaints, []);
  await close();
});

test("a range chosen in one plot is that of all", async () => {
  const { page, close } = await open(join(out, "pendulum"));
  await complete(page);
  const ranges = await page.evaluate(async () => {
    const all = [...document.querySelectorAll("#panels .plot")];
    await Plotly.relayout(all[1], { "xaxis.range[0]": 2, "xaxis.range[1]": 3 });
    await new Promise((done) => setTimeout(done, 300));
    return all.map((plot) => plot.layout.xaxis.range);
  });
  for (const range of ranges) assert.deepEqual(range, [2, 3]);
  await close();
});

test("a phone shows the report without sideways scrolling, in dark, and prints", async () => {
  const folder = join(out, "pendulum");
  const options = { viewport: { width: 375, height: 740 }, colorScheme: "dark", hasTouch: true, isMobile: true };
  const { page, complaints, close } = await open(folder, options);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 375, `the page is ${width} px wide`);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.click("#next");
  await complete(page);
  await page.screenshot({ path: join(out, "report-375.png"), fullPage: true });
  await page.click("#theme");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  const sheet = await page.pdf({ path: join(out, "report.pdf"), format: "A4" });
  assert.ok(sheet.length > 10_000);
  assert.deepEqual(complaints, []);
  await close();
});

// Friction in a joint: for `carom forward`, no run takes it yet.
const rough = new Set(["screw-joint", "slider-in-guide"]);
// The instant of a collision: for `carom impact`.
const instants = new Set(["jointed-frames", "slider-crank-corners", "four-bar-stop"]);

/// Names of the built-in scenarios that run.
const scenarios = () => {
  const examples = JSON.parse(execFileSync(carom, ["examples", "--json"]));
  const scenarios = examples.filter((entry) => entry.kind === "scenario").map((entry) => entry.name);
  return scenarios.filter((name) => !rough.has(name) && !instants.has(name));
};

test("every built-in scenario has a report without complaint", async () => {
  const names = scenarios();
  assert.ok(names.length > 5);
  const look = async (name) => {
    const { page, complaints, close } = await open(run(`example-${name}`, "--example", name));
    await complete(page);
    if (process.env.PICTURES) await page.screenshot({ path: join(out, `${name}.png`), fullPage: true });
    assert.deepEqual(complaints, [], name);
    await close();
  };
  // Two at once: each page waits for one core.
  for (let k = 0; k < names.length; k += 2) await Promise.all(names.slice(k, k + 2).map(look));
});

test("the page of the instant of a collision opens without complaint", async () => {
  for (const name of instants) {
    const file = join(out, `instant-${name}.html`);
    execFileSync(carom, ["impact", "--example", name, "--html", file, "--force", "--quiet"]);
    const { page, complaints, close } = await openPage(file);
    assert.ok((await page.textContent("body")).length > 200, name);
    assert.deepEqual(complaints, [], name);
    await close();
  }
});

test("a run in space advances, is turned by hand, and shows its impulses", async (t) => {
  const inSpace = scenarios().filter((name) => {
    const { scene, events } = JSON.parse(readFileSync(join(out, `example-${name}`, "run.json")));
    return scene?.space === "space" && events.some((event) => event.time > 0 && Object.keys(event.places).length);
  });
  if (!inSpace.length) return t.skip("no built-in scenario in space has impacts");
  // Every page was opened before; a hand turns a few of them.
  const turnedByHand = inSpace.filter((_, k) => k % Math.ceil(inSpace.length / 5) === 0);
  for (const name of turnedByHand) {
    const { page, complaints, close } = await open(join(out, `example-${name}`));
    const stage = page.locator("canvas#stage");
    const picture = () => stage.evaluate((canvas) => canvas.toDataURL());
    const pose = () => stage.getAttribute("data-pose");
    const [first, start] = [await picture(), await pose()];
    await stage.scrollIntoViewIfNeeded(); // a long summary pushes it below the fold
    const box = await stage.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 30, { steps: 4 });
    await page.mouse.up();
    const turned = await picture();
    assert.notEqual(turned, first, "dragging turns the view");
    await page.mouse.wheel(0, -300);
    await page.waitForTimeout(100);
    assert.notEqual(await picture(), turned, "the wheel zooms");
    await stage.dblclick();
    assert.equal(await picture(), first, "a double click goes back");
    await page.click("#next");
    assert.ok(Number(await stage.getAttribute("data-arrows")) > 0, "an impulse is drawn");
    await page.click("#play");
    await page.waitForTimeout(300);
    assert.notEqual(await pose(), start, "the bodies move");
    await page.screenshot({ path: join(out, `space-${name}.png`) });
    assert.deepEqual(complaints, [], name);
    await close();
  }
});

test("the tables of an impact in space keep their names whole and scroll inside their boxes", async () => {
  const folder = run("space-friction", "--example", "pendulum-in-space", "--set", "contacts.hit.friction=0.15");
  const { events } = JSON.parse(readFileSync(join(folder, "run.json")));
  for (const width of [375, 1280]) {
    const { page, complaints, close } = await open(folder, { viewport: { width, height: 800 } });
    await page.evaluate(() => document.querySelectorAll("#detail details").forEach((one) => { one.open = true; }));
    const lines = await page.locator("#detail tbody th").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    assert.ok(lines.length > 4 && lines.every((height) => height < 40), `${width}: ${lines}`);
    const cut = await page.locator("#detail .scroll").evaluateAll((all) => all
      .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.getBoundingClientRect().right > innerWidth).length);
    assert.equal(cut, 0, "nothing is hidden but sideways");
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    // The reversal is seen by the signs along d.
    const rows = await page.locator("#path tbody tr").allInnerTexts();
    const told = rows.map((row) => Number(row.split("\t")[2].replace(/−/g, "-")));
    assert.deepEqual(told, events[0].contacts[0].path.map((c) => Number(c.p_t[0].toPrecision(10)) + 0));
    assert.ok(told[1] > 0 && told[2] < 0);
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("the event shown follows the time, and one that is pressed stays for a moment", async () => {
  const folder = join(out, "pendulum");
  const { events } = JSON.parse(readFileSync(join(folder, "run.json")));
  const { page, close } = await open(folder);
  const heading = () => page.locator("#h-impact").innerText();
  await page.evaluate((t) => setTime(t), (events[3].time + events[4].time) / 2);
  assert.match(await heading(), /^Event 4:/);
  await page.evaluate((t) => setTime(t), events[6].time - 0.05);
  await page.selectOption("#speed", "0.1");
  await page.click("#play");
  await page.waitForFunction(() => byId("h-impact").textContent.startsWith("Event 7:"));
  await page.click("#play");
  await page.click(`#events tr[data-event="2"]`);
  await page.evaluate((t) => setTime(t), events[5].time);
  assert.match(await heading(), /^Event 2:/);
  await close();
});

test("many curves have no legend over their plot, and a run with several answers says why", async () => {
  const file = join(out, "die.toml");
  // Two corners slide on as the other two land beside them: more than one velocity keeps the laws.
  writeFileSync(file, `space = "space"
gravity = [0, 0, -9.81]
bodies.die = { mass = 0.005, inertia = [2.1e-7, 2.1e-7, 2.1e-7], shapes.faces.box = { size = [0.016, 0.016, 0.016] }, start = { position = [0, 0, 0.12], velocity = [0.8, 0.1, -0.5], rotation = [0.7, 0.3, -0.2, 0.5], angular_velocity = [25, -40, 15] } }
world.shapes.table = { half_space = { normal = [0, 0, 1] } }
world.shapes.wall = { half_space = { normal = [-1, 0, 0] }, at = [1, 0, 0] }
contacts.cast = { between = ["die.faces", "world.table"], restitution = 0.45, friction = 0.3 }
contacts.side = { between = ["die.faces", "world.wall"], restitution = 0.45, friction = 0.3 }
run.duration = 1
`);
  const folder = run("undecided", file);
  const { end, end_contacts: contacts } = JSON.parse(readFileSync(join(folder, "run.json")));
  assert.equal(end, "several_answers");
  const { page, complaints, close } = await open(folder);
  await complete(page);
  const gaps = await page.evaluate(() => [...document.querySelectorAll("#panels .plot")]
    .filter((plot) => plot.id.startsWith("plot-gaps")).map((plot) => [plot.data.length, plot.layout.showlegend]));
  for (const [curves, isNamed] of gaps) assert.equal(isNamed, curves <= 12, `${curves} curves`);
  assert.ok(gaps.some(([curves]) => curves > 12));
  for (const place of ["#summary", "#motion", "#impact"]) {
    assert.match(await page.locator(place).innerText(), new RegExp(contacts[0].replace(".", "\\.")));
  }
  assert.ok(!/every impulse of this run is the only one/.test(await page.locator("#summary").innerText()));
  assert.deepEqual(complaints, []);
  await close();
});

test("a title that is markup is shown, not run", async () => {
  const title = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \\\" ' & $x$";
  const file = join(out, "hostile.toml");
  writeFileSync(file, `title = ${JSON.stringify(title)}
bodies."<b>ball</b>" = { mass = 1, inertia = 0.1, shapes.skin.disk = { radius = 0.1 }, start.position = [0, 1, 0] }
world.shapes.floor = { half_space = { normal = [0, 1] } }
contacts."</script>" = { between = ["<b>ball</b>.skin", "world.floor"], restitution = 0.8, friction = 0.2 }
run.duration = 1.5
`);
  const { page, complaints, close } = await open(run("hostile", file));
  assert.equal(await page.locator("h1").innerText(), title);
  assert.match(await page.locator("#h-impact").innerText(), /<\/script>/);
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test("the controls can be reached, named and used from the keyboard alone", async () => {
  const { page, complaints, close } = await open(join(out, "pendulum"), { reducedMotion: "reduce" });
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [role=img], section")]
    .filter((one) => !(one.getAttribute("aria-label") || one.getAttribute("aria-labelledby") || one.textContent.trim() || one.closest("label")))
    .map((one) => one.outerHTML.slice(0, 80)));
  assert.deepEqual(nameless, []);
  await page.focus("#play");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(300);
  await page.keyboard.press("Enter");
  const time = () => page.locator("#scrub").inputValue().then(Number);
  const halted = await time();
  assert.ok(halted > 0);
  await page.focus("#scrub");
  await page.keyboard.press("ArrowRight");
  assert.ok((await time()) > halted, "the slider moves by a key");
  const ring = await page.evaluate(() => { byId("next").focus(); return getComputedStyle(byId("next")).outlineStyle; });
  assert.equal(ring, "solid");
  assert.deepEqual(complaints, []);
  await close();
});

test("the page of one impact shows its laws, its plane and its phases", async () => {
  const file = join(out, "rod.html");
  execFileSync(carom, ["impact", "--example", "rod", "--html", file, "--force", "--quiet"]);
  const { results } = JSON.parse(execFileSync(carom, ["impact", "--example", "rod", "--json"]));
  for (const [width, colorScheme] of [[1280, "light"], [375, "dark"]]) {
    const { page, complaints, close } = await openPage(file, { viewport: { width, height: 800 }, colorScheme });
    const image = page.locator("figure img");
    assert.ok(await image.evaluate((one) => one.complete && one.naturalWidth > 0), "the plane is drawn");
    const rows = await page.locator("section table").first().locator("tbody tr").allInnerTexts();
    const cells = rows.find((row) => row.startsWith("p_n")).split("\t").slice(1);
    cells.forEach((cell, k) => {
      const expected = Number(results[k].contacts[0].impulse.normal.toPrecision(7));
      assert.equal(Number(cell.replace(/−/g, "-")), expected);
    });
    assert.equal(cells.length, results.length);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    await page.screenshot({ path: join(out, `impact-${width}.png`), fullPage: true });
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("the page of a paper shows its verdicts and its figures", async () => {
  const folder = join(out, "paper");
  rmSync(folder, { recursive: true, force: true });
  const { items } = JSON.parse(execFileSync(carom, ["papers", "001", "--json"]));
  execFileSync(carom, ["papers", "001", "-o", folder, "--quiet"]);
  const { page, complaints, close } = await openPage(join(folder, "report.html"));
  assert.equal(await page.locator("table tbody tr").count(), items.length);
  const sizes = await page.locator("figure img").evaluateAll((all) => all.map((one) => one.naturalWidth));
  assert.ok(sizes.length >= 5 && sizes.every((size) => size > 0));
  await page.screenshot({ path: join(out, "paper-1280.png"), fullPage: true });
  assert.deepEqual(complaints, []);
  await close();
});
