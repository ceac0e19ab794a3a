// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Opens what `reprise view` wrote in a browser without a network: every pose is
// that of the frames that `reprise export` wrote, within the error that the
// page states; it plays, scrubs, picks, plots, and a link leads back. Contacts
// are those of the state's rows, joints hold where their anchors are, and pads
// show what was recorded.
//
// usage: node view_check.mjs PAGE FRAMES.jsonl OBJECT [PICTURE.png]
//
// OBJECT moves and can be seen from above. These may follow as environment
// variables: PAGE_OF_TWO, a page of two runs that differ; STATE, what `inspect
// --tick 60 --format json` prints; INPUTS, what `convert` makes of the run's
// inputs as lines of JSON; WATCHES, a wide csv of `export` of expressions
// without commas, each of one value; LONG_PAGE, of the same pack, a page of
// more frames than are kept decoded.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { argv, env } from "node:process";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

const [page_path, frames_path, object, picture] = argv.slice(2);
const frames = readFileSync(frames_path, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

const browser = await chromium.launch({
  executablePath: env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    // Drawn by the processor: the same on machines with a screen and without.
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
  ],
});

// A page that is ready. Any message of trouble, and any request, fails.
async function open(path, hash = "") {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
  });
  page.on("pageerror", (error) => assert.fail(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") assert.fail(message.text());
  });
  const url = pathToFileURL(resolve(path)).href;
  page.on("request", (request) =>
    assert.ok(
      request.url().startsWith(url) || request.url().startsWith("blob:"),
      request.url(),
    ),
  );
  await page.goto(url + hash);
  await page.waitForSelector("body[data-ready]", { timeout: 20000 });
  return page;
}

const tickOf = (page) => page.evaluate(() => viewer.tick());

// The poses of all objects at a frame, by name.
const posesAt = (page, frame) =>
  page.evaluate(async (at) => {
    await viewer.goToFrame(at);
    const [recording] = viewer.recordings;
    return recording.objectsAt(at).map((index) => {
      const pose = new Float64Array(7);
      recording.readPose(index, at, pose);
      return [recording.objects[index].name, [...pose]];
    });
  }, frame);

function angleBetween(a, b) {
  const chord = (sign) =>
    Math.hypot(...a.map((value, i) => value - sign * b[i]));
  return 4 * Math.asin(Math.min(1, Math.min(chord(1), chord(-1)) / 2));
}

async function checkPoses(page) {
  const error = await page.evaluate(() => [
    viewer.page.position_error_m,
    viewer.page.rotation_error_rad,
  ]);
  // In any order: each chunk is decoded by itself.
  for (let i = 0; i < frames.length; ++i) {
    const at = (i * 97) % frames.length;
    const shown = new Map(await posesAt(page, at));
    assert.equal(shown.size, frames[at].objects.length);
    for (const { name, position, rotation } of frames[at].objects) {
      const pose = shown.get(name);
      const off = Math.hypot(
        pose[0] - position.x,
        pose[1] - position.y,
        pose[2] - position.z,
      );
      // Floats keep 24 bits of what is far away.
      const far = Math.hypot(position.x, position.y, position.z) * 2 ** -23;
      assert.ok(off <= error[0] + far, `${name} at ${at} is off by ${off} m`);
      const { x, y, z, w } = rotation;
      const turned = angleBetween(pose.slice(3), [x, y, z, w]);
      assert.ok(turned <= error[1] + 1e-6, `${name} at ${at}: ${turned} rad`);
    }
  }
}

async function checkTime(page) {
  await page.keyboard.press("Home");
  await page.waitForFunction(() => viewer.tick() === 0);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => viewer.tick() === 1);
  assert.match(page.url(), /#t=1$/);
  const state = () =>
    page.$eval("#state", (element) => element.textContent);
  assert.equal(await state(), frames[1].state_digest);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => viewer.tick() > 20);
  await page.keyboard.press("Space");
  const stopped = await page.evaluate(() => viewer.isPlaying);
  assert.equal(stopped, false);
  // In the middle of the timeline lies the middle of the run.
  const timeline = await (await page.$("#timeline")).boundingBox();
  await page.mouse.click(
    timeline.x + timeline.width / 2,
    timeline.y + timeline.height / 2,
  );
  const middle = Math.round((frames.length - 1) / 2);
  await page.waitForFunction((tick) => viewer.tick() === tick, middle);
  await page.keyboard.press("End");
  const last = frames.length - 1;
  await page.waitForFunction((tick) => viewer.tick() === tick, last);
}

async function checkObjects(page) {
  await posesAt(page, 30);
  // From above and near, the object is in the middle of the picture.
  const at = await page.evaluate((name) => {
    viewer.select(name);
    viewer.follow();
    viewer.camera.isTop = true;
    viewer.camera.distance = 3;
    viewer.draw();
    const box = viewer.canvas.getBoundingClientRect();
    viewer.isFollowing = false;
    viewer.select("");
    return [box.x + box.width / 2, box.y + box.height / 2];
  }, object);
  await page.mouse.click(...at);
  assert.equal(await page.evaluate(() => viewer.selected), object);
  assert.ok(page.url().endsWith(`#t=30&o=${object}&c=top`), page.url());
  assert.equal(await page.$eval("#inspector h2", (e) => e.textContent), object);
  const rows = await page.$$eval("#inspector th", (all) =>
    all.map((row) => row.textContent),
  );
  assert.ok(rows.includes("y [m]"), rows.join());
  // The plot of y is what the frames say.
  const series = await page.evaluate(async () => {
    await viewer.plot.choose("y");
    return [...viewer.plot.series[0]];
  });
  assert.equal(series.length, frames.length);
  frames.forEach(({ objects }, i) => {
    const shown = objects.find(({ name }) => name === object);
    assert.ok(Math.abs(series[i] - shown.position.y) < 0.001, `plot at ${i}`);
  });
  // Something is drawn, and not one colour.
  const colours = await page.evaluate(() => {
    const { gl, canvas } = viewer;
    const bytes = new Uint8Array(4 * canvas.width * canvas.height);
    viewer.seeAll();
    gl.readPixels(
      0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    return new Set(new Uint32Array(bytes.buffer)).size;
  });
  assert.ok(colours > 50, `${colours} colours`);
}

// A point of an object, in the world.
function placed({ position, rotation }, point) {
  const { x, y, z, w } = rotation;
  const [px, py, pz] = point;
  const tx = 2 * (y * pz - z * py);
  const ty = 2 * (z * px - x * pz);
  const tz = 2 * (x * py - y * px);
  return [
    position.x + px + w * tx + y * tz - z * ty,
    position.y + py + w * ty + z * tx - x * tz,
    position.z + pz + w * tz + x * ty - y * tx,
  ];
}

const triple = ({ x, y, z }) => [x, y, z];

// The layer's points, normals and impulses are the rows of the state.
async function checkContacts(page) {
  const tick = 60;
  const { rows } = JSON.parse(readFileSync(env.STATE, "utf8"))
    .rooms.flatMap(({ tables }) => tables)
    .find(({ table }) => table === "contact_points");
  await posesAt(page, tick);
  const contacts = await page.evaluate((at) => {
    const [recording] = viewer.recordings;
    const { pairs, values } = recording.contactsAt(at);
    const name = (index) => recording.objects[index].name;
    return Array.from({ length: pairs.length / 2 }, (_, i) => ({
      names: [name(pairs[2 * i]), name(pairs[2 * i + 1])],
      values: [...values.subarray(7 * i, 7 * i + 7)],
    }));
  }, tick);
  assert.ok(rows.length > 0);
  assert.equal(contacts.length, rows.length);
  const isNear = (shown, expected, error) =>
    shown.every((value, i) => Math.abs(value - expected[i]) <= error);
  rows.forEach(({ key, fields }, i) => {
    const { names, values } = contacts[i];
    assert.deepEqual(names, key.slice(0, 2));
    const carrier = frames[tick].objects.find(({ name }) => name === key[1]);
    const point = placed(carrier, triple(fields.local_b));
    // Half a step on each axis, and the roundings of floats.
    const where = `contact ${i} of ${names}: ${values}`;
    assert.ok(isNear(values.slice(0, 3), point, 2 ** -11 + 1e-6), where);
    const normal = triple(fields.normal);
    assert.ok(isNear(values.slice(3, 6), normal, 2 ** -8 + 1e-6), where);
    const off = Math.abs(values[6] - fields.impulse);
    assert.ok(off <= fields.impulse * 2 ** -7, where);
  });
}

// What the page makes of each expression is what `reprise export` did, but for
// the digits that it keeps; what is none is told.
async function checkWatches(page) {
  const rows = readFileSync(env.WATCHES, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  const texts = rows[0].slice(2, -2);
  assert.ok(texts.length > 3);
  for (const text of texts) {
    await page.click("#watch");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }
  const shown = await page.$$eval("#watches th", (all) =>
    all.map((row) => row.textContent),
  );
  assert.deepEqual(shown, texts);
  for (let frame = 0; frame < frames.length; frame += 7) {
    const values = await page.evaluate(async (at) => {
      await viewer.goToFrame(at);
      return viewer.watches.list.map(({ tree }) =>
        evaluateWatch(tree, viewer.recordings[0], at, ""),
      );
    }, frame);
    values.forEach((value, i) => {
      const expected = rows[frame + 1][i + 2];
      const where = `${texts[i]} at ${frame}: ${value}, not ${expected}`;
      if (typeof value === "number") {
        const off = Math.abs(value - Number(expected));
        assert.ok(off <= 1e-4 * (1 + Math.abs(value)), where);
      } else {
        assert.equal(String(value), expected, where);
      }
    });
  }
  await page.click("#watch");
  await page.keyboard.type("player.");
  await page.keyboard.press("Enter");
  const trouble = () => page.$eval("#watches .trouble", (e) => e.textContent);
  assert.match(await trouble(), /^column 7: the name of a field is missing$/);
  for (const [text, expected] of [
    ["1 +", /a value is missing/],
    ["(1", /'\)' is missing/],
    ["sin(1)", /no function 'sin'/],
    ["abs(1, 2)", /another number of values/],
    ["tick §", /column 5/],
    ["(".repeat(80), /too many levels/],
  ]) {
    const message = await page.evaluate((wrong) => {
      viewer.watches.add(wrong);
      return document.querySelector("#watches .trouble").textContent;
    }, text);
    assert.match(message, expected, text);
  }
  // Unknown, and what decides all the same.
  const answers = await page.evaluate(() =>
    [
      "nobody.x > 1", "not nobody.x > 1", "nobody.x > 1 and 1 > 2",
      "1 < 2 or nobody.x > 1", "1 / 0", "sqrt(-1)", "exists(player)",
      "exists(nobody)", "max(2, 3 * 4) - -1", "'won' == outcome",
    ].map((text) =>
      evaluateWatch(parseWatch(text), viewer.recordings[0], 0, ""),
    ),
  );
  assert.deepEqual(answers, [
    null, null, false, true, null, null, true, false, 13, false,
  ]);
  await page.evaluate(() => {
    for (const { text } of [...viewer.watches.list]) {
      viewer.watches.remove(text);
    }
  });
  assert.equal((await page.$$("#watches th")).length, 0);
}

// Fields of several objects and a watch in one plot, each as it is recorded; a
// click on its name takes one away.
async function checkPlots(page) {
  const { names, series } = await page.evaluate(async (name) => {
    viewer.plot.lines = [];
    viewer.select(name);
    await viewer.plot.choose("x");
    await viewer.plot.choose("speed");
    viewer.select("");
    viewer.watches.add("tick * 2");
    await viewer.plot.choose("=tick * 2", "");
    return {
      names: [...document.querySelectorAll("#plot-label button")].map(
        (button) => button.textContent,
      ),
      series: viewer.plot.lines.map((line) => [...line.series[0]]),
    };
  }, object);
  assert.equal(names.length, 3);
  assert.ok(names[0].startsWith(`${object}: x [m] `), names[0]);
  assert.ok(names[1].startsWith(`${object}: speed [m/s] `), names[1]);
  assert.ok(names[2].startsWith("tick * 2 "), names[2]);
  frames.forEach(({ objects }, i) => {
    const { position } = objects.find(({ name }) => name === object);
    assert.ok(Math.abs(series[0][i] - position.x) < 0.001, `x at ${i}`);
    assert.equal(series[2][i], 2 * i);
  });
  await page.click("#plot-label button:nth-child(2)");
  const left = await page.evaluate(() =>
    viewer.plot.lines.map(({ field }) => field),
  );
  assert.deepEqual(left, ["x", "=tick * 2"]);
}

// Each camera sees what is chosen, in the middle, but one from its own eyes;
// who chooses nothing has none that follows.
async function checkCameras(page) {
  await posesAt(page, 90);
  const look = (camera) =>
    page.evaluate(
      async ([name, chosen]) => {
        viewer.select(chosen);
        const box = document.getElementById("camera");
        box.value = name;
        box.dispatchEvent(new Event("change"));
        const { canvas } = viewer;
        return {
          shown: box.value,
          target: viewer.camera.target,
          picked: viewer.pick(canvas.clientWidth / 2, canvas.clientHeight / 2),
          back: viewer.camera.back(),
          eye: viewer.camera.eye(),
          url: location.hash,
        };
      },
      [camera, object],
    );
  const shown = frames[90].objects.find(({ name }) => name === object);
  const isAt = ([x, y, z]) =>
    Math.hypot(
      x - shown.position.x,
      y - shown.position.y,
      z - shown.position.z,
    ) < 0.001;
  const before = frames[82].objects.find(({ name }) => name === object);
  const way = [
    shown.position.x - before.position.x,
    shown.position.z - before.position.z,
  ];
  await look("free");
  for (const camera of ["follow", "chase"]) {
    const { shown: name, target, url } = await look(camera);
    assert.equal(name, camera);
    assert.ok(isAt(target), `${camera} looks at ${target}`);
    assert.ok(url.includes(`c=${camera}`), url);
  }
  // Behind the way that it goes.
  const { back } = await look("chase");
  const along = way[0] * back[0] + way[1] * back[2];
  assert.ok(along < -0.8 * Math.hypot(...way), `${back} behind ${way}`);
  const eyes = await look("eyes");
  assert.notEqual(eyes.picked, object);
  const { x, y, z } = shown.position;
  const off = Math.hypot(eyes.eye[0] - x, eyes.eye[1] - y - 1.6, eyes.eye[2] - z);
  assert.ok(off < 0.001, `${off} m from its eyes`);
  const axes = { top: [0, 1, 0], front: [0, 0, 1], side: [1, 0, 0] };
  for (const [camera, axis] of Object.entries(axes)) {
    const flat = await look(camera);
    const apart = Math.hypot(...axis.map((value, i) => value - flat.back[i]));
    assert.ok(apart < 0.001, camera);
    // What follows keeps the axis.
    const followed = await look("follow");
    assert.ok(isAt(followed.target), camera);
    if (camera === "top") assert.equal(followed.picked, object);
    assert.ok(followed.url.includes(`c=${camera}+follow`), followed.url);
    await look("free");
  }
  const none = await page.evaluate(() => {
    viewer.select("");
    viewer.useCamera("chase");
    viewer.seeAll();
    return [viewer.follows, document.getElementById("camera").value];
  });
  assert.deepEqual(none, ["", "free"]);
}

// A link brings back tick, object, layers, camera, watches and plots.
async function checkLink(page) {
  const hash = `#t=60&o=${object}&l=inputs+contacts&c=top+follow` +
    `&w=tick+%2B+1&p=${object}%7Cy&p=%3Dtick+%2B+1`;
  const linked = await open(page_path, hash);
  const seen = await linked.evaluate(() => ({
    tick: viewer.tick(),
    selected: viewer.selected,
    layers: [...viewer.layers],
    camera: [viewer.camera.flat, viewer.follows],
    watches: viewer.watches.list.map(({ text }) => text),
    lines: viewer.plot.lines.map((line) => [line.object, line.field]),
    hash: location.hash,
  }));
  assert.deepEqual(seen, {
    tick: 60,
    selected: object,
    layers: ["inputs", "contacts"],
    camera: ["top", "follow"],
    watches: ["tick + 1"],
    lines: [[object, "y"], ["", "=tick + 1"]],
    hash,
  });
  await linked.close();
}

// A plot goes through all chunks, and the picture stays.
async function checkLongPage() {
  const long = await open(env.LONG_PAGE, "#t=300");
  const seen = await long.evaluate(async (name) => {
    const count = () => viewer.recordings[0].objectsAt(300).length;
    const before = count();
    viewer.select(name);
    await viewer.plot.choose("y");
    const { frameCount, chunks } = viewer.recordings[0];
    return {
      before,
      after: count(),
      gaps: viewer.plot.series[0].filter(Number.isNaN).length,
      isLong: frameCount > viewer.page.chunk_frames * chunks.size,
    };
  }, object);
  assert.ok(seen.isLong);
  assert.ok(seen.before > 0);
  assert.equal(seen.after, seen.before);
  assert.equal(seen.gaps, 0);
  await long.close();
}

// Layers come and go by box, key and link, and each draws something.
async function checkLayers(page) {
  const colours = () =>
    page.evaluate(() => {
      const { gl, canvas } = viewer;
      const bytes = new Uint8Array(4 * canvas.width * canvas.height);
      viewer.draw();
      gl.readPixels(
        0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
      let hash = 0;
      for (const word of new Uint32Array(bytes.buffer)) {
        hash = (Math.imul(hash, 31) + word) | 0;
      }
      return hash;
    });
  const names = await page.evaluate(() =>
    [...viewer.layerBoxes]
      .filter(([name, box]) => name !== "inputs" && !box.disabled)
      .map(([name]) => name),
  );
  assert.ok(names.includes("contacts") && names.includes("joints"), names);
  const keys = { contacts: "c", joints: "j", triggers: "g", regions: "v" };
  for (const name of names) {
    const before = await colours();
    await page.click(`#layer-${name}`);
    assert.notEqual(await colours(), before, `${name} draws nothing`);
    assert.match(page.url(), new RegExp(`l=inputs.*${name}|l=${name}.*inputs`));
    await page.keyboard.press(keys[name]);
    assert.equal(await colours(), before, `${name} stays`);
  }
}

// Both anchors of a joint that holds are at one place.
async function checkJoints(page) {
  const gaps = await page.evaluate(async () => {
    await viewer.goToFrame(100);
    const [recording] = viewer.recordings;
    const pose = new Float64Array(7);
    const placed = ([object, x, y, z]) => {
      if (object < 0) return [x, y, z];
      recording.readPose(object, 100, pose);
      const turned = rotate([pose[3], pose[4], pose[5], pose[6]], x, y, z);
      return [0, 1, 2].map((i) => pose[i] + turned[i]);
    };
    return recording
      .guidesAt(100)
      .filter(({ kind, is_active }) => kind === "joint" && is_active)
      .map(({ lines }) => {
        for (let at = 0; at < lines.length; at += 9) {
          const [start, end] = [at, at + 4].map((i) => lines.slice(i, i + 4));
          if (start[0] === end[0]) continue;
          const [a, b] = [placed(start), placed(end)];
          return Math.hypot(...a.map((value, i) => value - b[i]));
        }
        return Infinity;
      });
  });
  assert.ok(gaps.length > 0);
  // What bodies pull apart, and what rounding adds.
  for (const gap of gaps) assert.ok(gap < 0.02, `${gap} m apart`);
}

// What each control is at each frame, as it was recorded.
async function checkInputs(page) {
  const axes = new Map();
  for (const line of readFileSync(env.INPUTS, "utf8").trimEnd().split("\n")) {
    const { tick, frames: given } = JSON.parse(line);
    if (tick === undefined) continue;
    for (const { player, device } of given) {
      if (player === 0) axes.set(tick, device?.axes ?? []);
    }
  }
  let held = [];
  for (let tick = 0; tick < frames.length; ++tick) {
    held = axes.get(tick) ?? held;
    const shown = await page.evaluate(async (at) => {
      const [recording] = viewer.recordings;
      await recording.load(at);
      return recording.inputsAt(at, 0).axes ?? {};
    }, tick);
    for (let i = 0; i < 8; ++i) {
      assert.equal(shown[i] ?? 0, held[i] ?? 0, `axis ${i} at ${tick}`);
    }
  }
  // And the pad says so.
  const tick = [...axes.keys()].find((at) => axes.get(at)[0]);
  await page.evaluate((at) => viewer.goToFrame(at), tick);
  const text = await page.$eval("#pads small", (e) => e.textContent);
  const value = (axes.get(tick)[0] / 32767).toFixed(2);
  assert.ok(text.endsWith(` ${value}`), `${text} is not ${value}`);
}

// Names of runs, boxes of layers and buttons stand beside each other and within
// the window, however narrow it is.
async function checkNothingOverlaps(page) {
  for (const width of [1280, 900, 640]) {
    await page.setViewportSize({ width, height: 800 });
    const boxes = await page.$$eval(
      "#labels span, #layers label, nav button, #title, #state",
      (elements) => elements.map((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { text: element.textContent, left, right, top, bottom };
      }),
    );
    assert.ok(boxes.length > 10);
    for (const [i, a] of boxes.entries()) {
      assert.ok(a.left >= 0 && a.right <= width + 1, `${a.text} at ${width}`);
      for (const b of boxes.slice(i + 1)) {
        const apart = a.right <= b.left + 1 || b.right <= a.left + 1 ||
          a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        assert.ok(apart, `${a.text} lies on ${b.text} at ${width}`);
      }
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

try {
  const page = await open(page_path);
  await checkPoses(page);
  await checkTime(page);
  await checkObjects(page);
  if (env.WATCHES) await checkWatches(page);
  await checkPlots(page);
  await checkCameras(page);
  await checkLink(page);
  if (env.LONG_PAGE) await checkLongPage();
  await checkLayers(page);
  await checkJoints(page);
  if (env.STATE) await checkContacts(page);
  if (env.INPUTS) await checkInputs(page);
  if (picture) await page.screenshot({ path: picture });
  const linked = await open(page_path, `#t=60&o=${object}`);
  assert.equal(await tickOf(linked), 60);
  assert.equal(await linked.evaluate(() => viewer.selected), object);
  if (env.PAGE_OF_TWO) {
    const two = await open(env.PAGE_OF_TWO);
    const { tick } = await two.evaluate(() => viewer.difference);
    assert.equal(await tickOf(two), tick);
    const digests = await two.$eval("#state", (e) => e.textContent.split(" | "));
    assert.equal(digests.length, 2);
    assert.notEqual(digests[0], digests[1]);
    await checkNothingOverlaps(two);
    if (picture) await two.screenshot({ path: `${picture}.two.png` });
  }
} finally {
  await browser.close();
}
