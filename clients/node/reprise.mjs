// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Calls of a Reprise server, and sessions. A call that fails rejects with a
// RepriseError. Messages are plain objects with the names of the .proto files;
// numbers of 64 bits are BigInts, enums are their names.

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";

import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

import { errors, PROTO_FOLDER, RepriseError } from "./errors.mjs";
import { Scene } from "./frames.mjs";
import { Decoder } from "./observations.mjs";
import { PlayStream } from "./playing.mjs";
import { ReplayCalls } from "./replays.mjs";

export { Decoder, PlayStream, RepriseError, Scene };

const LOADER_OPTIONS = {
  keepCase: true, longs: BigInt, enums: String, defaults: true, oneofs: true,
  includeDirs: [PROTO_FOLDER],
};
// As the server's: meshes and observations may be large.
const MESSAGE_BYTES_MAX = 64 << 20;
// Only what can be repeated without harm, and only what UNAVAILABLE says.
const SERVICE_CONFIG = {
  methodConfig: [{
    name: [
      { service: "reprise.v1.CatalogService" },
      ...["CreateSession", "GetSession", "ListSessions"].map(
        (method) => ({ service: "reprise.v1.SimulationService", method })),
      ...["GetReplay", "ListReplays", "DeleteReplay", "UpdateReplayTags",
        "GetUpload"].map(
        (method) => ({ service: "reprise.v1.ReplayService", method })),
      { service: "reprise.v1.OperationService" },
    ],
    retryPolicy: {
      maxAttempts: 4, initialBackoff: "0.1s", maxBackoff: "2s",
      backoffMultiplier: 2, retryableStatusCodes: ["UNAVAILABLE"],
    },
  }],
};

const { v1 } = grpc.loadPackageDefinition(protoLoader.loadSync(
  ["catalog", "operation", "replay", "simulation"].map(
    (name) => `reprise/v1/${name}_service.proto`),
  LOADER_OPTIONS)).reprise;

function isLocal(address) {
  if (address.startsWith("unix:")) return true;
  const host = address.slice(0, address.lastIndexOf(":"))
    .replace(/^\[|\]$/g, "");
  return host === "localhost" || host === "::1" ||
    (isIPv4(host) && host.startsWith("127."));
}

// Bytes as they are, of a path what is there, of nothing null.
function readPem(pem) {
  if (pem === undefined) return null;
  return typeof pem === "string" ? readFileSync(pem) : pem;
}

function makeCredentials(address, options) {
  const { token, rootCertificates, certificate, key } = options;
  if (rootCertificates === undefined) {
    if (certificate !== undefined || key !== undefined) {
      throw new TypeError("a certificate takes rootCertificates, too");
    }
    if (token !== undefined && !isLocal(address)) {
      throw new TypeError("a token is sent to another machine only by TLS: " +
        "give rootCertificates");
    }
    return grpc.credentials.createInsecure();
  }
  return grpc.credentials.createSsl(
    readPem(rootCertificates), readPem(key), readPem(certificate));
}

// The server at an address.
export class Client extends ReplayCalls {
  #metadata = new grpc.Metadata();
  #clients = [];

  // Connects when it is first used. Each call, and each wait for an answer of a
  // stream, fails with DEADLINE_EXCEEDED after `timeoutMs`; null: never.
  // `token` is what `reprise token` printed. With `rootCertificates` it speaks
  // TLS and trusts these authorities; `certificate` and `key` are its own, for a
  // server that wants them. All three are PEM: a Buffer, or the path of a file.
  // A token without TLS goes to a server on this machine only.
  constructor(address, options = {}) {
    super();
    this.timeoutMs = options.timeoutMs === undefined ? 60_000
      : options.timeoutMs;
    const credentials = makeCredentials(address, options);
    const channel = {
      "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
      "grpc.service_config": JSON.stringify(SERVICE_CONFIG),
    };
    if (options.token !== undefined) {
      this.#metadata.set("authorization", `Bearer ${options.token}`);
    }
    const open = (Service) => {
      const client = new Service(address, credentials, channel);
      this.#clients.push(client);
      return client;
    };
    this.catalog = open(v1.CatalogService);
    this.simulations = open(v1.SimulationService);
    this.replays = open(v1.ReplayService);
    this.operations = open(v1.OperationService);
  }

  // Ends the connections. Sessions stay.
  close() {
    this.#clients.forEach((client) => client.close());
  }

  // Makes a unary call: `client.call(client.catalog, "GetPack", { pack })`.
  call(service, method, request = {}) {
    return new Promise((resolve, reject) => {
      service[method](request, this.#metadata, this.#deadline(),
        (error, response) =>
          error ? reject(errors.ofCall(error)) : resolve(response));
    });
  }

  // What the server is, can do and allows.
  async serverInfo() {
    return (await this.call(this.catalog, "GetServerInfo")).server;
  }

  // All packs that the server offers, without their descriptions.
  listPacks() {
    return this.list(this.catalog, "ListPacks", "packs");
  }

  // All that there is in a pack.
  async getPack(pack, { wantMeshes = false } = {}) {
    return (await this.call(
      this.catalog, "GetPack", { pack, want_meshes: wantMeshes })).pack;
  }

  // Starts a session of a pack; or, with `branch` and no pack, of a replay at a
  // tick: { replay, tick }. With a `lockstep`, a Lockstep, clients may `join` it.
  async createSession(pack, { seed = 0, record = false, labels = {}, branch,
    lockstep } = {}) {
    const { session } = await this.call(this.simulations, "CreateSession", {
      pack, seed, record, labels, branch, lockstep, request_id: randomUUID(),
    });
    return new Session(this, session);
  }

  // A session that plays a replay, from a tick on. Its steps end where the replay
  // does (STOP_REASON_REPLAY_END), or where it has come to so far if it is still
  // being recorded; `seek` goes elsewhere. With a `lockstep`, of which only `pace`
  // is said, any number of clients watch it: they `join`.
  follow(replay, { tick = 0, labels = {}, lockstep } = {}) {
    return this.createSession(
      "", { labels, lockstep, branch: { replay, tick, follow: true } });
  }

  // Joins a session, or one of that name, that was created with a `lockstep`: as a
  // player, whose seat is free or whose `seatKey` this is, or without one as an
  // observer. `observe` is an Observe. Resolves with a PlayStream.
  join(session, { player, seatKey = "", observe, wantFrames = false } = {}) {
    return PlayStream.open(this, {
      session: session.name ?? session, player, seat_key: seatKey, observe,
      want_frames: wantFrames,
    });
  }

  // The session of a name, which somebody may have created elsewhere.
  async getSession(name) {
    const { session } = await this.call(
      this.simulations, "GetSession", { name });
    return new Session(this, session);
  }

  // All sessions, as messages.
  listSessions(filter = {}) {
    return this.list(this.simulations, "ListSessions", "sessions", filter);
  }

  // The bytes of a replay that may still be recorded, as Buffers, as they come:
  // together they are the file, when its recording is finished and there are no
  // more. It waits as long as that takes. One that broke off is gone on with from
  // the `offset` behind what has come; who leaves the loop ends it.
  async *downloadLive(replay, { offset = 0, length = 0 } = {}) {
    const call = this.replays.DownloadReplay(
      { name: replay, offset, length, follow: true }, this.#metadata);
    // Nobody waits for that of a call that is cancelled below.
    call.on("error", () => {});
    try {
      for await (const { data } of call) yield data;
    } catch (error) {
      throw errors.ofCall(error);
    } finally {
      call.cancel();
    }
  }

  // A StepSession call; of use to Session.
  openStream() {
    return new Stream(
      this.simulations.StepSession(this.#metadata), this.timeoutMs);
  }

  // A PlaySession call; of use to PlayStream.
  openPlayCall() {
    return this.simulations.PlaySession(this.#metadata);
  }

  // An UploadReplay call; of use to ReplayCalls, as what follows.
  openUpload(respond) {
    return this.replays.UploadReplay(
      this.#metadata, this.#deadline(), respond);
  }

  // What all pieces of a download are together.
  async collect(service, method, request) {
    const pieces = [];
    const call = service[method](request, this.#metadata, this.#deadline());
    try {
      for await (const { data } of call) pieces.push(data);
    } catch (error) {
      throw errors.ofCall(error);
    }
    return Buffer.concat(pieces);
  }

  // The items of all pages of a list.
  async list(service, method, items, filter = {}) {
    const all = [];
    let token = "";
    do {
      const page = await this.call(
        service, method, { ...filter, page_token: token });
      all.push(...page[items]);
      token = page.next_page_token;
    } while (token !== "");
    return all;
  }

  #deadline() {
    return this.timeoutMs === null ? {}
      : { deadline: Date.now() + this.timeoutMs };
  }
}

// One StepSession call: each request gets one response, in order.
class Stream {
  #call;
  #messages;
  #timeoutMs;
  #hasTimedOut = false;
  // What was asked for and not answered yet is waited for one by one.
  #turn = Promise.resolve();

  constructor(call, timeoutMs) {
    this.#call = call;
    this.#messages = call[Symbol.asyncIterator]();
    this.#timeoutMs = timeoutMs;
  }

  exchange(request) {
    this.#call.write(request);
    const answer = this.#turn.then(() => this.#receive());
    this.#turn = answer.catch(() => {});
    return answer;
  }

  async close() {
    await this.#turn;
    this.#call.end();
    try {
      while (!(await this.#wait()).done);
    } catch {
      // It has ended, which was asked for.
    }
  }

  async #receive() {
    const { value, done } = await this.#wait();
    if (done) {
      throw new RepriseError(
        grpc.status.ABORTED, "ABORTED", "the stream has ended");
    }
    return value;
  }

  async #wait() {
    const watchdog = this.#timeoutMs === null ? null : setTimeout(() => {
      this.#hasTimedOut = true;
      this.#call.cancel();
    }, this.#timeoutMs);
    try {
      return await this.#messages.next();
    } catch (error) {
      if (!this.#hasTimedOut) throw errors.ofCall(error);
      throw new RepriseError(
        grpc.status.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED",
        `no response in ${this.#timeoutMs} ms`);
    } finally {
      clearTimeout(watchdog);
    }
  }
}

// A session. Its steps go over one stream, which is opened by the first and keeps
// others from stepping it until `release`.
export class Session {
  #client;
  #stream = null;

  constructor(client, message) {
    this.#client = client;
    this.#take(message);
  }

  // Of the state that the session was last described or stepped to, 16
  // hexadecimal digits.
  get digest() {
    return this.message.digest;
  }

  // Makes ticks; resolves with the StepSessionResponse. `inputs` are TickInputs,
  // `observe` an Observe, which goes on for later steps, `until` an Until,
  // `frameAcknowledged` a Scene's. Steps may be asked for before those before are
  // answered, if `at` says the tick at which each begins.
  async step(tickCount = 1, { inputs = [], observe, until, wantFrame = false,
    frameAcknowledged = 0n, at = this.tick } = {}) {
    this.#stream ??= this.#client.openStream();
    const stream = this.#stream;
    let response;
    try {
      response = await stream.exchange({
        session: this.name, tick: at, tick_count: tickCount, inputs, observe,
        until, want_frame: wantFrame,
        frame_acknowledged: frameAcknowledged,
      });
    } catch (error) {
      if (this.#stream === stream) this.#stream = null;
      throw error;
    }
    this.tick = response.tick;
    this.message.tick = response.tick;
    this.message.digest = response.digest.toString(16).padStart(16, "0");
    if (response.status) throw errors.ofStatus(response.status);
    return response;
  }

  // Lets others step the session. What was declared to be seen is forgotten: the
  // next step declares it again.
  async release() {
    const stream = this.#stream;
    this.#stream = null;
    await stream?.close();
  }

  // Goes back to tick 0, with this seed or the one that it has. Resolves with the
  // name of the replay of the run before; empty when nothing was recorded.
  async reset(seed) {
    await this.release();
    return this.#goBack("ResetSession", { name: this.name, seed });
  }

  // Goes to a tick of the replay that it plays.
  async seek(tick) {
    await this.release();
    await this.#goBack("ResetSession", { name: this.name, tick });
  }

  // Keeps how it stands; resolves with the name that `restore` takes.
  async snapshot() {
    return (await this.#call("SnapshotSession", { name: this.name }))
      .snapshot.name;
  }

  async deleteSnapshot(snapshot) {
    await this.#call("DeleteSnapshot", { name: snapshot });
  }

  // Goes back to a snapshot; resolves as `reset`.
  async restore(snapshot) {
    await this.release();
    return this.#goBack("RestoreSession", { snapshot });
  }

  // Another session that goes on from here, or from a snapshot.
  async fork({ snapshot = "", record = false } = {}) {
    if (record) await this.release();
    const { session } = await this.#call("ForkSession", {
      name: this.name, snapshot, record, request_id: randomUUID(),
    });
    return new Session(this.#client, session);
  }

  // Ends it; resolves with the name of its replay, empty when not recorded.
  async delete() {
    await this.release();
    return (await this.#call("DeleteSession", { name: this.name })).replay;
  }

  #call(method, request) {
    return this.#client.call(this.#client.simulations, method, request);
  }

  async #goBack(method, request) {
    const { session, replay } = await this.#call(method, request);
    this.#take(session);
    return replay;
  }

  #take(message) {
    this.message = message;
    this.name = message.name;
    this.tick = message.tick;
  }
}
