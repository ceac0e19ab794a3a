# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What a session shows of its ticks, as NumPy arrays."""

import dataclasses

import numpy as np

from reprise.v1 import observation_pb2 as observation

_Layout = observation.ObservedColumnLayout
# By kind: the list of a column, and the type of its array.
_LISTS = {
    _Layout.KIND_NUMBER: ("numbers", np.float64),
    _Layout.KIND_INTEGER: ("integers", np.int64),
    _Layout.KIND_UNSIGNED_INTEGER: ("unsigned_integers", np.uint64),
    _Layout.KIND_BOOLEAN: ("booleans", np.bool_),
    _Layout.KIND_TEXT: ("texts", np.object_),
}


@dataclasses.dataclass
class Group:
  """Fields of some objects, as in reprise.v1.ObservedGroup.

  In an environment a group of objects has `rows_max` rows, those of `objects`
  in their order where there are some, and `every_ticks` has to be 0: what is
  seen is the state in which a step ends.
  """

  fields: list
  type: str = ""
  objects: list = dataclasses.field(default_factory=list)
  where: str = ""
  every_ticks: int = 0
  rows_max: int = 0

  def to_message(self):
    return observation.ObservedGroup(
        fields=self.fields, type=self.type, objects=self.objects,
        where=self.where, every_ticks=self.every_ticks)


@dataclasses.dataclass
class Block:
  """A group at ticks in which its rows are the same.

  `columns` and `absent` are by field: arrays of (ticks, rows) or, of fields
  with parts, (ticks, rows, parts).
  """

  group: int
  ticks: np.ndarray
  keys: np.ndarray
  names: list
  columns: dict
  absent: dict
  rows_omitted: int


class Decoder:
  """Reads the observations of one stream, response by response."""

  def __init__(self):
    self._layout = None
    self._rows = {}

  @property
  def layout(self):
    """The ObservationLayout; None before the first response."""
    return self._layout

  def read(self, response):
    """The blocks of a StepSessionResponse or StepResponse, in order."""
    if response.HasField("layout"):
      self._layout = response.layout
      self._rows = {}
    return [self._read(block) for block in response.observations.blocks]

  def _read(self, block):
    if block.HasField("rows"):
      self._rows[block.group] = block.rows
    rows = self._rows[block.group]
    columns = {}
    absent = {}
    layouts = self._layout.groups[block.group].columns
    for layout, column in zip(layouts, block.columns):
      name, dtype = _LISTS[layout.kind]
      values = np.array(getattr(column, name), dtype=dtype)
      gone = np.zeros(len(values), dtype=np.bool_)
      gone[np.array(column.absent, dtype=np.int64)] = True
      shape = (len(block.ticks), rows.count)
      if layout.parts:
        shape += (len(layout.parts),)
      columns[layout.field] = values.reshape(shape)
      absent[layout.field] = gone.reshape(shape)
    return Block(block.group, np.array(block.ticks, dtype=np.uint64),
                 np.array(rows.keys, dtype=np.uint64), list(rows.names),
                 columns, absent, block.rows_omitted)
