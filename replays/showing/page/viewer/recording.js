// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the page holds of a run: chunks of frames, decoded when they are wanted.
// view_page.cc and pose_codec.h say what the bytes are.

'use strict';

// Decoded chunks that are kept: a minute at 60 Hz. Contacts of so many only,
// which are several of each object.
const CHUNKS_KEPT = 32;
const CONTACT_CHUNKS_KEPT = 4;

function bytesOfBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(
      new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Reads LEB128 numbers. Positions take more than 32 bits, so no shifts.
class NumberReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.next = 0;
  }
  unsigned() {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.next++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }
  signed() {
    const bits = this.unsigned();
    return bits % 2 === 0 ? bits / 2 : -(bits + 1) / 2;
  }
}

// An object's poses in one chunk: `values` has seven numbers a frame, or seven
// in all where it doesn't move; `isThere` is null where it always is.
function readTrack(reader, frames, page) {
  const flags = reader.unsigned();
  const moves = (flags & 1) !== 0;
  let isThere = null;
  if ((flags & 2) !== 0) {
    isThere = new Uint8Array(frames);
    let frame = 0;
    for (let left = reader.unsigned(), on = 0; left > 0; --left, on ^= 1) {
      const length = reader.unsigned();
      isThere.fill(on, frame, frame + length);
      frame += length;
    }
  }
  const values = new Float32Array(moves ? 7 * frames : 7);
  for (let column = 0; column < 7; ++column) {
    const step = column < 3 ? page.position_step : page.rotation_step;
    let value = reader.signed();
    if (!moves) {
      values[column] = value * step;
      continue;
    }
    let speed = 0;
    let isFirst = true;
    for (let frame = 0; frame < frames; ++frame) {
      if (isThere && !isThere[frame]) continue;
      if (!isFirst) {
        speed += reader.signed();
        value += speed;
      }
      isFirst = false;
      values[7 * frame + column] = value * step;
    }
  }
  return {moves, isThere, values};
}

function readChunk(bytes, page) {
  const view = new DataView(bytes.buffer);
  const frames = view.getUint32(0, true);
  const poseBytes = view.getUint32(4, true);
  const contactBytes = view.getUint32(8, true);
  const digests = [];
  let at = 12;
  for (let i = 0; i < frames; ++i, at += 8) {
    digests.push(view.getBigUint64(at, true).toString(16).padStart(16, '0'));
  }
  const reader = new NumberReader(bytes.subarray(at, at + poseBytes));
  const tracks = new Map();
  let object = -1;
  for (let left = reader.unsigned(); left > 0; --left) {
    object += reader.unsigned();
    tracks.set(object, readTrack(reader, frames, page));
  }
  at += poseBytes;
  const packedContacts = bytes.subarray(at, at + contactBytes);
  at += contactBytes;
  const fields = new Map();
  const {fields: columns, guides, inputs} =
      JSON.parse(new TextDecoder().decode(bytes.subarray(at)));
  for (const [column, gaps, values] of columns) {
    let frame = 0;
    fields.set(column, {frames: gaps.map(gap => frame += gap), values});
  }
  return {frames, digests, tracks, packedContacts, fields, guides, inputs};
}

// What contacts of other pairs are coded from: the same ones in the frame
// before, or zeros. contact_codec.h says more.
function findReferences(pairs, values, next) {
  const places = new Map();
  for (let i = 0; 2 * i < pairs.length; ++i) {
    const key = `${pairs[2 * i]},${pairs[2 * i + 1]}`;
    if (!places.has(key)) places.set(key, []);
    places.get(key).push(i);
  }
  const references = new Float64Array(7 * next.length / 2);
  for (let i = 0; 2 * i < next.length; ++i) {
    const known = places.get(`${next[2 * i]},${next[2 * i + 1]}`);
    if (!known || known.length === 0) continue;
    const from = 7 * known.shift();
    references.set(values.subarray(from, from + 7), 7 * i);
  }
  return references;
}

function readPairs(reader) {
  const pairs = new Int32Array(2 * reader.unsigned());
  let first = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    first += reader.signed();
    pairs[i] = first;
    pairs[i + 1] = reader.signed();
  }
  return pairs;
}

// Of each frame the two objects of each contact and seven values: its point,
// its normal, its impulse.
function readContacts(bytes, frames, page) {
  const reader = new NumberReader(bytes);
  const steps = [0, 1, 2, 3, 4, 5].map(
      i => i < 3 ? page.contact_step : page.normal_step);
  const contacts = [];
  let pairs = new Int32Array(0);
  let whole = new Float64Array(0);
  for (let frame = 0; frame < frames; ++frame) {
    if (reader.unsigned() === 0) {
      const next = readPairs(reader);
      whole = findReferences(pairs, whole, next);
      pairs = next;
    } else {
      whole = whole.slice();
    }
    const count = pairs.length / 2;
    for (let column = 0; column < 7; ++column) {
      for (let i = 0; i < count; ++i) whole[7 * i + column] += reader.signed();
    }
    const values = new Float32Array(7 * count);
    const bits = new Uint32Array(values.buffer);
    for (let i = 0; i < 7 * count; ++i) {
      const column = i % 7;
      if (column < 6) {
        values[i] = whole[i] * steps[column];
      } else {
        bits[i] = whole[i] * 2 ** page.impulse_bits_dropped;
      }
    }
    contacts.push({pairs, values});
  }
  return contacts;
}

// Of [frame, ...] entries, ascending, the last at or before a frame that
// passes; null where none does.
function lastBefore(entries, frame, passes) {
  for (let i = entries.length - 1; i >= 0; --i) {
    if (entries[i][0] <= frame && passes(entries[i])) return entries[i];
  }
  return null;
}

class Recording {
  constructor(number, page) {
    const run = page.runs[number];
    this.page = page;
    this.number = number;
    this.name = run.name;
    this.source = run.source;
    this.frameCount = run.frame_count;
    this.objects = run.objects;
    this.colours = run.colours;
    this.geometries = run.geometries;
    this.events = run.events;
    this.objectives = run.objectives;
    this.unmarkedEventCount = run.unmarked_event_count;
    this.guides = run.guides;
    this.hasContacts = run.has_contacts;
    this.inputs = run.inputs;
    this.inputMarks = run.input_marks;
    this.columns = run.columns.map(
        ([serial, name, unit], index) => ({serial, name, unit, index}));
    this.columnsOf = groupBySerial(this.columns);
    this.serials = new Map(this.objects.map(o => [o.name, o.serial]));
    this.indexes = new Map();  // by name: one for each look
    this.objects.forEach(({name}, index) => {
      if (!this.indexes.has(name)) this.indexes.set(name, []);
      this.indexes.get(name).push(index);
    });
    this.chunks = new Map();  // decoded, the one used last at the end
    this.inSight = 0;  // a chunk
    this.pending = new Map();
    this.withContacts = [];  // chunks
  }

  fileName() {
    return this.name.slice(this.name.lastIndexOf('/') + 1);
  }
  tickOf(frame) {
    return this.source.first_tick + frame * this.source.every;
  }
  frameOf(tick) {
    const frame =
        Math.round((tick - this.source.first_tick) / this.source.every);
    return Math.max(0, Math.min(this.frameCount - 1, frame));
  }

  serialOf(name) {
    return this.serials.has(name) ? this.serials.get(name) : -1;
  }

  // The object of a name as it looks at a frame; -1 where it isn't there.
  indexOf(name, frame) {
    const found = this.find(Math.min(frame, this.frameCount - 1));
    if (!found) return -1;
    for (const index of this.indexes.get(name) || []) {
      const track = found.chunk.tracks.get(index);
      if (track && (!track.isThere || track.isThere[found.at])) return index;
    }
    return -1;
  }

  // Decodes the chunk of a frame; the same promise while it is under way.
  load(frame) {
    const number = Math.floor(frame / this.page.chunk_frames);
    const known = this.chunks.get(number);
    if (known) return Promise.resolve(known);
    if (!this.pending.has(number)) {
      this.pending.set(number, this.decode(number));
    }
    return this.pending.get(number);
  }

  async decode(number) {
    const element = document.getElementById(`chunk-${this.number}-${number}`);
    const chunk = readChunk(
        await inflate(bytesOfBase64(element.textContent)), this.page);
    this.chunks.set(number, chunk);
    this.pending.delete(number);
    if (this.chunks.size > CHUNKS_KEPT) this.forgetOne();
    return chunk;
  }

  // The one that was used longest ago, but none that is in sight: a plot goes
  // through them all.
  forgetOne() {
    for (const number of this.chunks.keys()) {
      if (Math.abs(number - this.inSight) <= 1) continue;
      this.chunks.delete(number);
      return;
    }
  }

  // Keeps what is around a frame.
  keep(frame) {
    this.inSight = Math.floor(frame / this.page.chunk_frames);
  }

  // The chunk of a frame if it is decoded, and the frame's place in it.
  find(frame) {
    const number = Math.floor(frame / this.page.chunk_frames);
    const chunk = this.chunks.get(number);
    if (!chunk) return null;
    this.chunks.delete(number);
    this.chunks.set(number, chunk);
    return {chunk, at: frame - number * this.page.chunk_frames};
  }

  // Writes the pose of an object at a frame, which may be between two, to
  // `out`: x y z of its place, x y z w of its rotation. False: it isn't there,
  // or its chunk isn't decoded.
  readPose(object, frame, out) {
    const whole = Math.floor(frame);
    const found = this.find(whole);
    const track = found && found.chunk.tracks.get(object);
    if (!track || track.isThere && !track.isThere[found.at]) return false;
    const {values, moves} = track;
    const from = moves ? 7 * found.at : 0;
    for (let i = 0; i < 7; ++i) out[i] = values[from + i];
    const part = frame - whole;
    if (part > 0 && moves) this.blend(object, whole + 1, part, out);
    normalize(out);
    return true;
  }

  blend(object, frame, part, out) {
    const found = frame < this.frameCount ? this.find(frame) : null;
    const track = found && found.chunk.tracks.get(object);
    if (!track || track.isThere && !track.isThere[found.at]) return;
    const from = track.moves ? 7 * found.at : 0;
    const to = track.values;
    let dot = 0;
    for (let i = 3; i < 7; ++i) dot += out[i] * to[from + i];
    const sign = dot < 0 ? -1 : 1;
    for (let i = 0; i < 7; ++i) {
      const value = to[from + i] * (i < 3 ? 1 : sign);
      out[i] += part * (value - out[i]);
    }
  }

  digestAt(frame) {
    const found = this.find(frame);
    return found ? found.chunk.digests[found.at] : '';
  }

  // The value of a column at a frame; null where it has none.
  fieldAt(column, frame) {
    const found = this.find(frame);
    const changes = found && found.chunk.fields.get(column.index);
    if (!changes) return null;
    let low = 0;
    let high = changes.frames.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (changes.frames[middle] <= found.at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low === 0 ? null : changes.values[low - 1];
  }

  contactsAt(frame) {
    const found = this.find(frame);
    if (!found) return {pairs: new Int32Array(0), values: new Float32Array(0)};
    const {chunk} = found;
    if (!chunk.contacts) {
      chunk.contacts =
          readContacts(chunk.packedContacts, chunk.frames, this.page);
      this.withContacts.push(chunk);
      if (this.withContacts.length > CONTACT_CHUNKS_KEPT) {
        this.withContacts.shift().contacts = null;
      }
    }
    return chunk.contacts[found.at];
  }

  // Joints, triggers, regions, paths and spaces that are there at a frame.
  guidesAt(frame) {
    const found = this.find(frame);
    if (!found) return [];
    const last = lastBefore(found.chunk.guides, found.at, () => true);
    return last ? last[1].map(number => this.guides[number]) : [];
  }

  // What a player gives at a frame; what is at rest isn't mentioned.
  inputsAt(frame, player) {
    const found = this.find(frame);
    const last = found &&
        lastBefore(found.chunk.inputs, found.at, entry => entry[1] === player);
    return last ? last[2] : {};
  }

  // Those of an object, or of the world where the name is empty.
  columnsOfName(name) {
    return this.columnsOf.get(name ? this.serialOf(name) : 0) || [];
  }

  // The objects there are at a frame, by their indexes.
  objectsAt(frame) {
    const found = this.find(frame);
    const there = [];
    if (!found) return there;
    for (const [object, track] of found.chunk.tracks) {
      if (!track.isThere || track.isThere[found.at]) there.push(object);
    }
    return there;
  }
}

function groupBySerial(columns) {
  const groups = new Map();
  for (const column of columns) {
    if (!groups.has(column.serial)) groups.set(column.serial, []);
    groups.get(column.serial).push(column);
  }
  return groups;
}

function normalize(pose) {
  const length = Math.hypot(pose[3], pose[4], pose[5], pose[6]) || 1;
  for (let i = 3; i < 7; ++i) pose[i] /= length;
}
