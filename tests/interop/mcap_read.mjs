// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads MCAP files with the format's own implementation, which is not ours:
// once by index and once from front to back, with every checksum, and decodes
// each message by its channel's protobuf schema. What it found goes to stdout, as
// JSON lines; the first thing that doesn't fit ends it with exit code 1.
//
// usage: node mcap_read.mjs FILE...

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { crc32 } from "@foxglove/crc";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import protobuf from "protobufjs";
import descriptor from "protobufjs/ext/descriptor/index.js";

import { File, decompressHandlers } from "./mcap_file.mjs";

// The name of a record's kind beside the opcode that groups it in the summary.
const SUMMARY_OPCODES = [0x03, 0x04, 0x08, 0x0a, 0x0b, 0x0d];
const RECORD_PREFIX_BYTES = 9;

async function collect(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

// Everything, as the index finds it.
async function readByIndex(path) {
  const file = await File.open(path);
  try {
    const reader = await McapIndexedReader.Initialize({
      readable: file,
      decompressHandlers,
    });
    return {
      reader,
      messages: await collect(reader.readMessages({ validateCrcs: true })),
      attachments: await collect(
        reader.readAttachments({ validateCrcs: true })),
      metadata: await collect(reader.readMetadata()),
    };
  } finally {
    await file.handle.close();
  }
}

// Every record of the data section and behind it, in the file's order.
function readByStream(bytes) {
  const reader = new McapStreamReader({
    decompressHandlers,
    validateCrcs: true,
    includeChunks: true,
  });
  reader.append(bytes);
  const records = [];
  for (let record; (record = reader.nextRecord()); ) records.push(record);
  assert.ok(reader.done(), "the stream reader didn't get to the end");
  return records;
}

const encoder = new TextEncoder();

// What the profile puts last into the map of a metadata record: a checksum over
// the name and the entries before it, as they stand in the file.
function metadataChecksum({ name, metadata }) {
  const strings = [name, ...[...metadata].slice(0, -1).flat()];
  const pieces = strings.flatMap((string) => {
    const bytes = encoder.encode(string);
    return [Buffer.from(Uint32Array.of(bytes.length).buffer), bytes];
  });
  return crc32(Buffer.concat(pieces)).toString(16).padStart(8, "0");
}

// The profile requires every checksum that the format makes optional: one that
// is absent, 0, has to be computed to be found wrong.
function checkChecksums(records) {
  for (const record of records) {
    if (record.type === "Chunk") {
      const bytes = record.compression === "" ? record.records
        : decompressHandlers[record.compression](
          record.records, record.uncompressedSize);
      assert.equal(record.uncompressedCrc, crc32(bytes), "a chunk's checksum");
    } else if (record.type === "Metadata") {
      const [key, value] = [...record.metadata].at(-1);
      assert.equal(key, "crc32", `metadata ${record.name}: no checksum`);
      assert.equal(value, metadataChecksum(record),
        `metadata ${record.name}: a wrong checksum`);
    }
  }
}

// A message index has to name each message of the chunk before it, and no
// other, at the place where it stands.
function checkMessageIndexes(records) {
  let expected = new Map();
  for (const record of records) {
    if (record.type === "Chunk") {
      assert.equal(expected.size, 0, "a chunk lacks message indexes");
    } else if (record.type === "Message") {
      const times = expected.get(record.channelId) ?? [];
      expected.set(record.channelId, [...times, record.logTime]);
    } else if (record.type === "MessageIndex") {
      assert.deepEqual(record.records.map(([time]) => time),
        expected.get(record.channelId) ?? [], "a message index");
      expected.delete(record.channelId);
    }
  }
  assert.equal(expected.size, 0, "the last chunk lacks message indexes");
}

function byChannelAndSequence(a, b) {
  return a.channelId - b.channelId || a.sequence - b.sequence;
}

// What our profile promises beyond what the library checks by itself.
function checkProfile(bytes, byIndex, records) {
  const { reader, messages } = byIndex;
  const ofType = (type) => records.filter((record) => record.type === type);

  const streamed = ofType("Message").sort(byChannelAndSequence);
  assert.deepEqual([...messages].sort(byChannelAndSequence), streamed,
    "the index and the stream give different messages");
  assert.deepEqual(byIndex.attachments, ofType("Attachment"),
    "the index and the stream give different attachments");
  assert.deepEqual(byIndex.metadata, ofType("Metadata"),
    "the index and the stream give different metadata");
  checkChecksums(records);
  checkMessageIndexes(records);
  const counts = new Map();
  for (const { channelId, sequence } of streamed) {
    const expected = counts.get(channelId) ?? 0;
    assert.equal(sequence, expected, `a gap on channel ${channelId}`);
    counts.set(channelId, expected + 1);
  }
  const { statistics } = reader;
  assert.equal(Number(statistics.messageCount), messages.length);
  assert.equal(statistics.chunkCount, ofType("Chunk").length);
  assert.equal(statistics.attachmentCount, byIndex.attachments.length);
  assert.equal(statistics.metadataCount, byIndex.metadata.length);
  for (const [channelId, count] of counts) {
    assert.equal(Number(statistics.channelMessageCounts.get(channelId)), count);
  }

  const [dataEnd] = ofType("DataEnd");
  const dataSection = bytes.subarray(0, Number(reader.dataEndOffset));
  assert.equal(dataEnd.dataSectionCrc, crc32(dataSection),
    "data section: a wrong checksum");
  assert.notEqual(reader.footer.summaryCrc, 0, "the summary has no checksum");
  for (const [opcode, group] of reader.summaryOffsetsByOpcode) {
    assert.ok(SUMMARY_OPCODES.includes(opcode), `a group of kind ${opcode}`);
    checkGroup(bytes, opcode, group);
  }
}

// A group has to hold whole records of one kind, and nothing else.
function checkGroup(bytes, opcode, { groupStart, groupLength }) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = Number(groupStart + groupLength);
  let offset = Number(groupStart);
  while (offset < end) {
    assert.equal(view.getUint8(offset), opcode, `at offset ${offset}`);
    offset += RECORD_PREFIX_BYTES + Number(view.getBigUint64(offset + 1, true));
  }
  assert.equal(offset, end, `the group of kind ${opcode} ends in a record`);
}

// A function that decodes messages of `schema`, or null for other encodings.
function decoderOf(schema) {
  if (schema?.encoding !== "protobuf") return null;
  const files = descriptor.FileDescriptorSet.decode(schema.data);
  const type = protobuf.Root.fromDescriptor(files).lookupType(schema.name);
  return (data) => type.decode(data);
}

function describe(path, { reader, messages, attachments, metadata }) {
  const lines = [{
    kind: "file",
    path,
    profile: reader.header.profile,
    library: reader.header.library,
    chunks: reader.chunkIndexes.length,
    messages: messages.length,
  }];
  for (const { name, metadata: entries } of metadata) {
    lines.push({ kind: "metadata", name, entries: Object.fromEntries(entries) });
  }
  for (const { name, mediaType, data } of attachments) {
    lines.push({ kind: "attachment", name, mediaType, bytes: data.length });
  }
  for (const channel of reader.channelsById.values()) {
    const schema = reader.schemasById.get(channel.schemaId);
    const own = messages.filter((message) => message.channelId === channel.id);
    const decode = decoderOf(schema);
    assert.notEqual(decode, null, `${channel.topic} has no protobuf schema`);
    own.forEach((message) => decode(message.data));
    lines.push({
      kind: "channel",
      topic: channel.topic,
      schema: schema?.name ?? null,
      schemaEncoding: schema?.encoding ?? null,
      messageEncoding: channel.messageEncoding,
      messages: own.length,
    });
  }
  return lines;
}

async function main(paths) {
  if (paths.length === 0) {
    console.error("usage: node mcap_read.mjs FILE...");
    return 2;
  }
  for (const path of paths) {
    try {
      const bytes = await readFile(path);
      const byIndex = await readByIndex(path);
      checkProfile(bytes, byIndex, readByStream(bytes));
      for (const line of describe(path, byIndex)) {
        console.log(JSON.stringify(line));
      }
    } catch (error) {
      console.error(`${path}: ${error.message}`);
      return 1;
    }
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
