// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Drives a running server with gRPC's own JavaScript client, which is not ours:
// health, reflection, what there is to play, a session that is stepped and
// recorded, resets, snapshots and forks, errors, the download of its replay, and
// branches of that. Each claim is one line of TAP;
// exit code 1 when one fails.
//
// usage: node grpc_client.mjs ADDRESS PROTO_FOLDER REPLAY_FILE BRANCH_FILE
//
// The server must offer the pack "marble". The replay is left in REPLAY_FILE,
// a branch of it in BRANCH_FILE.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";
import protobuf from "protobufjs";

const CALL_TIMEOUT_MS = 20_000;
const PIECE_BYTES_MAX = 256 * 1024;

// gRPC's own services, as far as they are called here.
const HEALTH = `
  syntax = "proto3";
  package grpc.health.v1;
  service Health {
    rpc Check(HealthCheckRequest) returns (HealthCheckResponse);
  }
  message HealthCheckRequest { string service = 1; }
  message HealthCheckResponse {
    enum ServingStatus { UNKNOWN = 0; SERVING = 1; NOT_SERVING = 2; }
    ServingStatus status = 1;
  }`;
const REFLECTION = `
  syntax = "proto3";
  package grpc.reflection.v1alpha;
  service ServerReflection {
    rpc ServerReflectionInfo(stream ServerReflectionRequest)
        returns (stream ServerReflectionResponse);
  }
  message ServerReflectionRequest { string list_services = 7; }
  message ServerReflectionResponse {
    message Services { repeated Service service = 1; }
    message Service { string name = 1; }
    Services list_services_response = 6;
  }`;

const LOADER_OPTIONS = {
  keepCase: true, longs: BigInt, enums: String, defaults: true, oneofs: true,
};

function loadText(text) {
  const { root } = protobuf.parse(text, { keepCase: true });
  return grpc.loadPackageDefinition(
    protoLoader.fromJSON(root.toJSON({ keepComments: false }), LOADER_OPTIONS));
}

function loadFiles(folder, files) {
  return grpc.loadPackageDefinition(
    protoLoader.loadSync(files, { ...LOADER_OPTIONS, includeDirs: [folder] }));
}

// A function from the error of a call to its google.rpc.ErrorInfo.
function errorInfoReader(folder) {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) =>
    target.startsWith("google/protobuf/") ? target : join(folder, target);
  root.loadSync(["google/rpc/status.proto", "google/rpc/error_details.proto"]);
  const Status = root.lookupType("google.rpc.Status");
  const ErrorInfo = root.lookupType("google.rpc.ErrorInfo");
  return (error) => {
    const [bytes] = error.metadata.get("grpc-status-details-bin");
    const infos = Status.decode(bytes).details.filter(
      (detail) => detail.type_url.endsWith("/google.rpc.ErrorInfo"));
    assert.equal(infos.length, 1, "not exactly one ErrorInfo");
    return ErrorInfo.decode(infos[0].value);
  };
}

function deadline() {
  return { deadline: Date.now() + CALL_TIMEOUT_MS };
}

function unary(client, method, request) {
  return new Promise((resolve, reject) => {
    client[method](request, deadline(), (error, response) =>
      error ? reject(error) : resolve(response));
  });
}

async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  assert.fail("the call succeeded");
}

// A bidirectional call that is written to and read from one message at a time.
class Stream {
  constructor(call) {
    this.call = call;
    this.messages = call[Symbol.asyncIterator]();
  }

  async exchange(request) {
    this.call.write(request);
    const { value, done } = await this.messages.next();
    assert.ok(!done, "the stream ended");
    return value;
  }

  async end() {
    this.call.end();
    const { done } = await this.messages.next();
    assert.ok(done, "a response nobody asked for");
  }
}

class Claims {
  count = 0;
  failed = 0;

  async check(claim, prove) {
    this.count += 1;
    try {
      await prove();
      console.log(`ok ${this.count} - ${claim}`);
    } catch (error) {
      this.failed += 1;
      console.log(`not ok ${this.count} - ${claim}`);
      console.log(String(error.stack).replace(/^/gm, "# "));
    }
  }

  end() {
    console.log(`1..${this.count}`);
    return this.failed === 0 ? 0 : 1;
  }
}

// The steps of a game of 600 ticks: a press on the stick for 60 ticks, a
// release, a jump, and so on.
function playSteps() {
  const steps = [];
  for (let tick = 0; tick < 600; tick += 60) {
    const push = tick % 120 === 0;
    steps.push({
      tick, tick_count: 60,
      inputs: [
        { tick, frames: [{ device: { axes: [0, push ? 32767 : 0] } }] },
        { tick: tick + 30, frames: [{ device: { buttons: push ? 0 : 1 } }] },
      ],
    });
  }
  return steps;
}

async function checkTransport(claims, address) {
  const credentials = grpc.credentials.createInsecure();
  const health = new (loadText(HEALTH).grpc.health.v1.Health)(
    address, credentials);
  const services = [
    "reprise.v1.SimulationService", "reprise.v1.ReplayService",
    "reprise.v1.CatalogService", "reprise.v1.OperationService",
  ];

  await claims.check("health serves the whole and each service", async () => {
    for (const service of ["", ...services]) {
      const { status } = await unary(health, "Check", { service });
      assert.equal(status, "SERVING", service);
    }
  });
  await claims.check("health knows no other service", async () => {
    const error = await errorOf(unary(health, "Check", { service: "golf" }));
    assert.equal(error.code, grpc.status.NOT_FOUND);
  });
  await claims.check("reflection lists the services", async () => {
    const { ServerReflection } = loadText(REFLECTION).grpc.reflection.v1alpha;
    const client = new ServerReflection(address, credentials);
    const stream = new Stream(client.ServerReflectionInfo(deadline()));
    const response = await stream.exchange({ list_services: "" });
    await stream.end();
    const names = response.list_services_response.service.map(
      ({ name }) => name);
    for (const service of services) assert.ok(names.includes(service), service);
    client.close();
  });
  health.close();
}

async function checkCatalog(claims, catalog) {
  await claims.check("the server says what it can do and allows", async () => {
    const { server } = await unary(catalog, "GetServerInfo", {});
    assert.ok(server.features.includes("FEATURE_SNAPSHOTS"));
    assert.ok(server.limits.sessions_max > 0);
    assert.ok(server.simulations.includes("world"));
    assert.notEqual(server.version, "");
  });
  await claims.check("packs are listed in pages, with digests", async () => {
    const listed = new Map();
    let token = "";
    do {
      const page = await unary(
        catalog, "ListPacks", { page_size: 5, page_token: token });
      page.packs.forEach((pack) => listed.set(pack.name, pack));
      token = page.next_page_token;
    } while (token !== "");
    assert.match(listed.get("marble").digest, /^[0-9a-f]{64}$/);
  });
  await claims.check("a pack says how it is won and lost", async () => {
    const { pack } = await unary(catalog, "GetPack", { pack: "marble" });
    const outcomes = pack.description.outcome_rules.map(
      ({ outcome }) => outcome);
    assert.ok(outcomes.includes("OUTCOME_WON"), outcomes.join(" "));
    assert.ok(pack.files.some(({ path }) => path === "pack.txtpb"));
  });
  await claims.check("triangles come with the pack that has some", async () => {
    const { pack } = await unary(
      catalog, "GetPack", { pack: "terrain", want_meshes: true });
    assert.ok(pack.meshes.length > 0);
  });
}

async function checkGoingBack(claims, simulations, errorInfoOf) {
  const { session } = await unary(
    simulations, "CreateSession", { pack: "marble", seed: 7 });
  const { name } = session;
  const step = (tick, tick_count, axis) => unary(simulations, "Step", {
    session: name, tick, tick_count,
    inputs: [{ tick, frames: [{ device: { axes: [0, axis] } }] }],
  });
  await claims.check("single steps are refused like calls", async () => {
    const error = await errorOf(step(5, 1, 0));
    assert.equal(error.code, grpc.status.FAILED_PRECONDITION);
    assert.equal(errorInfoOf(error).reason, "TICK_MISMATCH");
  });
  await claims.check("a snapshot is gone back to", async () => {
    await step(0, 60, 32767);
    const { snapshot } = await unary(simulations, "SnapshotSession", { name });
    const first = await step(60, 60, -32767);
    const back = await unary(
      simulations, "RestoreSession", { snapshot: snapshot.name });
    assert.equal(back.session.digest, snapshot.digest);
    const again = await step(60, 60, -32767);
    assert.equal(again.digest, first.digest);
  });
  await claims.check("a fork goes on by itself", async () => {
    const fork = (await unary(simulations, "ForkSession", { name })).session;
    await step(120, 60, 32767);
    const left = await unary(simulations, "GetSession", { name: fork.name });
    assert.equal(left.session.tick, 120n);
    await unary(simulations, "DeleteSession", { name: fork.name });
  });
  await claims.check("a reset is the run from its beginning", async () => {
    const reset = await unary(simulations, "ResetSession", { name });
    assert.equal(reset.session.digest, session.digest);
  });
  await unary(simulations, "DeleteSession", { name });
}

async function checkLifeCycle(claims, simulations, errorInfoOf) {
  await claims.check("an unknown pack is refused with a reason", async () => {
    const error = await errorOf(
      unary(simulations, "CreateSession", { pack: "golf" }));
    assert.equal(error.code, grpc.status.NOT_FOUND);
    const info = errorInfoOf(error);
    assert.equal(info.reason, "PACK_NOT_FOUND");
    assert.equal(info.domain, "reprise");
    assert.equal(info.metadata.pack, "golf");
  });
  await claims.check("a pack says what there is in it", async () => {
    const { description } = await unary(
      simulations, "DescribePack", { pack: "marble" });
    assert.ok(description.players.actions.some(({ axis }) => axis === 0));
    const landed = description.events.find(({ name }) => name === "landed");
    assert.equal(landed.arguments[0].type, "TYPE_OBJECT");
  });
  await claims.check("a repeated request gets the same session", async () => {
    const request = { pack: "marble", request_id: "once" };
    const first = await unary(simulations, "CreateSession", request);
    const second = await unary(simulations, "CreateSession", request);
    assert.equal(second.session.name, first.session.name);
    await unary(simulations, "DeleteSession", { name: first.session.name });
  });
  await claims.check("a deleted session is gone", async () => {
    const { session } = await unary(
      simulations, "CreateSession", { pack: "marble" });
    await unary(simulations, "DeleteSession", { name: session.name });
    const error = await errorOf(
      unary(simulations, "GetSession", { name: session.name }));
    assert.equal(error.code, grpc.status.NOT_FOUND);
    assert.equal(errorInfoOf(error).reason, "SESSION_NOT_FOUND");
  });
  await claims.check("a message above the limit is refused", async () => {
    const error = await errorOf(unary(
      simulations, "CreateSession", { pack: "x".repeat(5 * 1024 * 1024) }));
    assert.equal(error.code, grpc.status.RESOURCE_EXHAUSTED);
    await unary(simulations, "GetSession", { name: "sessions/none" }).catch(
      ({ code }) => assert.equal(code, grpc.status.NOT_FOUND));
  });
}

// Plays a recorded game; returns the last response and the replay's name.
async function play(simulations, claims = null) {
  const { session } = await unary(
    simulations, "CreateSession", { pack: "marble", seed: 7, record: true });
  const stream = new Stream(simulations.StepSession(deadline()));
  const refuse = async (claim, request, code, reason) => {
    await claims?.check(claim, async () => {
      const { error, status } = await stream.exchange(request);
      assert.equal(error.code, code);
      assert.equal(error.reason, reason);
      assert.equal(status.code, code);
      assert.equal(status.details.length, 1);
    });
  };

  let last = await stream.exchange({ session: session.name });
  await refuse("a tick in the past is an item's error",
    { tick: 1, tick_count: 1 },
    grpc.status.FAILED_PRECONDITION, "TICK_MISMATCH");
  await refuse("an unknown player is an item's error",
    { tick_count: 1, inputs: [{ frames: [{ player: 9 }] }] },
    grpc.status.INVALID_ARGUMENT, "INPUT_REFUSED");
  await refuse("too many ticks are an item's error",
    { tick_count: 4_000_000_000 },
    grpc.status.RESOURCE_EXHAUSTED, "TOO_MANY_TICKS");
  await claims?.check("a second stream on the session is refused", async () => {
    const second = new Stream(simulations.StepSession(deadline()));
    const error = await errorOf(second.exchange({ session: session.name }));
    assert.equal(error.code, grpc.status.FAILED_PRECONDITION);
  });
  for (const step of playSteps()) {
    last = await stream.exchange({ ...step, want_frame: true });
    assert.equal(last.error, null, last.error?.message);
    assert.equal(last.tick, BigInt(step.tick + step.tick_count));
  }
  await stream.end();
  const { replay } = await unary(
    simulations, "DeleteSession", { name: session.name });
  return { last, replay };
}

async function checkStepping(claims, simulations) {
  let played = null;
  await claims.check("a game of 600 ticks is played on one stream", async () => {
    played = await play(simulations);
    assert.equal(played.last.tick, 600n);
    assert.notEqual(played.last.digest, 0n);
  });
  await claims.check("a frame shows the player", async () => {
    const names = played.last.frame.objects.map(({ name }) => name);
    assert.ok(names.includes("player"), names.join(" "));
  });
  const again = await play(simulations, claims);
  await claims.check("the same inputs give the same digest", async () => {
    assert.equal(again.last.digest, played.last.digest);
  });
  await claims.check("a stream that breaks off leaves its session", async () => {
    const { session } = await unary(
      simulations, "CreateSession", { pack: "marble" });
    const broken = new Stream(simulations.StepSession(deadline()));
    await broken.exchange({ session: session.name, tick_count: 5 });
    broken.call.on("error", () => {});
    broken.call.cancel();
    const found = await unary(
      simulations, "GetSession", { name: session.name });
    assert.equal(found.session.tick, 5n);
  });
  return again;
}

// Goes on with a replay from `tick`, by the steps that begin there or later;
// returns the last response and what DeleteSession says.
async function playBranch(simulations, branch, record, steps) {
  const { session } = await unary(
    simulations, "CreateSession", { branch, record });
  assert.equal(session.tick, BigInt(branch.tick));
  const stream = new Stream(simulations.StepSession(deadline()));
  let last = await stream.exchange({ session: session.name, tick: branch.tick });
  for (const step of steps) {
    last = await stream.exchange(step);
    assert.equal(last.error, null, last.error?.message);
  }
  await stream.end();
  const { replay } = await unary(
    simulations, "DeleteSession", { name: session.name });
  return { last, replay };
}

// Writes a recorded branch of `parent` to `path`.
async function checkBranches(claims, simulations, replays, errorInfoOf, parent,
  path) {
  const branch = { replay: parent.replay, tick: 300 };
  await claims.check("a replay goes on live to the same end", async () => {
    const { last } = await playBranch(
      simulations, branch, false,
      playSteps().filter(({ tick }) => tick >= branch.tick));
    assert.equal(last.tick, 600n);
    assert.equal(last.digest, parent.last.digest);
  });
  await claims.check("and by other inputs to another, recorded", async () => {
    const { last, replay } = await playBranch(
      simulations, branch, true, [{ tick: branch.tick, tick_count: 300 }]);
    assert.equal(last.tick, 600n);
    assert.notEqual(last.digest, parent.last.digest);
    await writeFile(path, await download(replays, { name: replay }));
  });
  await claims.check("a tick behind the replay's end is refused", async () => {
    const error = await errorOf(unary(
      simulations, "CreateSession", { branch: { ...branch, tick: 601 } }));
    assert.equal(error.code, grpc.status.OUT_OF_RANGE);
    assert.equal(errorInfoOf(error).reason, "TICK_OUT_OF_RANGE");
  });
}

async function download(replays, request) {
  const pieces = [];
  for await (const piece of replays.DownloadReplay(request, deadline())) {
    assert.ok(piece.data.length > 0 && piece.data.length <= PIECE_BYTES_MAX);
    pieces.push(piece.data);
  }
  return Buffer.concat(pieces);
}

async function checkReplays(claims, replays, errorInfoOf, name, path) {
  let size = 0;
  await claims.check("the recording is listed, in pages", async () => {
    let token = "";
    const listed = new Map();
    do {
      const page = await unary(
        replays, "ListReplays", { page_size: 1, page_token: token });
      assert.ok(page.replays.length <= 1);
      page.replays.forEach((replay) => listed.set(replay.name, replay));
      token = page.next_page_token;
    } while (token !== "");
    assert.ok(listed.has(name), name);
    size = Number(listed.get(name).size_bytes);
  });
  await claims.check("the recording is downloaded whole", async () => {
    const bytes = await download(replays, { name });
    assert.equal(bytes.length, size);
    await writeFile(path, bytes);
  });
  await claims.check("a broken download goes on where it was", async () => {
    const whole = await download(replays, { name });
    const rest = await download(replays, { name, offset: 100 });
    assert.deepEqual(rest, whole.subarray(100));
  });
  await claims.check("no name leads out of the store", async () => {
    const error = await errorOf(
      download(replays, { name: "replays/../../etc/passwd" }));
    assert.equal(error.code, grpc.status.INVALID_ARGUMENT);
    assert.equal(errorInfoOf(error).reason, "NAME_MALFORMED");
  });
}

async function main([address, folder, path, branchPath]) {
  if (branchPath === undefined) {
    console.error("usage: node grpc_client.mjs ADDRESS PROTO_FOLDER " +
      "REPLAY_FILE BRANCH_FILE");
    return 2;
  }
  const { CatalogService, SimulationService, ReplayService } = loadFiles(
    folder, [
      "reprise/v1/catalog_service.proto",
      "reprise/v1/simulation_service.proto",
      "reprise/v1/replay_service.proto",
    ]).reprise.v1;
  const credentials = grpc.credentials.createInsecure();
  const simulations = new SimulationService(address, credentials);
  const replays = new ReplayService(address, credentials);
  const catalog = new CatalogService(address, credentials);
  const errorInfoOf = errorInfoReader(folder);

  const claims = new Claims();
  await checkTransport(claims, address);
  await checkCatalog(claims, catalog);
  await checkLifeCycle(claims, simulations, errorInfoOf);
  await checkGoingBack(claims, simulations, errorInfoOf);
  const played = await checkStepping(claims, simulations);
  await checkReplays(claims, replays, errorInfoOf, played.replay, path);
  await checkBranches(
    claims, simulations, replays, errorInfoOf, played, branchPath);
  simulations.close();
  replays.close();
  catalog.close();
  return claims.end();
}

process.exitCode = await main(process.argv.slice(2));
