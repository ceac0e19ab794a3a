// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Brings a replay to a server, and has that verify it and compute a table of it.
//
// usage: node replays.mjs ADDRESS FILE

import { readFileSync } from "node:fs";

import { Client } from "reprise-client";

const [address, file] = process.argv.slice(2);
const client = new Client(address);
// What the server has of it isn't sent again.
const replay = await client.upload(readFileSync(file));
const verified = await client.wait(
  await client.verifyReplay(replay.name),
  ({ ticks_done, tick_count }) => console.log(`${ticks_done} of ${tick_count}`));
console.log(verified.verification.summary);

const table = await client.wait(await client.queryReplay(
  replay.name, ["player.bodies.position.z"], { ticks: { every: 60 } }));
const values = await client.downloadResult(table.name, "values.csv");
console.log(values.toString());
await client.deleteOperation(table.name);
client.close();
