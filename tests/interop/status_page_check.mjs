// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Opens the page for operators of a running server in a browser: it shows that
// the server serves and which replays it keeps, loads nothing and runs nothing,
// and looks again by itself. The page of a replay is made, and plays it, apart
// from the others.
//
// usage: node status_page_check.mjs URL REPLAY

import assert from "node:assert/strict";
import { argv, env } from "node:process";

import { chromium } from "playwright-core";

const [url, replay] = argv.slice(2);

const browser = await chromium.launch({
  executablePath: env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
  ],
});
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => assert.fail(error.message));
  page.on("console", (message) => assert.fail(message.text()));
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const response = await page.goto(url);
  assert.equal(response.status(), 200);

  assert.equal(await page.title(), "Reprise");
  assert.equal(
    await page.$eval("#health", (element) => element.textContent),
    "Serving.",
  );
  const rows = await page.$$eval("tr", (elements) =>
    elements.map((element) =>
      [...element.cells].map((cell) => cell.textContent).join("|"),
    ),
  );
  assert.ok(
    rows.some((row) => row.startsWith(`${replay}|`)),
    `no row of ${replay} in\n${rows.join("\n")}`,
  );
  assert.ok(
    rows.some((row) => /^Ticks\|[1-9]\d*\|half within /.test(row)),
    rows.join("\n"),
  );
  // The styles are applied although nothing else may be loaded.
  assert.equal(
    await page.$eval("table", (table) => getComputedStyle(table).borderCollapse),
    "collapse",
  );
  // By itself, within its 5 s and some for a busy machine.
  await page.waitForNavigation({ timeout: 30000 });
  assert.deepEqual([...new Set(requests)], [url]);
  assert.ok(requests.length >= 2);

  // What the server's policy forbids would be an error on the console.
  const viewer = await browser.newPage();
  viewer.on("pageerror", (error) => assert.fail(error.message));
  viewer.on("console", (message) => {
    if (message.type() === "error") assert.fail(message.text());
  });
  await viewer.goto(new URL(`/replays/${replay}`, url).href);
  await viewer.waitForSelector("body[data-ready]", { timeout: 60000 });
  assert.ok((await viewer.title()).length > 0);
  // It shares nothing with the other pages, and keeps its link nevertheless.
  const { origin, hash } = await viewer.evaluate(() => ({
    origin: self.origin,
    hash: location.hash,
  }));
  assert.equal(origin, "null");
  assert.match(hash, /^#t=\d/);
} finally {
  await browser.close();
}
