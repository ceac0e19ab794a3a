# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What there is to draw, kept up to date by the frames of a stream."""

import dataclasses

import numpy as np

# As many as the server keeps.
_FRAMES_KEPT = 32
# Fewer objects that have gone aren't worth looking for.
_FORGOTTEN_MIN = 64


@dataclasses.dataclass
class FrameObject:
  """An object that is shown: `shapes` are reprise.v1.FrameShapes in its own
  space, `position` metres, `rotation` a unit quaternion x, y, z, w."""

  serial: int
  name: str
  type: str
  shapes: list
  position: np.ndarray = None
  rotation: np.ndarray = None


class Scene:
  """Takes the frames that were declared by Observe.frames, whole ones and
  differences.

  `acknowledged` is what the next request says (`frame_acknowledged`), so that
  later frames are differences to what is here. A new declaration begins with a
  new scene.
  """

  def __init__(self):
    self.tick = None
    self.acknowledged = 0
    # Those that are shown, by creation serial; meshes by number.
    self.objects = {}
    self.meshes = {}
    self._known = {}
    # What each frame showed that the server may tell differences to: poses by
    # creation serial.
    self._frames = {}

  def take(self, response):
    """Takes the frames of a StepSessionResponse or StepResponse, and returns
    how many there were."""
    frames = response.observations.frames
    for frame in frames:
      self._take(frame)
    return len(frames)

  def _take(self, frame):
    for known in frame.introduced:
      self._known[known.object] = known
    for mesh in frame.meshes:
      self.meshes[mesh.mesh] = mesh
    poses = dict(self._frames[frame.base]) if frame.base else {}
    for serial in frame.gone:
      del poses[serial]
    positions = np.array(frame.positions, dtype=np.float64).reshape(-1, 3)
    rotations = np.array(frame.rotations, dtype=np.float64).reshape(-1, 4)
    for serial, position, rotation in zip(frame.objects, positions, rotations):
      poses[serial] = (position, rotation)
    # The server tells differences to the base, or to one of the last.
    self._frames = {number: shown for number, shown in self._frames.items()
                    if number == frame.base
                    or number > frame.number - _FRAMES_KEPT}
    self._frames[frame.number] = poses
    # What none of them shows is introduced again before it is shown.
    if len(self._known) > 2 * len(poses) + _FORGOTTEN_MIN:
      shown = set().union(*self._frames.values())
      self._known = {serial: known for serial, known in self._known.items()
                     if serial in shown}
    self.acknowledged = frame.number
    self.tick = frame.tick
    self.objects = {
        serial: FrameObject(serial, self._known[serial].name,
                            self._known[serial].type,
                            list(self._known[serial].shapes), *pose)
        for serial, pose in sorted(poses.items())}
