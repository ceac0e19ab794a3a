// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that replays are brought to a real server, going on where an upload
// broke off, and worked on there: what is verified, compared, queried and
// exported, how far that is, that it is cancelled and forgotten. Run by
// tests/interop/run_interop.sh, with REPRISE_ADDRESS.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";

import grpc from "@grpc/grpc-js";
import { Client, RepriseError } from "reprise-client";

let client;

before(() => {
  client = new Client(process.env.REPRISE_ADDRESS);
});
after(() => client.close());

// Other seeds give other bytes.
async function record(seed, ticks = 60) {
  const session = await client.createSession("pong", { seed, record: true });
  const batch = 10_000;
  for (let left = ticks; left > 0; left -= batch) {
    await session.step(Math.min(left, batch));
  }
  return session.delete();
}

// The bytes of one that the server has no more.
async function recordAndForget(seed) {
  const name = await record(seed);
  const data = await client.download(name);
  await client.deleteReplay(name);
  return data;
}

async function refusal(promise) {
  const error = await promise.then(
    () => assert.fail("it was not refused"), (reason) => reason);
  assert.ok(error instanceof RepriseError, error.stack);
  return error;
}

function digestOf(data) {
  return createHash("sha256").update(data).digest("hex");
}

// Ends the stream behind the first half.
function uploadHalf(data) {
  return new Promise((resolve) => {
    const call = client.openUpload(resolve);
    call.end({
      digest: digestOf(data), size_bytes: data.length,
      data: data.subarray(0, data.length / 2),
    });
  });
}

test("what is uploaded is the replay", async () => {
  const data = await recordAndForget(1001);
  const brought = await client.upload(data);
  assert.equal(brought.digest, digestOf(data));
  assert.equal(brought.tick_count, 60n);
  assert.ok((await client.download(brought.name)).equals(data));
  // Now they are there.
  assert.equal((await client.upload(data)).name, brought.name);
  const tagged = await client.tagReplay(brought.name, { add: ["node/a"] });
  assert.deepEqual(tagged.tags, ["node/a"]);
  assert.deepEqual((await client.listReplays({ tags: ["node/a"] })).map(
    ({ name }) => name), [brought.name]);
  await client.deleteReplay(brought.name);
  assert.equal((await refusal(client.getReplay(brought.name))).reason,
    "REPLAY_NOT_FOUND");
});

test("an upload goes on where it broke off", async () => {
  const data = await recordAndForget(1002);
  assert.equal((await uploadHalf(data)).code, grpc.status.FAILED_PRECONDITION);
  const half = Math.floor(data.length / 2);
  const { upload } = await client.call(client.replays, "GetUpload",
    { digest: digestOf(data), size_bytes: data.length });
  assert.equal(upload.offset, BigInt(half));

  const sent = [];
  const { openUpload } = client;
  client.openUpload = (respond) => {
    const call = openUpload.call(client, respond);
    const write = call.write.bind(call);
    call.write = (piece, ...rest) => {
      sent.push([piece.offset, piece.data.length]);
      return write(piece, ...rest);
    };
    return call;
  };
  const brought = await client.upload(data);
  client.openUpload = openUpload;
  assert.deepEqual(sent, [[half, data.length - half]]);
  assert.ok((await client.download(brought.name)).equals(data));
});

test("what is no replay is refused", async () => {
  const data = await recordAndForget(1003);
  data[data.length >> 1] ^= 1;
  assert.notEqual((await refusal(client.upload(data))).reason, "");
  assert.equal((await refusal(client.upload(Buffer.alloc(0)))).reason,
    "UPLOAD_REFUSED");
  // Many pieces, which the server doesn't wait for.
  const error = await refusal(client.upload(Buffer.alloc(20 << 20)));
  assert.notEqual(error.reason, "");
});

test("operations say what came of replays", async () => {
  const name = await record(1004);
  const { verification } = await client.wait(await client.verifyReplay(name));
  assert.equal(verification.verdict, "VERDICT_VERIFIED");
  assert.equal(verification.ticks_verified, 60n);
  const { comparison } = await client.wait(
    await client.compareReplays(name, await record(1004)));
  assert.ok(comparison.is_equal);
  const scene = await client.wait(await client.exportReplay(name, "gltf"));
  const glb = await client.downloadResult(scene.name, "replay.glb");
  assert.equal(glb.subarray(0, 4).toString(), "glTF");
  assert.equal(BigInt(glb.length), scene.files[0].size_bytes);
  const film = await client.wait(await client.renderReplay(
    name, "png", { ticks: { first: 60 }, width: 64, height: 36 }));
  assert.equal(film.files.length, 1);
});

test("a query is a table or an error", async () => {
  const name = await record(1005);
  const table = await client.wait(
    await client.queryReplay(name, ["tick"], { ticks: { every: 30 } }));
  const rows = (await client.downloadResult(table.name, "values.csv"))
    .toString().trimEnd().split("\n");
  assert.deepEqual(rows.slice(1).map((row) => row.split(",")[0]),
    ["0", "30", "60"]);
  const failed = await client.queryReplay(name, ["nobody.here"]);
  assert.equal((await refusal(client.wait(failed))).reason, "WORKER_REFUSED");
  await client.deleteOperation(table.name);
  assert.equal((await refusal(client.getOperation(table.name))).reason,
    "OPERATION_NOT_FOUND");
});

// Far more ticks than are verified between two looks.
test("an operation tells how far it is and is cancelled", async () => {
  const ticks = 150_000;
  const begun = await client.verifyReplay(await record(1006, ticks),
    { settings: { request_id: `once-${process.pid}` } });
  const seen = [];
  const ended = await client.wait(begun, async (operation) => {
    if (operation.ticks_done === 0n || seen.length > 0) return;
    seen.push([operation.ticks_done, operation.tick_count]);
    await client.cancelOperation(operation.name);
  });
  assert.equal(ended.state, "STATE_CANCELLED");
  const [[done, count]] = seen;
  assert.equal(count, BigInt(ticks));
  assert.ok(done > 0n && done < count);
});
