// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Copies an MCAP file with the format's own implementation, which is not ours:
// the same header, metadata, attachments and messages, but in chunks of another
// size, uncompressed, with channels and schemas numbered anew. The copy is what
// a program of somebody else's would write to be read by us.
//
// usage: node mcap_write.mjs FILE COPY

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";

import { McapStreamReader, McapWriter } from "@mcap/core";
import { decompress } from "fzstd";

// Smaller than most of our batches, larger than most messages.
const CHUNK_BYTES = 2000;

// Where the copy's numbers begin: ours begin with others.
const FIRST_CHANNEL = 40;

class Memory {
  #pieces = [];
  #size = 0n;

  async write(bytes) {
    this.#pieces.push(Buffer.from(bytes));
    this.#size += BigInt(bytes.length);
  }

  position() {
    return this.#size;
  }

  bytes() {
    return Buffer.concat(this.#pieces);
  }
}

function readRecords(bytes) {
  const reader = new McapStreamReader({
    decompressHandlers: {
      zstd: (data, size) => decompress(data, new Uint8Array(Number(size))),
    },
    validateCrcs: true,
  });
  reader.append(bytes);
  const records = [];
  for (let record; (record = reader.nextRecord()); ) {
    // What follows is the summary, which the writer makes itself.
    if (record.type === "DataEnd") return records;
    records.push(record);
  }
  throw new Error("no DataEnd");
}

async function copyRecords(records, writer) {
  const schemas = new Map();
  const channels = new Map();
  for (const record of records) {
    switch (record.type) {
      case "Header":
        await writer.start({ profile: record.profile, library: "mcap_write" });
        break;
      case "Metadata":
        await writer.addMetadata(record);
        break;
      case "Attachment":
        await writer.addAttachment(record);
        break;
      case "Schema":
        if (!schemas.has(record.id)) {
          schemas.set(record.id, await writer.registerSchema(record));
        }
        break;
      case "Channel":
        if (!channels.has(record.id)) {
          const schemaId = schemas.get(record.schemaId);
          channels.set(record.id,
            await writer.registerChannel({ ...record, schemaId }));
        }
        break;
      case "Message":
        await writer.addMessage(
          { ...record, channelId: channels.get(record.channelId) });
        break;
      default:
        assert.ok(["Chunk", "MessageIndex"].includes(record.type), record.type);
    }
  }
  await writer.end();
}

async function main([path, copy]) {
  if (copy === undefined) {
    console.error("usage: node mcap_write.mjs FILE COPY");
    return 2;
  }
  const writable = new Memory();
  const writer = new McapWriter(
    { writable, chunkSize: CHUNK_BYTES, startChannelId: FIRST_CHANNEL });
  await copyRecords(readRecords(await readFile(path)), writer);
  await writeFile(copy, writable.bytes());
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
