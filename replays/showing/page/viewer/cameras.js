// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which camera there is, and how it follows what is chosen.

'use strict';

// What the camera does: with the object chosen, or by itself. From behind it is
// as far away, and as high, as `reprise render --camera follow` is, and in its
// eyes as `first-person`.
const CAMERAS = [
  {name: 'free', title: 'drag turns, shift-drag moves, the wheel zooms'},
  {name: 'follow', title: 'keeps what is chosen in the middle'},
  {name: 'chase', title: 'from behind the way that what is chosen goes'},
  {name: 'eyes', title: 'from what is chosen'},
  {name: 'top', title: 'from above, without perspective'},
  {name: 'front', title: 'along z, without perspective'},
  {name: 'side', title: 'along x, without perspective'},
];
const CHASE_DISTANCE_M = 8;
const CHASE_PITCH = Math.atan2(3, 8);
const EYES_M = 1.6;

// A way is told from this many frames before; a shorter one turns nobody.
const CHASE_FRAMES = 8;
const CHASE_LEAST_M = 0.02;

class CameraChoice {
  constructor(viewer) {
    this.viewer = viewer;
    this.box = make(
        'select', {
          id: 'camera',
          title: 'the camera',
          onchange: () => {
            this.use(this.box.value);
            viewer.writeLink();
            // Keys are the viewer's again.
            this.box.blur();
          },
        },
        ...CAMERAS.map(
            ({name, title}) =>
                make('option', {value: name, textContent: name, title})));
  }

  // `follow` leaves a camera along an axis as it is; what takes an object stays
  // free while none is chosen.
  use(name) {
    const {viewer} = this;
    const isFlat = name in FLAT_TURNS;
    const isOfObject = !isFlat && name !== 'free';
    if (isOfObject && !viewer.selected) name = 'free';
    viewer.follows = isOfObject && viewer.selected ? name : '';
    if (name !== 'follow') viewer.camera.flat = isFlat ? name : '';
    if (viewer.follows === 'chase') {
      viewer.camera.distance = CHASE_DISTANCE_M;
      viewer.camera.pitch = CHASE_PITCH;
    }
    if (viewer.follows === 'eyes') viewer.camera.pitch = 0;
    viewer.draw();
  }

  update() {
    const {camera, follows} = this.viewer;
    this.box.value = follows || camera.flat || 'free';
  }

  // Nobody sees himself.
  isEye(object) {
    const {follows, selected} = this.viewer;
    return follows === 'eyes' && object.name === selected;
  }

  // Goes where what is chosen goes.
  keepInSight() {
    const {camera, follows, frame} = this.viewer;
    const place = this.placeOf(frame);
    if (!place) return;
    if (follows !== 'follow') {
      const before = this.placeOf(Math.max(0, frame - CHASE_FRAMES));
      const [x, , z] = place.map((value, i) => value - (before || place)[i]);
      if (Math.hypot(x, z) > CHASE_LEAST_M) camera.yaw = Math.atan2(-x, -z);
    }
    if (follows === 'eyes') {
      camera.placeEye(along(place, [0, 1, 0], EYES_M));
    } else {
      camera.target = place;
    }
  }

  // Of what is chosen; null where it isn't there.
  placeOf(frame) {
    const {recordings: [recording], selected} = this.viewer;
    const index = recording.indexOf(selected, Math.floor(frame));
    const pose = new Float64Array(7);
    if (index < 0 || !recording.readPose(index, frame, pose)) return null;
    return [pose[0], pose[1], pose[2]];
  }
}
