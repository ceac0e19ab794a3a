# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Reads .proto files: messages and enums with their fields and comments.

Reads what the project's style allows and refuses every other line, so that
nothing is left out of what is made of it.
"""

import dataclasses
import re

NUMBER_TYPES = frozenset(("double", "float", "int32", "int64", "uint32",
                          "uint64", "sint32", "sint64"))

_MESSAGE = re.compile(r"message (\w+) \{(\})?$")
_ENUM = re.compile(r"enum (\w+) \{$")
_ONEOF = re.compile(r"oneof (\w+) \{$")
_FIELD = re.compile(r"(?:(optional|repeated) )?([\w.]+) (\w+) = (\d+)"
                    r"(?: \[deprecated = true\])?;$")
_VALUE = re.compile(r"(\w+) = (\d+);$")
_IGNORED = re.compile(r"(syntax|package|import|option|reserved)\b.*;$")


@dataclasses.dataclass
class Field:
  """A field of a message, or a value of an enum."""
  name: str
  comment: str
  line: int
  type: str = ""  # a scalar's, or the full name of a message or an enum
  label: str = ""  # optional, repeated or nothing
  oneof: str = ""

  @property
  def is_number(self):
    return self.type in NUMBER_TYPES


@dataclasses.dataclass
class Message:
  """A message or an enum."""
  name: str  # without the package, with what it stands in: Chunk.Unload
  comment: str
  path: str
  is_enum: bool = False
  fields: list = dataclasses.field(default_factory=list)
  oneofs: dict = dataclasses.field(default_factory=dict)  # name -> comment


class SchemaError(Exception):
  """A line that this reader doesn't know."""


def _fold(lines):
  """Returns the paragraphs of a comment, a line each."""
  paragraphs = "\n".join(lines).split("\n\n")
  return "\n\n".join(" ".join(text.split()) for text in paragraphs)


def read_file(path, text):
  """Returns the messages and enums of one file by name, types unresolved."""
  found, stack, comment = {}, [], []
  oneof = ""
  for number, line in enumerate(text.splitlines(), 1):
    line = line.strip()
    if line.startswith("//"):
      comment.append(line[2:].strip())
      continue
    taken, comment = _fold(comment), []
    if not line or _IGNORED.match(line):
      continue
    if line == "}":
      if oneof:
        oneof = ""
      else:
        stack.pop()
      continue
    head = _MESSAGE.match(line) or _ENUM.match(line)
    if head:
      name = ".".join([message.name for message in stack[-1:]] +
                      [head.group(1)])
      found[name] = Message(name, taken, path, line.startswith("enum"))
      if not line.endswith("}"):
        stack.append(found[name])
      continue
    if not stack:
      raise SchemaError(f"{path}:{number}: not understood: {line}")
    group, field = _ONEOF.match(line), _FIELD.match(line)
    value = _VALUE.match(line)
    if group:
      oneof = group.group(1)
      stack[-1].oneofs[oneof] = taken
    elif stack[-1].is_enum and value:
      stack[-1].fields.append(Field(value.group(1), taken, number))
    elif field:
      stack[-1].fields.append(
          Field(field.group(3), taken, number, field.group(2),
                field.group(1) or "", oneof))
    else:
      raise SchemaError(f"{path}:{number}: not understood: {line}")
  return found


def _resolve(messages):
  """Makes the types of fields full names of messages and enums."""
  for message in messages.values():
    for field in message.fields:
      scope = message.name
      while True:
        name = f"{scope}.{field.type}" if scope else field.type
        if name in messages:
          field.type = name
          break
        if not scope:
          break
        scope = scope.rpartition(".")[0]


def read(files):
  """Returns the messages and enums of (path, text) pairs of one package."""
  messages = {}
  for path, text in files:
    messages.update(read_file(path, text))
  _resolve(messages)
  return messages


def reached(messages, root):
  """Returns the names of what `root` consists of, itself first, by depth."""
  order = [root]
  for name in order:
    for field in messages[name].fields:
      if field.type in messages and field.type not in order:
        order.append(field.type)
  return order


def paths(messages, root):
  """Yields (path, message, field) of every field below `root`.

  A path has the names of fields with dots between them. A message within
  itself is followed once.
  """
  def walk(name, before, seen):
    for field in messages[name].fields:
      path = f"{before}{field.name}"
      yield path, messages[name], field
      below = messages.get(field.type)
      if below is None or below.is_enum or field.type in seen:
        continue
      yield from walk(field.type, path + ".", seen | {field.type})
  yield from walk(root, "", {root})
