// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What isn't drawn of a run but can be looked at: contacts, joints, triggers,
// regions, paths and where one can walk, as lines over the picture.

'use strict';

// Their keys, and what they are called in a link.
const LAYERS = [
  {name: 'contacts', key: 'c', title: 'normals yellow, impulses red'},
  {name: 'joints', key: 'j', title: 'axes pink, limits orange'},
  {name: 'triggers', key: 'g', title: 'as lines, in place of solids'},
  {name: 'regions', key: 'v', title: 'volumes that notice who is inside'},
  {name: 'paths', key: 'w', title: 'searches pink, what they have open orange'},
  {name: 'spaces', key: 's', title: 'where one finds its way; closed grey'},
  {name: 'inputs', key: 'i', title: 'what the players give'},
];

const ROLE_COLOURS = {
  joint: [[0.35, 0.75, 1.0], [0.95, 0.5, 0.95], [1.0, 0.62, 0.2]],
  trigger: [[0.4, 0.95, 0.5]],
  region: [[0.72, 0.62, 1.0]],
  path: [[0.98, 0.85, 0.25], [0.95, 0.5, 0.95], [1.0, 0.62, 0.2]],
  space: [[0.25, 0.75, 0.75], [0.95, 0.5, 0.95]],
};
const INACTIVE_COLOUR = [0.55, 0.55, 0.58];
const NORMAL_COLOUR = [0.98, 0.85, 0.25];
const IMPULSE_COLOUR = [0.98, 0.25, 0.2];

// An impulse is as long as the doublings of this, so that those of a coin and
// of a truck are both seen.
const IMPULSE_LEAST_NS = 0.01;

// A part of how far away the camera is: lines keep their length on the screen.
const UNIT_PART = 0.012;

// The lines of one picture: start, end, colour, pixels.
class LineList {
  constructor() {
    this.data = new Float32Array(10 * 256);
    this.count = 0;
  }
  clear() {
    this.count = 0;
  }
  add(start, end, colour, width) {
    if (this.data.length < 10 * (this.count + 1)) {
      const larger = new Float32Array(2 * this.data.length);
      larger.set(this.data);
      this.data = larger;
    }
    let at = 10 * this.count++;
    for (let i = 0; i < 3; ++i) this.data[at++] = start[i];
    for (let i = 0; i < 3; ++i) this.data[at++] = end[i];
    for (let i = 0; i < 3; ++i) this.data[at++] = colour[i];
    this.data[at] = width;
  }
}

function along(start, way, length) {
  return start.map((value, i) => value + length * way[i]);
}

function addContacts(recording, frame, unit, lines) {
  const {pairs, values} = recording.contactsAt(frame);
  for (let i = 0; 2 * i < pairs.length; ++i) {
    const [x, y, z, nx, ny, nz, impulse] = values.subarray(7 * i, 7 * i + 7);
    const point = [x, y, z];
    const normal = [nx, ny, nz];
    lines.add(point, along(point, normal, 2 * unit), NORMAL_COLOUR, 2);
    if (impulse > 0) {
      const length = unit * Math.log2(1 + impulse / IMPULSE_LEAST_NS);
      lines.add(point, along(point, normal, length), IMPULSE_COLOUR, 3);
    }
    lines.add(point, point, impulse > 0 ? IMPULSE_COLOUR : NORMAL_COLOUR, 5);
  }
}

// Nine numbers a line; recorded_layers.cc writes them so.
const LINE_NUMBERS = 9;
function addGuide(recording, guide, frame, lines) {
  const poses = new Map();
  const placed = (object, x, y, z) => {
    if (object < 0) return [x, y, z];
    if (!poses.has(object)) {
      const pose = new Float64Array(7);
      poses.set(object, recording.readPose(object, frame, pose) ? pose : null);
    }
    const pose = poses.get(object);
    if (!pose) return null;
    const turned = rotate([pose[3], pose[4], pose[5], pose[6]], x, y, z);
    return [pose[0] + turned[0], pose[1] + turned[1], pose[2] + turned[2]];
  };
  const colours = ROLE_COLOURS[guide.kind];
  for (let at = 0; at < guide.lines.length; at += LINE_NUMBERS) {
    const [a, ax, ay, az, b, bx, by, bz, role] =
        guide.lines.slice(at, at + LINE_NUMBERS);
    const start = placed(a, ax, ay, az);
    const end = placed(b, bx, by, bz);
    if (!start || !end) continue;
    const colour = guide.is_active ? colours[role] || colours[0] :
                                     INACTIVE_COLOUR;
    lines.add(start, end, colour, role === 0 ? 2 : 3);
  }
}

// What `layers`, a set of names, show of a frame, which may be between two.
function gatherLines(recording, layers, frame, unit, lines) {
  lines.clear();
  const whole = Math.floor(frame);
  for (const guide of recording.guidesAt(whole)) {
    if (layers.has(`${guide.kind}s`)) addGuide(recording, guide, frame, lines);
  }
  if (layers.has('contacts')) addContacts(recording, whole, unit, lines);
}
