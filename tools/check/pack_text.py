# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Reads the text of packs as the schema has it: what is said of which field."""

import re

_TOKEN = re.compile(
    r"(?P<space>(?:\s|#[^\n]*)+)|(?P<string>\"(?:\\.|[^\"\\])*\"|"
    r"'(?:\\.|[^'\\])*')|(?P<any>\[[\w./]+\])|(?P<word>[\w.+-]+)|"
    r"(?P<mark>[{}<>:,;\[\]])")


class TextError(Exception):
  """A text that is no message of the schema."""


def _tokens(text):
  tokens, at = [], 0
  while at < len(text):
    match = _TOKEN.match(text, at)
    if not match:
      raise TextError(f"not understood: {text[at:at + 20]!r}")
    if match.lastgroup != "space":
      tokens.append((match.lastgroup, match.group(), match.start(),
                     match.end()))
    at = match.end()
  return tokens


def _joined(tokens):
  """Returns the text of tokens, with a blank where there is something between
  two."""
  text, before = "", None
  for _, word, begin, end in tokens:
    text += (" " if before is not None and begin > before else "") + word
    before = end
  return text


class _Reader:
  """Walks through the tokens of one text."""

  def __init__(self, messages, text):
    self._messages = messages
    self._tokens = _tokens(text)
    self._next = 0
    self.said = []

  def _peek(self):
    if self._next == len(self._tokens):
      return ""
    return self._tokens[self._next][1]

  def _take(self):
    self._next += 1
    return self._tokens[self._next - 1]

  def _skip_message(self):
    depth = 1
    while depth:
      mark = self._take()[1]
      depth += (mark in "{<") - (mark in "}>")

  def _read_value(self, field):
    if self._peek() in ("{", "<"):
      self._take()
      if field is None or field.type not in self._messages:
        self._skip_message()
      else:
        self.read_message(field.type)
        self._take()
    else:
      while self._take() and self._tokens[self._next:self._next + 1] and (
          self._tokens[self._next - 1][0] ==
          self._tokens[self._next][0] == "string"):
        pass

  def _read_list(self, field):
    self._take()
    while self._peek() != "]":
      if self._peek() == ",":
        self._take()
      else:
        self._read_value(field)
    self._take()

  def read_message(self, name):
    """Reads up to the end of a message of this name."""
    fields = {field.name: field for field in self._messages[name].fields}
    while self._peek() not in ("", "}", ">"):
      first = self._next
      kind, word, _, _ = self._take()
      field = fields.get(word)
      if kind != "any" and field is None:
        raise TextError(f"{name} has no field {word}")
      if self._peek() == ":":
        self._take()
      if self._peek() == "[":
        self._read_list(field)
      else:
        self._read_value(field)
      if field is not None:
        self.said.append(
            (f"{name}.{word}", _joined(self._tokens[first:self._next])))
      if self._peek() in (",", ";"):
        self._take()


def said_in(messages, text, root):
  """Returns (Message.field, text) of all that a text says."""
  reader = _Reader(messages, text)
  reader.read_message(root)
  return reader.said


def _parts(text):
  """The places right behind the parts of a message or list, within its braces,
  and the same text with the messages in these left out."""
  ends, kept, depth = [], [], 0
  tokens = _tokens(text)
  for i, (_, word, begin, end) in enumerate(tokens):
    opens = word in ("{", "<", "[")
    closes = word in ("}", ">", "]")
    depth -= closes
    if closes and depth == 1:
      kept.append((begin, end, "... " + word))
    elif depth < 2:
      kept.append((begin, end, word))
    depth += opens
    # A name goes on with its value.
    next_word = tokens[i + 1][1] if i + 1 < len(tokens) else ""
    if depth == 1 and not opens and word != ":" and next_word not in (
        ":", "{", "<", "[", ","):
      ends.append(len(kept))
  return kept, ends


def shortened(text, size_max):
  """Returns the text of a field with "..." for what is left out, so that it is
  no longer than that."""
  if len(text) <= size_max:
    return text
  kept, ends = _parts(text)

  def joined(count):
    pieces, before = [], None
    for begin, end, word in kept[:count]:
      is_apart = before is not None and (begin > before or "..." in word)
      pieces.append((" " if is_apart else "") + word)
      before = end
    return "".join(pieces)

  whole = joined(len(kept))
  if len(whole) <= size_max:
    return whole
  closing = kept[-1][2].split()[-1]
  for count in reversed(ends):
    cut = joined(count)
    if cut.endswith(","):
      cut = cut[:-1]
    cut += (", ..." if closing == "]" else " ... ") + closing
    if len(cut) <= size_max:
      return cut
  return f"{text.split()[0]} ... {closing}"
