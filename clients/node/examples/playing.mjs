// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Two bots play Pong for ten seconds, each with a client and a stream of its own,
// as they would from two machines: each goes where it sees the ball.
//
// usage: node playing.mjs ADDRESS

import { Client, Decoder } from "reprise-client";

const address = process.argv[2] ?? "127.0.0.1:7171";
const observe = {
  groups: [{
    fields: ["bodies.position.z"], objects: ["left", "right", "ball"],
    every_ticks: 1,
  }],
};

// What a bot does that has seen a tick.
function steer({ names, columns }, paddle) {
  const { values } = columns["bodies.position.z"];
  const way = values[names.indexOf("ball")] - values[names.indexOf(paddle)];
  const axis = Math.trunc(32767 * Math.max(-1, Math.min(1, way)));
  return { device: { axes: [axis] } };
}

async function play(session, player, paddle) {
  const client = new Client(address);
  const decoder = new Decoder();
  const stream = await client.join(session, { player, observe });
  let told = stream.first;
  while (stream.tick < 600n) {
    const [seen] = decoder.read(told.result);
    stream.give(1, [{
      tick: stream.inputTick, frames: [steer(seen, paddle)],
    }]);
    told = await stream.receive();
  }
  console.log(`${paddle}: tick ${stream.tick}, digest ${stream.digest}`);
  await stream.leave();
  client.close();
}

const client = new Client(address);
const session = await client.createSession(
  "pong", { record: true, lockstep: { input_delay_ticks: 3 } });
await Promise.all([
  play(session.name, 0, "left"), play(session.name, 1, "right"),
]);
console.log(`kept as ${await session.delete()}`);
client.close();
