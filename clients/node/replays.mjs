// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What is done with replays of a server: finding, tagging, sending them, and
// operations, which the server carries out in processes of their own.

import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

import { errors } from "./errors.mjs";

// Small beside the limit of every message, large enough that its cost vanishes.
const PIECE_BYTES = 1 << 20;
// How long to wait before the next look at an operation: at first, and at most.
const PAUSE_MS_MIN = 20;
const PAUSE_MS_MAX = 500;

// At least one, which asks for the end of what is there as a whole.
function* piecesOf(data, digest, offset) {
  do {
    const piece = data.subarray(offset, offset + PIECE_BYTES);
    yield { digest, size_bytes: data.length, offset, data: piece };
    offset += piece.length;
  } while (offset < data.length);
}

// The part of Client that is about replays.
export class ReplayCalls {
  // All finished replays that match: `pack`, `outcome`, `tags`, `text` and so on,
  // as of ListReplaysRequest.
  listReplays(filter = {}) {
    return this.list(this.replays, "ListReplays", "replays", filter);
  }

  // What is known of a replay, as a message.
  async getReplay(name) {
    return (await this.call(this.replays, "GetReplay", { name })).replay;
  }

  // Changes its tags; resolves with the replay.
  async tagReplay(name, { add = [], remove = [] }) {
    return (await this.call(this.replays, "UpdateReplayTags", {
      name, add, remove, request_id: randomUUID(),
    })).replay;
  }

  async deleteReplay(name) {
    await this.call(
      this.replays, "DeleteReplay", { name, request_id: randomUUID() });
  }

  // Sends the bytes of a replay, a Buffer, from where an earlier upload of them
  // broke off; resolves with the replay.
  async upload(data) {
    const digest = createHash("sha256").update(data).digest("hex");
    const { upload } = await this.call(
      this.replays, "GetUpload", { digest, size_bytes: data.length });
    const pieces = Readable.from(
      piecesOf(data, digest, Number(upload.offset)), { highWaterMark: 1 });
    return new Promise((resolve, reject) => {
      pieces.pipe(this.openUpload((error, response) => {
        pieces.destroy();
        if (error) reject(errors.ofCall(error));
        else resolve(response.replay);
      }));
    });
  }

  // The bytes of a replay, as a Buffer.
  download(replay) {
    return this.collect(this.replays, "DownloadReplay", { name: replay });
  }

  // Begins to verify it; options as of VerifyReplayRequest. As all that follow,
  // resolves with an Operation, which `wait` waits for.
  verifyReplay(name, options = {}) {
    return this.#begin("VerifyReplay", { name, ...options });
  }

  compareReplays(name, other = "", options = {}) {
    return this.#begin("CompareReplays", { name, other, ...options });
  }

  // Computes expressions at its ticks, as the file "values.csv".
  queryReplay(name, expressions, options = {}) {
    return this.#begin("QueryReplay", { name, expressions, ...options });
  }

  // `format` is "gltf", "usda", "mcap", "csv", "jsonl" or "view".
  exportReplay(name, format, options = {}) {
    return this.#begin("ExportReplay", {
      name, format: `FORMAT_${format.toUpperCase()}`, ...options,
    });
  }

  // `output` is "png" or "mp4".
  renderReplay(name, output, options = {}) {
    return this.#begin("RenderReplay", {
      name, output: `OUTPUT_${output.toUpperCase()}`, ...options,
    });
  }

  async getOperation(name) {
    return (await this.call(
      this.operations, "GetOperation", { name })).operation;
  }

  // Resolves with the operation when it has ended, also by being cancelled, and
  // rejects where it failed, but for a verification, whose verdict says so.
  // `onProgress` is called with each look at it, and waited for.
  async wait(operation, onProgress = () => {}) {
    let pause = PAUSE_MS_MIN;
    while (!operation.end_time) {
      await sleep(pause);
      pause = Math.min(2 * pause, PAUSE_MS_MAX);
      operation = await this.getOperation(operation.name);
      await onProgress(operation);
    }
    if (operation.error && !operation.verification) {
      throw errors.ofStatus(operation.error);
    }
    return operation;
  }

  // Has it end without a result; one that has ended stays as it is.
  async cancelOperation(name) {
    await this.call(this.operations, "CancelOperation", { name });
  }

  // Forgets it with its files.
  async deleteOperation(name) {
    await this.call(
      this.operations, "DeleteOperation", { name, request_id: randomUUID() });
  }

  // The bytes of one of the files of an operation, as a Buffer.
  downloadResult(name, file) {
    return this.collect(this.operations, "DownloadResult", { name, file });
  }

  async #begin(method, request) {
    const settings = { request_id: randomUUID(), ...request.settings };
    return (await this.call(
      this.operations, method, { ...request, settings })).operation;
  }
}
