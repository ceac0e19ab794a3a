// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads what `reprise export --format mcap` writes with MCAP's own reader, holds
// each message against Foxglove's published schemas, and its poses against those
// of the JSON lines of the same run.
//
// usage: node foxglove_check.mjs FRAMES.mcap FRAMES.jsonl

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import schemas from "@foxglove/schemas/jsonschema.js";
import { McapIndexedReader } from "@mcap/core";
import Ajv from "ajv";

import { File, decompressHandlers } from "./mcap_file.mjs";

// The messages of each topic, as objects, each with the name of its schema.
async function readTopics(path) {
  const file = await File.open(path);
  try {
    const reader = await McapIndexedReader.Initialize({
      readable: file, decompressHandlers,
    });
    const topics = new Map();
    let last = 0n;
    for await (const message of reader.readMessages()) {
      assert.ok(message.logTime >= last, "times go back");
      last = message.logTime;
      const channel = reader.channelsById.get(message.channelId);
      assert.equal(channel.messageEncoding, "json");
      const schema = reader.schemasById.get(channel.schemaId);
      assert.equal(schema.encoding, "jsonschema");
      JSON.parse(new TextDecoder().decode(schema.data));
      const messages = topics.get(channel.topic) ?? [];
      const value = JSON.parse(new TextDecoder().decode(message.data));
      messages.push({ schema: schema.name, time: message.logTime, value });
      topics.set(channel.topic, messages);
    }
    const metadata = [];
    for await (const each of reader.readMetadata()) metadata.push(each);
    return { topics, metadata };
  } finally {
    await file.handle.close();
  }
}

// Every number, name and list has to be of the kind that the schema says.
function checkSchemas(topics) {
  const ajv = new Ajv({ strict: false, allErrors: false });
  const published = schemas.default ?? schemas;
  const validators = new Map();
  let count = 0;
  for (const [topic, messages] of topics) {
    for (const { schema, value } of messages) {
      if (!schema.startsWith("foxglove.")) continue;
      if (!validators.has(schema)) {
        const definition = published[schema.slice("foxglove.".length)];
        assert.ok(definition, `${schema} is not published`);
        validators.set(schema, ajv.compile(definition));
      }
      const validate = validators.get(schema);
      assert.ok(validate(value),
        `${topic}: ${ajv.errorsText(validate.errors)}`);
      ++count;
    }
  }
  return count;
}

// What a viewer shows at the last frame: the last message of each topic.
function checkWhatASeekShows(topics) {
  const frames = new Set(
    topics.get("/tf").at(-1).value.transforms.map((t) => t.child_frame_id));
  for (const topic of ["/scene", "/scene/surfaces"]) {
    for (const entity of topics.get(topic)?.at(-1).value.entities ?? []) {
      assert.ok(frames.has(entity.frame_id), `${entity.id} is nowhere`);
    }
  }
}

function checkPoses(topics, frames) {
  const states = topics.get("/state");
  const transforms = topics.get("/tf");
  assert.equal(transforms.length, frames.length);
  frames.forEach((frame, i) => {
    assert.equal(states[i].value.tick, Number(frame.tick));
    assert.equal(states[i].value.digest, frame.state_digest);
    const of = new Map(
      transforms[i].value.transforms.map((t) => [t.child_frame_id, t]));
    assert.equal(of.size, frame.objects.length + 1);
    for (const object of frame.objects) {
      const name = `${object.name || object.type}#${object.object}`;
      const transform = of.get(name);
      assert.ok(transform, `${name} isn't there at tick ${frame.tick}`);
      assert.deepEqual(transform.translation, object.position);
      assert.deepEqual(transform.rotation, object.rotation);
    }
  });
}

// At each frame the lines of that frame, with a colour for each end; nothing is
// nowhere, and something is seen at some frame.
function checkLayers(topics, frames) {
  const layers = topics.get("/layers");
  const states = topics.get("/state");
  assert.equal(layers.length, frames.length);
  let count = 0;
  layers.forEach(({ time, value }, i) => {
    assert.equal(time, states[i].time);
    const [entity, ...others] = value.entities;
    assert.equal(others.length, 0);
    assert.equal(entity.frame_id, "run");
    for (const { points, colors } of entity.lines) {
      assert.equal(points.length % 2, 0);
      assert.equal(colors.length, points.length);
      for (const { x, y, z } of points) {
        assert.ok([x, y, z].every(Number.isFinite));
      }
      count += points.length / 2;
    }
  });
  assert.ok(count > 0, "there is no line");
}

const [path, lines] = process.argv.slice(2);
const { topics, metadata } = await readTopics(path);
const frames = (await readFile(lines, "utf8")).trim().split("\n")
  .map((line) => JSON.parse(line));
assert.ok(checkSchemas(topics) > frames.length);
checkWhatASeekShows(topics);
checkPoses(topics, frames);
checkLayers(topics, frames);
const run = metadata.find(({ name }) => name === "reprise.frames").metadata;
assert.equal(run.get("replay"), frames[0].source.replay_digest);
