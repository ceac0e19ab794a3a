// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What pages of `reprise view` cost in a browser: prints, a line a page, when
// its first picture is there, how long a jump, a plot over all frames and a
// picture take, and how much memory the page's program holds. Figures of one
// machine, which no test judges.
//
// usage: node view_figures.mjs PAGE...

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { argv, env } from "node:process";
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

const browser = await chromium.launch({
  executablePath: env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--enable-precise-memory-info",
  ],
});

// In milliseconds, within the page.
async function measure(page) {
  return page.evaluate(async () => {
    const timed = async (action) => {
      const start = performance.now();
      await action();
      return performance.now() - start;
    };
    const { frameCount, recordings } = viewer;
    const jumps = [];
    for (let i = 1; i <= 20; ++i) {
      const frame = Math.floor((frameCount * ((i * 0.618) % 1)) | 0);
      jumps.push(await timed(() => viewer.goToFrame(frame)));
    }
    jumps.sort((a, b) => a - b);
    let picture = 0;
    for (let i = 0; i < 20; ++i) {
      picture += await timed(() => {
        viewer.draw();
        viewer.gl.finish();
      });
    }
    const [moved] = recordings[0].objectsAt(viewer.wholeFrame());
    viewer.select(recordings[0].objects[moved].name);
    const plot = await timed(() => viewer.plot.choose("y"));
    return {
      objects: recordings[0].objectsAt(viewer.wholeFrame()).length,
      frames: frameCount,
      jump: jumps[jumps.length >> 1],
      picture: picture / 20,
      plot,
      heap: performance.memory.usedJSHeapSize,
    };
  });
}

try {
  for (const path of argv.slice(2)) {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
    });
    await page.goto(pathToFileURL(resolve(path)).href);
    await page.waitForSelector("body[data-ready]", { timeout: 60000 });
    // Since the page was asked for; not the browser's own start.
    const first = await page.evaluate(() => performance.now());
    const { objects, frames, jump, picture, plot, heap } = await measure(page);
    const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
    console.log(
      `${path}: ${megabytes(statSync(path).size)} MB, ${frames} frames of ` +
        `${objects} objects: first picture ${(first / 1000).toFixed(2)} s, ` +
        `jump ${jump.toFixed(0)} ms, picture ${picture.toFixed(1)} ms, plot ` +
        `${(plot / 1000).toFixed(2)} s, heap ${megabytes(heap)} MB`,
    );
    await page.close();
  }
} finally {
  await browser.close();
}
