# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""docs/pack_reference.md: every field of a pack, made of the messages' comments
and of what the packs of the repository say.

`tools/dev check reference --fix` makes it anew. The check fails when the page is
another one, when the comment of a number doesn't say its unit, range and
default (see field_facts.py), or when no pack has an example of a field.
"""

import re
import field_facts
import pack_text
from repository import Problem
import schema

PAGE = "docs/pack_reference.md"
_COMMAND = "tools/dev check reference --fix"
_PROTO = "proto/reprise/v1/"
_ROOT = "Pack"
_EXAMPLE_MAX = 100
# What no pack that is a file says, and why.
_OWN_EXAMPLES = {
    "GameClock.paused": "paused: true",  # such a game shows nothing by itself
}
_UNLISTED = {"Key"}  # 228 keys, with their names in key.proto

_HEAD = f"""# Reference of packs

Every field that a pack can have. This page is made by `{_COMMAND}` from the comments of the messages and
from the packs of the repository: change those. [packs.md](packs.md) is the guide, [built_in.md](built_in.md) has the components and events.

**From an error to its field.** `pack check` names a field by its path, such as `types[2].body.shapes[0].sphere.radius`. Leave
out the numbers in brackets and look for the rest, `types.body.shapes.sphere.radius`, in the [index](#index) below; or let
`reprise pack explain 'types[2].body.shapes[0].sphere.radius'` do it.

Each field has its type; a number has its unit, its range and what it is when nothing is said. *Needed* means that there is no such
value. Without a word a text is empty, a list too, and `true or false` is false. An example is from a pack that is run by the tests;
`...` stands for what is left out.
"""


def _kind(field, messages):
  """Returns the type of a field in words, with links."""
  if field.type in messages:
    what = "one of" if messages[field.type].is_enum else ""
    text = f"{what} [{field.type}](#{anchor(field.type)})".strip()
    if field.type in _UNLISTED:
      text = f"a name of [`key.proto`](../{messages[field.type].path})"
  elif field.type == "google.protobuf.Any":
    text = "any message that the program reads"
  elif field.type == "bool":
    text = "true or false"
  elif field.type == "string":
    text = "text"
  else:
    text = "number" if field.type in ("double", "float") else "whole number"
  return f"list of {text}" if field.label == "repeated" else text


def anchor(name):
  """Returns the anchor of a message's heading."""
  return name.lower().replace(".", "")


def is_measured(field):
  """Whether a field has a unit and a range."""
  return field.is_number or field.type in ("Vector2", "Vector3")


def _facts(field, messages):
  """Returns what is known of a field, in one line."""
  parts = [_kind(field, messages)]
  if is_measured(field):
    facts = field_facts.facts_of(field)
    if facts.unit:
      parts[0] += f", {facts.unit}"
    if facts.range:
      parts.append(facts.range)
    if facts.default:
      parts.append(f"else {facts.default}")
    elif facts.default == "" and not field.oneof and field.label != "repeated":
      parts.append("*needed*")
  elif field.comment.startswith("Required") or "Required." in field.comment:
    parts.append("*needed*")
  return "; ".join(parts)


def _field_lines(message, field, messages, examples):
  yield f"- **`{field.name}`**: {_facts(field, messages)}"
  yield f"  <br>{field.comment}".replace("\n\n", " ")
  example = examples.get(f"{message.name}.{field.name}")
  if example:
    yield f"  <br>`{example}`"


def _section(message, messages, examples, places):
  yield f"## {message.name}"
  yield ""
  yield message.comment
  yield ""
  if places:
    yield "At " + ", ".join(f"`{place}`" for place in places) + "."
    yield ""
  oneof = ""
  for field in message.fields:
    if message.is_enum:
      yield f"- `{field.name}`: {field.comment}"
      continue
    if field.oneof != oneof and field.oneof:
      yield f"- One of these (`{field.oneof}`). {message.oneofs[field.oneof]}"
    oneof = field.oneof
    lines = _field_lines(message, field, messages, examples)
    yield from (f"  {line}" if oneof else line for line in lines)
  yield ""


def _places(messages):
  """Returns the paths at which each message stands: the shortest few."""
  places = {}
  for path, _, field in schema.paths(messages, _ROOT):
    if field.type in messages:
      places.setdefault(field.type, []).append(path)
  shown = {}
  for name, paths in places.items():
    paths = sorted(paths, key=lambda path: (path.count("."), path))
    shown[name] = paths[:6] + (["..."] if len(paths) > 6 else [])
  return shown


def read_examples(messages, texts):
  """Returns a short example of each field that the texts say."""
  found = {}
  for text in texts:
    for name, said in pack_text.said_in(messages, text, _ROOT):
      if "`" not in said:
        found.setdefault(name, set()).add(said)
  examples = dict(_OWN_EXAMPLES)
  for name, said in found.items():
    shortest = min(said, key=lambda text: (len(text), text))
    examples[name] = pack_text.shortened(shortest, _EXAMPLE_MAX)
  return examples


def without_example(messages, examples):
  """Returns a problem for each field that no pack says."""
  return [
      Problem(messages[name].path, field.line,
              f"{name}.{field.name}: no pack has an example of it")
      for name in schema.reached(messages, _ROOT)
      if not messages[name].is_enum and name not in _UNLISTED
      for field in messages[name].fields
      if f"{name}.{field.name}" not in examples
  ]


def make_page(messages, examples):
  """Returns the text of the page."""
  names = [name for name in schema.reached(messages, _ROOT)
           if name not in _UNLISTED]
  places = _places(messages)
  lines = [_HEAD]
  for name in [_ROOT] + sorted(names[1:]):
    lines.extend(_section(messages[name], messages, examples,
                          places.get(name, [])))
  lines.extend(["## Index", ""])
  rows = sorted((path, message.name)
                for path, message, _ in schema.paths(messages, _ROOT))
  lines.extend(f"- `{path}`: [{name}](#{anchor(name)})" for path, name in rows)
  return "\n".join(lines) + "\n"


def untold(messages):
  """Returns a problem for each field without a comment, and for each number
  whose comment leaves something out."""
  problems = []
  for name in schema.reached(messages, _ROOT):
    message = messages[name]
    for field in message.fields:
      if message.is_enum:
        continue
      if not field.comment:
        problems.append(
            Problem(message.path, field.line,
                    f"{name}.{field.name}: has no comment"))
        continue
      if not is_measured(field):
        continue
      facts = field_facts.facts_of(field)
      missing = [
          what for what in ("unit", "range", "default")
          if getattr(facts, what) is None
      ]
      if missing:
        problems.append(
            Problem(message.path, field.line,
                    f"{name}.{field.name}: the comment doesn't say its "
                    f"{' and '.join(missing)}; tools/check/field_facts.py has "
                    "the words for it"))
  return problems


def read_messages(repository):
  """Returns all messages that packs may consist of."""
  return schema.read(
      (path, repository.read(path))
      for path in repository.files(".proto")
      if path.startswith(_PROTO) and not path.endswith("_service.proto"))


def _pack_texts(repository):
  """The texts of packs, of those that are written as files."""
  return [
      repository.read(path)
      for path in repository.files(".txtpb")
      if path.startswith(("sim/packs/", "tests/packs/", "docs/examples/")) and
      "/tracks/" not in path and not re.match(r"sim/packs/[^/]+/tests/", path)
  ]


def check(repository, fix=False):
  """Returns what is wrong with the comments and the page; mends the page."""
  messages = read_messages(repository)
  examples = read_examples(messages, _pack_texts(repository))
  problems = untold(messages) + without_example(messages, examples)
  page = make_page(messages, examples)
  path = repository.root / PAGE
  if path.exists() and path.read_text(encoding="utf-8") == page:
    return problems
  if fix:
    path.write_text(page, encoding="utf-8")
    return problems
  return problems + [Problem(PAGE, 1, f"is out of date: {_COMMAND}")]
