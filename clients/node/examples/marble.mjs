// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Rolls the marble ahead for five seconds, and says where it is each second.
//
// usage: node marble.mjs ADDRESS

import { Client, Decoder } from "reprise-client";

const client = new Client(process.argv[2] ?? "127.0.0.1:7171");
const session = await client.createSession("marble", { seed: 7, record: true });
const decoder = new Decoder();
const observe = {
  groups: [{
    fields: ["bodies.position"], objects: ["player"], every_ticks: 60,
  }],
};
const response = await session.step(300, {
  observe,
  inputs: [{ tick: 0, frames: [{ device: { axes: [0, 32767] } }] }],
});
for (const { ticks, columns } of decoder.read(response)) {
  const { values, unit } = columns["bodies.position"];
  ticks.forEach((tick, i) => {
    const place = [...values.slice(3 * i, 3 * i + 3)];
    const text = place.map((value) => value.toFixed(2)).join(", ");
    console.log(`tick ${tick}: ${text} ${unit}`);
  });
}
console.log(`kept as ${await session.delete()}`);
client.close();
