// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What there is to draw, kept up to date by the frames of a stream.

// As many as the server keeps.
const FRAMES_KEPT = 32n;
// Fewer objects that have gone aren't worth looking for.
const FORGOTTEN_MIN = 64;

// Takes the frames that were declared by Observe.frames, whole ones and
// differences. A new declaration begins with a new scene.
export class Scene {
  // The tick that is shown; null before the first frame.
  tick = null;
  // What the next step says (`frameAcknowledged`), so that later frames are
  // differences to what is here.
  acknowledged = 0n;
  // Those that are shown, by creation serial: `name`, `type` and `shapes` as in
  // reprise.v1.FrameObject, `position` [x, y, z] in metres, `rotation`
  // [x, y, z, w]. Meshes by number.
  objects = new Map();
  meshes = new Map();
  #known = new Map();
  // What each frame showed that the server may tell differences to.
  #frames = new Map();

  // Takes the frames of a response of a step; returns how many there were.
  take(response) {
    const frames = response.observations?.frames ?? [];
    for (const frame of frames) this.#take(frame);
    return frames.length;
  }

  #take(frame) {
    for (const object of frame.introduced) {
      this.#known.set(object.object, object);
    }
    for (const mesh of frame.meshes) this.meshes.set(mesh.mesh, mesh);
    const poses = new Map(frame.base ? this.#frames.get(frame.base) : []);
    for (const serial of frame.gone) poses.delete(serial);
    frame.objects.forEach((serial, i) => {
      poses.set(serial, {
        position: frame.positions.slice(3 * i, 3 * i + 3),
        rotation: frame.rotations.slice(4 * i, 4 * i + 4),
      });
    });
    // The server tells differences to the base, or to one of the last.
    for (const number of this.#frames.keys()) {
      if (number !== frame.base && number <= frame.number - FRAMES_KEPT) {
        this.#frames.delete(number);
      }
    }
    this.#frames.set(frame.number, poses);
    // What none of them shows is introduced again before it is shown.
    if (this.#known.size > 2 * poses.size + FORGOTTEN_MIN) {
      const frames = [...this.#frames.values()];
      for (const serial of this.#known.keys()) {
        if (!frames.some((shown) => shown.has(serial))) {
          this.#known.delete(serial);
        }
      }
    }
    this.acknowledged = frame.number;
    this.tick = frame.tick;
    const serials = [...poses.keys()].sort((a, b) => (a < b ? -1 : 1));
    this.objects = new Map(serials.map((serial) => {
      const { name, type, shapes } = this.#known.get(serial);
      return [serial, { name, type, shapes, ...poses.get(serial) }];
    }));
  }
}
