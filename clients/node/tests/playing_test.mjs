// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that players on streams of their own play one session, against a real
// server: it is the run of one client that has all inputs, whoever gives first;
// who breaks off comes back to the seat, who leaves frees it, and whoever watches
// a session or a replay is told each tick. Run by tests/interop/run_interop.sh,
// with REPRISE_ADDRESS.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import grpc from "@grpc/grpc-js";
import { Client, RepriseError, Scene } from "reprise-client";

const TICKS = 60;
const DELAY = 2;
const PATIENCE = { timeoutMs: 60_000 };
let client;

before(() => {
  client = new Client(process.env.REPRISE_ADDRESS);
});
after(() => client.close());

// What a player, who does another thing at each tick, does.
function pushAt(player, tick) {
  const axis = (tick * 7919 + player * 104_729) % 60_001 - 30_000;
  return { tick, frames: [{ device: { axes: [axis] } }] };
}

function pushes(player, first, end) {
  return Array.from(
    { length: end - first }, (_, i) => pushAt(player, first + i));
}

// The digest of a run of one client, who has the inputs of both.
async function playAlone(ticks, first = DELAY) {
  const session = await client.createSession("pong", { seed: 3 });
  await session.step(ticks, {
    inputs: pushes(0, first, ticks).map(({ tick, frames }) => ({
      tick,
      frames: [...frames, { player: 1, ...pushAt(1, tick).frames[0] }],
    })),
  });
  const { digest } = session;
  await session.delete();
  return digest;
}

// Has a session that is played, and its players.
async function withPlayers(lockstep, use) {
  const session = await client.createSession("pong", { seed: 3, lockstep });
  const streams = [];
  for (const player of [0, 1]) {
    streams.push(await client.join(session, { player }));
  }
  await use(streams, session);
  for (const stream of streams) {
    if (!stream.hasEnded) await stream.leave();
  }
  await session.delete();
}

const DELAYED = { input_delay_ticks: DELAY, seat_hold: { seconds: 3000 } };

async function receiveTo(stream, tick) {
  while (stream.tick < tick) {
    assert.notEqual(await stream.receive(PATIENCE), null);
  }
  assert.equal(stream.tick, BigInt(tick));
}

async function refusal(promise) {
  const error = await promise.then(
    () => assert.fail("it was not refused"), (reason) => reason);
  assert.ok(error instanceof RepriseError, error.stack);
  return error;
}

// The refusal, or the error of the end, that comes next.
async function nextRefusal(stream) {
  return refusal((async () => {
    while (await stream.receive(PATIENCE) !== null);
  })());
}

test("players make the run of one who has all inputs", () => withPlayers(
  DELAYED, async (streams) => {
    assert.deepEqual(streams.map(({ player }) => player), [0, 1]);
    assert.equal(streams[1].inputTick, BigInt(DELAY));
    assert.equal(streams[1].lockstep.input_delay_ticks, DELAY);
    // The first one is far ahead; the second one's come one by one.
    streams[0].give(TICKS - DELAY, pushes(0, DELAY, TICKS));
    for (let tick = DELAY; tick < TICKS; ++tick) {
      streams[1].give(1, [pushAt(1, tick)]);
    }
    for (const stream of streams) await receiveTo(stream, TICKS);
    const expected = await playAlone(TICKS);
    assert.deepEqual(streams.map(({ digest }) => digest), [expected, expected]);
    for (const stream of streams) {
      await stream.leave();
      assert.ok(stream.hasEnded);
      assert.equal(await stream.receive(), null);
    }
  }));

test("players answer what they see", () => withPlayers({}, async (streams) => {
  await Promise.all(streams.map(async (stream) => {
    while (stream.tick < TICKS) {
      stream.give(1, [pushAt(stream.player, Number(stream.inputTick))]);
      await stream.receive(PATIENCE);
    }
  }));
  const expected = await playAlone(TICKS, 0);
  assert.deepEqual(streams.map(({ digest }) => digest), [expected, expected]);
}));

test("what is refused is told and given again", () => withPlayers(
  DELAYED, async (streams) => {
    streams[1].give(TICKS - DELAY, pushes(1, DELAY, TICKS));
    const wrong = { tick: 5, frames: [{ commands: [{ name: "fly" }] }] };
    // The ticks of the delay are made.
    await receiveTo(streams[0], DELAY);
    streams[0].give(10, [wrong]);
    assert.equal((await nextRefusal(streams[0])).reason, "INPUT_REFUSED");
    assert.equal(streams[0].tick, BigInt(DELAY));
    assert.ok(!streams[0].hasEnded);
    streams[0].give(
      TICKS - DELAY, pushes(0, DELAY, TICKS), { tick: DELAY });
    await receiveTo(streams[0], TICKS);
    assert.equal(streams[0].digest, await playAlone(TICKS));
    assert.throws(() => streams[0].give(1, [wrong]),
      /inputs for tick 5 are not within ticks 60 to 60/);
  }));

test("who breaks off comes back to the seat", () => withPlayers(
  DELAYED, async ([stays, goes], session) => {
    stays.give(TICKS - DELAY, pushes(0, DELAY, TICKS));
    goes.give(20 - DELAY, pushes(1, DELAY, 20));
    await receiveTo(goes, 20);
    const { seatKey } = goes;
    goes.close();
    assert.equal((await nextRefusal(goes)).code, grpc.status.CANCELLED);
    assert.ok(goes.hasEnded);
    assert.equal((await refusal(client.join(
      session, { player: 1, seatKey: "guessed" }))).reason, "SEAT_TAKEN");
    await goes.comeBack();
    assert.equal(goes.inputTick, 20n);
    assert.equal(goes.seatKey, seatKey);
    goes.give(TICKS - 20, pushes(1, 20, TICKS));
    await receiveTo(goes, TICKS);
    assert.equal(goes.digest, await playAlone(TICKS));
    // From elsewhere, too.
    const elsewhere = await client.join(session.name, { player: 1, seatKey });
    assert.equal((await nextRefusal(goes)).reason, "SEAT_TAKEN_OVER");
    assert.ok(goes.hasEnded);
    await elsewhere.leave();
  }));

test("who leaves frees the seat", () => withPlayers(
  {}, async (streams, session) => {
    streams[0].give(20, pushes(0, 0, 20));
    streams[1].give(5, pushes(1, 0, 5));
    await receiveTo(streams[0], 5);
    await streams[1].leave();
    // Nobody waits any more.
    await receiveTo(streams[0], 20);
    const other = await client.join(session, { player: 1 });
    assert.equal(other.inputTick, 20n);
    await other.leave();
  }));

test("observers are told of ticks and the pace", () => withPlayers(
  {}, async (streams, session) => {
    const watcher = await client.join(session);
    assert.equal(watcher.player, undefined);
    assert.throws(() => watcher.give(), /observer/);
    streams[0].setPace({ paused: true });
    await watcher.receive(PATIENCE);
    assert.ok(watcher.pace.paused);
    for (const { player } of streams) {
      streams[player].give(20, pushes(player, 0, 20));
    }
    const late = await refusal(watcher.receive({ timeoutMs: 50 }));
    assert.equal(late.code, grpc.status.DEADLINE_EXCEEDED);
    assert.ok(!watcher.hasEnded);
    // What comes while nobody waits is there for the next.
    streams[1].setPace({ stepTicks: 3 });
    await receiveTo(streams[0], 3);
    const ticks = [];
    while (watcher.tick < 3n) {
      const { result } = await watcher.receive(PATIENCE);
      if (result) ticks.push(result.tick);
    }
    assert.deepEqual(ticks, [1n, 2n, 3n]);
    streams[0].setPace({ factor: 0, paused: false });
    await receiveTo(watcher, 20);
    assert.equal(watcher.digest, await playAlone(20, 0));
    await watcher.leave();
  }));

test("many watch a replay to its end", async () => {
  const session = await client.createSession("pong", { seed: 3, record: true });
  const digests = [session.digest];
  while (digests.length <= TICKS) {
    await session.step();
    digests.push(session.digest);
  }
  const shared = await client.follow(
    await session.delete(), { lockstep: { pace: 0.001 } });
  const observe = { frames: { every_ticks: 1, differences: true } };
  const watchers = [await client.join(shared, { observe }),
    await client.join(shared, { observe })];
  watchers[1].setPace({ factor: 0 });
  await Promise.all(watchers.map(async (watcher) => {
    const scene = new Scene();
    scene.take(watcher.first.result);
    let last;
    for await (const { result } of watcher) {
      if (!result) continue;
      assert.equal(watcher.digest, digests[watcher.tick]);
      scene.take(result);
      watcher.acknowledge(scene.acknowledged);
      last = result;
    }
    assert.equal(last.stop_reason, "STOP_REASON_REPLAY_END");
    assert.equal(watcher.tick, BigInt(TICKS));
    assert.ok(watcher.hasEnded && scene.objects.size > 0);
  }));
  await shared.delete();
});

test("what cannot be joined says why", async () => {
  const alone = await client.createSession("pong");
  assert.equal((await refusal(client.join(alone, { player: 0 }))).reason,
    "SESSION_NOT_SHARED");
  await alone.delete();
  assert.equal((await refusal(client.join("sessions/none"))).reason,
    "SESSION_NOT_FOUND");
});
