// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Opens what `reprise view` wrote in a browser without a network: every pose is
// that of the frames that `reprise export` wrote, within the error that the
// page states; it plays, scrubs, picks, plots, and a link leads back.
//
// usage: node view_check.mjs PAGE FRAMES.jsonl OBJECT [PICTURE.png]
//
// OBJECT moves and can be seen from above. PAGE_OF_TWO may follow as an
// environment variable: a page of two runs that differ.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { argv, env } from "node:process";
import { pathToFileURL } from "node:url";

import puppeteer from "puppeteer-core";

const [page_path, frames_path, object, picture] = argv.slice(2);
const frames = readFileSync(frames_path, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

const browser = await puppeteer.launch({
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
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
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
  await page.waitForFunction((tick) => viewer.tick() === tick, {}, middle);
  await page.keyboard.press("End");
  const last = frames.length - 1;
  await page.waitForFunction((tick) => viewer.tick() === tick, {}, last);
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
  assert.ok(page.url().endsWith(`#t=30&o=${object}`), page.url());
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

try {
  const page = await open(page_path);
  await checkPoses(page);
  await checkTime(page);
  await checkObjects(page);
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
    if (picture) await two.screenshot({ path: `${picture}.two.png` });
  }
} finally {
  await browser.close();
}
