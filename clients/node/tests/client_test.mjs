// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the package against a real server: what is seen is what `reprise
// inspect` prints of the same tick, equal inputs give equal digests, sessions go
// back and fork, and what is refused says why. Run by
// tests/interop/run_interop.sh, with REPRISE_ADDRESS and REPRISE_PROGRAM.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import grpc from "@grpc/grpc-js";
import { Client, Decoder, RepriseError, Scene } from "reprise-client";

const PUSH = 32767;
let client;

before(() => {
  client = new Client(process.env.REPRISE_ADDRESS);
});
after(() => client.close());

function steer(tick, x, z) {
  return { tick, frames: [{ device: { axes: [x, z] } }] };
}

async function withSession(options, use) {
  const session = await client.createSession("marble", options);
  try {
    return await use(session);
  } finally {
    await session.delete();
  }
}

// What the error of a promise says.
async function refusal(promise) {
  const error = await promise.then(
    () => assert.fail("it was not refused"), (reason) => reason);
  assert.ok(error instanceof RepriseError, error.stack);
  return error;
}

test("there are packs, and what the server can do", async () => {
  const packs = await client.listPacks();
  assert.ok(packs.some(({ name }) => name === "marble"));
  const { limits } = await client.serverInfo();
  assert.ok(limits.observed_fields_max > 0);
  const { description } = await client.getPack("marble");
  assert.ok(description.players.actions.length > 0);
});

test("equal seeds and inputs give equal digests", async () => {
  const play = (x) => withSession({ seed: 7 }, async (session) => {
    await session.step(120, { inputs: [steer(0, x, PUSH), steer(60, 0, x)] });
    assert.equal(session.tick, 120n);
    return session.digest;
  });
  assert.equal(await play(0), await play(0));
  assert.notEqual(await play(0), await play(PUSH));
});

test("a scene is what a frame shows", () => withSession({ seed: 7 },
  async (session) => {
    const scene = new Scene();
    for (let i = 0; i < 5; ++i) {
      const response = await session.step(10, {
        observe: i === 0
          ? { frames: { every_ticks: 5, differences: true } } : undefined,
        inputs: [steer(Number(session.tick), 0, PUSH)],
        wantFrame: true,
        frameAcknowledged: scene.acknowledged,
      });
      assert.equal(scene.take(response), 2);
      assert.equal(scene.tick, session.tick);
      const frames = response.observations.frames;
      assert.equal(frames[0].base, i === 0 ? 0n : BigInt(2 * i));
      const shown = response.frame.objects;
      assert.deepEqual([...scene.objects.keys()],
        shown.map(({ object }) => object));
      for (const { object, name, shapes, position, rotation } of shown) {
        const drawn = scene.objects.get(object);
        assert.equal(drawn.name, name);
        assert.deepEqual(drawn.shapes, shapes);
        assert.deepEqual(drawn.position, [position.x, position.y, position.z]);
        assert.deepEqual(drawn.rotation,
          [rotation.x, rotation.y, rotation.z, rotation.w]);
      }
    }
  }));

test("a replay is played from any tick", async () => {
  const session = await client.createSession(
    "marble", { seed: 3, record: true });
  await session.step(60, { inputs: [steer(0, PUSH, PUSH)] });
  const { digest } = session;
  await session.step(40);
  const replay = await session.delete();
  const player = await client.follow(replay, { tick: 20 });
  try {
    await player.step(40);
    assert.equal(player.digest, digest);
    const response = await player.step(1000);
    assert.equal(response.stop_reason, "STOP_REASON_REPLAY_END");
    assert.equal(player.tick, 100n);
    await player.seek(60);
    assert.equal(player.digest, digest);
  } finally {
    await player.delete();
  }
});

test("a recording is downloaded while it is made", async () => {
  const session = await client.createSession("marble", { record: true });
  const { replay } = session.message;
  await session.step(30);
  const pieces = [];
  for await (const piece of client.downloadLive(replay)) {
    pieces.push(piece);
    if (pieces.length > 1) continue;
    assert.equal(piece.subarray(1, 5).toString(), "MCAP");
    await session.step(30);
    await session.delete();
  }
  const whole = await client.download(replay);
  assert.ok(whole.equals(Buffer.concat(pieces)));
  for await (const rest of client.downloadLive(replay, { offset: 5 })) {
    assert.ok(rest.equals(whole.subarray(5, 5 + rest.length)));
    break;
  }
  const { reason } = await refusal(
    client.downloadLive("replays/none").next());
  assert.equal(reason, "REPLAY_NOT_FOUND");
});

test("what is seen is what inspect prints", async () => {
  const session = await client.createSession(
    "marble", { seed: 7, record: true });
  const decoder = new Decoder();
  const blocks = decoder.read(await session.step(60, {
    observe: {
      groups: [
        { fields: ["bodies.position", "bodies.linear_velocity"],
          objects: ["player"] },
        { fields: ["tick"], every_ticks: 20 },
      ],
    },
    inputs: [steer(0, 0, PUSH)],
  }));
  const seen = blocks.find(({ group }) => group === 0);
  assert.deepEqual(seen.names, ["player"]);
  assert.deepEqual(seen.ticks, [60n]);
  const ticks = blocks.filter(({ group }) => group === 1)
    .flatMap((block) => block.ticks);
  assert.deepEqual(ticks, [20n, 40n, 60n]);
  // Who the rows are was said; later responses leave it out.
  const [later] = decoder.read(await session.step(1));
  assert.deepEqual(later.names, ["player"]);

  const folder = mkdtempSync(join(tmpdir(), "reprise-"));
  try {
    const path = join(folder, "run.mcap");
    const replay = await session.delete();
    writeFileSync(path, await client.download(replay));
    const inspected = JSON.parse(execFileSync(process.env.REPRISE_PROGRAM,
      ["inspect", path, "--tick", "60", "--format", "json"]));
    const [bodies] = inspected.rooms.flatMap(({ tables }) => tables)
      .filter(({ table }) => table === "bodies");
    const { fields } = bodies.rows.find(({ key }) => key[0] === "player");
    const { values, parts, absent, unit } = seen.columns["bodies.position"];
    assert.equal(parts, 3);
    assert.equal(unit, "m");
    assert.equal(absent.size, 0);
    const { x, y, z } = fields.position;
    assert.deepEqual([...values], [x, y, z]);
    assert.ok((await client.listReplays()).some(({ name }) => name === replay));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("several steps are asked for before one is answered", async () => {
  await withSession({ seed: 1 }, async (session) => {
    const responses = await Promise.all(
      [0, 10, 20].map((at) => session.step(10, { at })));
    assert.deepEqual(responses.map(({ tick }) => tick), [10n, 20n, 30n]);
    assert.equal(session.tick, 30n);
  });
});

test("a session goes back, forks and is found again", async () => {
  await withSession({ seed: 3 }, async (session) => {
    await session.step(30);
    const kept = await session.snapshot();
    const there = session.digest;
    await session.step(30);
    const end = session.digest;
    await session.restore(kept);
    assert.equal(session.digest, there);
    const fork = await session.fork();
    await session.step(30);
    assert.equal(session.digest, end);
    await fork.step(30);
    assert.equal(fork.digest, end);
    await fork.delete();
    await session.release();
    const found = await client.getSession(session.name);
    assert.equal(found.tick, 60n);
    await found.reset();
    assert.equal(found.tick, 0n);
    await found.release();
  });
});

test("what is refused says why, and the session goes on", async () => {
  const unknown = await refusal(client.createSession("golf"));
  assert.equal(unknown.code, grpc.status.NOT_FOUND);
  assert.equal(unknown.reason, "PACK_NOT_FOUND");
  assert.equal(unknown.metadata.pack, "golf");
  await withSession({}, async (session) => {
    const mismatch = await refusal(session.step(1, { at: 5 }));
    assert.equal(mismatch.reason, "TICK_MISMATCH");
    assert.equal(mismatch.code, grpc.status.FAILED_PRECONDITION);
    await session.step(2);
    assert.equal(session.tick, 2n);
    const other = await client.getSession(session.name);
    assert.equal((await refusal(other.step())).code,
      grpc.status.FAILED_PRECONDITION);
  });
});

test("who waits for too long is told", async () => {
  const hasty = new Client(process.env.REPRISE_ADDRESS, { timeoutMs: 1 });
  await withSession({}, async (session) => {
    const error = await refusal(hasty.getSession(session.name)
      .then((same) => same.step(200_000)));
    assert.equal(error.code, grpc.status.DEADLINE_EXCEEDED);
  });
  hasty.close();
});

test("what can be repeated is, while the server is unavailable", async () => {
  let calls = 0;
  const server = new grpc.Server();
  server.addService(client.catalog.constructor.service, {
    GetServerInfo: (call, respond) => {
      calls += 1;
      if (calls < 3) {
        respond({ code: grpc.status.UNAVAILABLE, details: "not yet" });
      } else {
        respond(null, { server: { version: "3rd" } });
      }
    },
  });
  const port = await new Promise((resolve, reject) => server.bindAsync(
    "127.0.0.1:0", grpc.ServerCredentials.createInsecure(),
    (error, bound) => error ? reject(error) : resolve(bound)));
  const other = new Client(`127.0.0.1:${port}`);
  assert.equal((await other.serverInfo()).version, "3rd");
  assert.equal(calls, 3);
  other.close();
  server.forceShutdown();
});

test("a token goes to another machine by TLS only", () => {
  assert.throws(() => new Client("games.example:7171", { token: "secret" }),
    /only by TLS/);
  assert.throws(() => new Client("games.example:7171", { key: "key.pem" }),
    /rootCertificates/);
  new Client("127.0.0.1:7171", { token: "secret" }).close();
});
