# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Actions of a pack as spaces, and values of these as what a player gives."""

import numpy as np

from reprise import spaces
from reprise.v1 import input_pb2
from reprise.v1 import pack_pb2

_AXIS_MAX = 32767
_POINTER_MAX = 65535
_Type = pack_pb2.Property.Type


class ActionSet:
  """The actions of a player, by name.

  An axis is a number from -1 to 1; buttons and keys are 0 or 1; a pointer is
  two numbers from 0 to 1, a motion or a wheel two whole ones; a command is
  whether it is given, and its arguments. Others, such as texts, touches and
  commands with a reference, stand in `unsupported` and are left out.
  """

  def __init__(self, players, names=None):
    self._actions = {}
    self.unsupported = []
    for action in players.actions:
      if names is not None and action.name not in names:
        continue
      space = _space_of(action)
      if space is None:
        self.unsupported.append(action.name)
      else:
        self._actions[action.name] = (action, space)
    if names is not None:
      lacking = [name for name in names if name not in self._actions]
      if lacking:
        raise ValueError(f"no such actions, or none with a space: {lacking}")
    self.space = spaces.Dict(
        {name: space for name, (_, space) in self._actions.items()})

  def to_frame(self, player, values):
    """The InputFrame of `values`, in which actions may be left out."""
    frame = input_pb2.InputFrame(player=player)
    device = frame.device
    axes = {}
    keys = []
    for name, value in values.items():
      action, _ = self._actions[name]
      kind = action.WhichOneof("binding")
      if kind == "axis":
        axes[action.axis] = int(round(_scalar(value) * _AXIS_MAX))
      elif kind == "button":
        device.buttons |= int(_scalar(value) != 0) << action.button
      elif kind == "key":
        keys += [action.key] if _scalar(value) else []
      elif kind == "mouse_button":
        device.mouse.buttons |= int(_scalar(value) != 0) << action.mouse_button
      elif kind == "pointer":
        device.mouse.x, device.mouse.y = (
            int(round(float(part) * _POINTER_MAX)) for part in value)
      elif kind == "mouse_motion":
        frame.activity.mouse_x, frame.activity.mouse_y = map(int, value)
      elif kind == "wheel":
        frame.activity.wheel_x, frame.activity.wheel_y = map(int, value)
      elif int(value["give"]):
        _add_command(frame, action, value)
    device.axes.extend(axes.get(i, 0) for i in range(max(axes, default=-1) + 1))
    device.keys.extend(sorted(keys))
    return frame


def _scalar(value):
  return np.asarray(value).reshape(()).item()


def _space_of(action):
  kind = action.WhichOneof("binding")
  if kind == "axis":
    return spaces.Box(-1.0, 1.0, shape=(), dtype=np.float32)
  if kind in ("button", "key", "mouse_button"):
    return spaces.Discrete(2)
  if kind == "pointer":
    return spaces.Box(0.0, 1.0, shape=(2,), dtype=np.float32)
  if kind in ("mouse_motion", "wheel"):
    return spaces.Box(-_AXIS_MAX, _AXIS_MAX, shape=(2,), dtype=np.int32)
  if kind != "command":
    return None
  parts = {"give": spaces.Discrete(2)}
  for argument in action.command.arguments:
    parts[argument.name] = _argument_space(argument)
  if any(part is None for part in parts.values()) or len(
      parts) <= len(action.command.arguments):
    return None
  return spaces.Dict(parts)


def _argument_space(argument):
  if argument.type in (_Type.TYPE_UNSPECIFIED, _Type.TYPE_INTEGER):
    return spaces.Discrete(argument.maximum - argument.minimum + 1,
                           start=argument.minimum)
  if argument.type == _Type.TYPE_BOOLEAN:
    return spaces.Discrete(2)
  if argument.type == _Type.TYPE_CHOICE:
    return spaces.Discrete(len(argument.choices))
  if argument.type == _Type.TYPE_NUMBER:
    return spaces.Box(argument.number_minimum, argument.number_maximum,
                      shape=(), dtype=np.float64)
  return None


def _add_command(frame, action, values):
  command = frame.commands.add(name=action.name)
  for argument in action.command.arguments:
    value = _scalar(values[argument.name])
    given = command.values.add()
    if argument.type == _Type.TYPE_BOOLEAN:
      given.boolean = bool(value)
    elif argument.type == _Type.TYPE_CHOICE:
      given.text = argument.choices[int(value)]
    elif argument.type == _Type.TYPE_NUMBER:
      given.number = float(value)
    else:
      given.integer = int(value)
