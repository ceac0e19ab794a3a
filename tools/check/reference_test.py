# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that the reference has every field, and that a number whose comment
leaves something out, or a page of yesterday, is found: on a small schema."""

import pathlib
import tempfile
import unittest

import field_facts
import pack_text
import reference
import schema

_PROTO = """
syntax = "proto3";
package reprise.v1;

// A game.
message Pack {
  // How it is done.
  enum Mode {
    // Not at all.
    MODE_NONE = 0;
    // By hand.
    MODE_HAND = 1;
  }
  // Its name.
  string name = 1;
  // Seconds that it takes,
  // above 0 to 5.
  double long_s = 2;
  // How slippery, 0 to 10, a part of 10. Unset: 0.5.
  optional double slip = 3;
  // How.
  Mode mode = 4;
  // What it has.
  repeated Part parts = 5;
}

// A part.
message Part {
  // Which.
  oneof kind {
    // A number of it, at most 7. 0: 3.
    uint32 count = 1;
    // What is in it.
    Part inner = 2;
  }
}

// Nothing.
message Empty {}
"""


class FakeRepository:
  """A folder with one proto and one pack."""

  def __init__(self, root, proto):
    self.root = pathlib.Path(root)
    (self.root / "docs").mkdir()
    self._texts = {
        "proto/reprise/v1/pack.proto": proto,
        "sim/packs/one/pack.txtpb":
            'name: "on" "e" # parts { count: 9 }\nparts { inner { count: 2 } } '
            'long_s: 1 slip: 0.2 mode: MODE_HAND',
    }

  def files(self, suffix):
    return [path for path in self._texts if path.endswith(suffix)]

  def read(self, path):
    return self._texts[path]


def _problems(proto, fix=False):
  with tempfile.TemporaryDirectory() as folder:
    repository = FakeRepository(folder, proto)
    found = reference.check(repository, fix=fix)
    page = repository.root / reference.PAGE
    return found, page.read_text() if page.exists() else ""


class SchemaTest(unittest.TestCase):

  def setUp(self):
    self.messages = schema.read([("pack.proto", _PROTO)])

  def test_fields_have_their_comments_types_and_lines(self):
    fields = {field.name: field for field in self.messages["Pack"].fields}
    self.assertEqual(fields["long_s"].comment,
                     "Seconds that it takes, above 0 to 5.")
    self.assertEqual(fields["long_s"].line, 18)
    self.assertEqual(fields["mode"].type, "Pack.Mode")
    self.assertEqual(fields["parts"].label, "repeated")
    self.assertEqual(self.messages["Part"].fields[1].oneof, "kind")

  def test_a_message_within_itself_is_followed_once(self):
    self.assertEqual(
        [path for path, _, _ in schema.paths(self.messages, "Pack")],
        ["name", "long_s", "slip", "mode", "parts", "parts.count",
         "parts.inner"])

  def test_what_is_not_known_is_refused(self):
    with self.assertRaisesRegex(schema.SchemaError, "pack.proto:2: .*map"):
      schema.read([("pack.proto",
                    "message Pack {\nmap<string, string> a = 1;\n}\n")])

  def test_packs_say_their_fields(self):
    said = pack_text.said_in(
        self.messages,
        'parts: [{ count: 1 }, { inner < count: 2 > }] [a/b.C] { x: "}" }',
        "Pack")
    self.assertEqual([name for name, _ in said],
                     ["Part.count", "Part.count", "Part.inner", "Pack.parts"])

  def test_marks_within_texts_are_no_comments(self):
    said = pack_text.said_in(self.messages, 'name: "#1"  # the first\n', "Pack")
    self.assertEqual(said, [("Pack.name", 'name: "#1"')])

  def test_what_is_long_is_left_out(self):
    text = 'parts { inner { inner { count: 1 } } inner { count: 22 } count: 3 }'
    self.assertEqual(pack_text.shortened(text, len(text)), text)
    self.assertEqual(pack_text.shortened(text, 50),
                     "parts { inner { ... } inner { ... } count: 3 }")
    self.assertEqual(pack_text.shortened(text, 41),
                     "parts { inner { ... } inner { ... } ... }")
    self.assertEqual(pack_text.shortened(text, 30),
                     "parts { inner { ... } ... }")
    self.assertEqual(pack_text.shortened("sizes: [1, 22, 33333]", 19),
                     "sizes: [1, 22, ...]")

  def test_packs_with_other_fields_are_refused(self):
    with self.assertRaises(pack_text.TextError):
      pack_text.said_in(self.messages, "parts { size: 1 }", "Pack")


class FactsTest(unittest.TestCase):

  def _facts(self, comment, name="size", kind="double", label=""):
    return field_facts.facts_of(schema.Field(name, comment, 1, kind, label))

  def test_each_is_read(self):
    self.assertEqual(self._facts("Metres, above 0 to 10,000."),
                     field_facts.Facts("m", "above 0 to 10,000", ""))
    self.assertEqual(self._facts("So many, at most 4,096. 0: 12.",
                                 kind="uint32"),
                     field_facts.Facts("", "at most 4,096", "12"))
    self.assertEqual(self._facts("N s/m, 0 or more. Unset: 0.5.",
                                 label="optional"),
                     field_facts.Facts("N s/m", "0 or more", "0.5"))
    self.assertEqual(self._facts("How far, -1e6 to 1e6.", "way_degrees"),
                     field_facts.Facts("degrees", "-1e6 to 1e6", "0"))

  def test_what_is_left_out_is_missed(self):
    self.assertIsNone(self._facts("Above 0.").unit)
    self.assertIsNone(self._facts("Metres.").range)
    self.assertIsNone(self._facts("Metres, 0 to 1.", label="optional").default)


class ReferenceTest(unittest.TestCase):

  def test_page_has_fields_facts_examples_and_paths(self):
    problems, page = _problems(_PROTO, fix=True)
    self.assertEqual(problems, [])
    for text in ("## Pack.Mode", "- `MODE_HAND`: By hand.",
                 "**`long_s`**: number, s; above 0 to 5; *needed*",
                 "**`slip`**: number; 0 to 10; else 0.5",
                 "**`count`**: whole number; at most 7; else 3",
                 "`count: 2`", "- `parts.inner`: [Part](#part)"):
      self.assertIn(text, page)
    self.assertNotIn("count: 9", page)

  def test_page_of_yesterday_is_found(self):
    problems, _ = _problems(_PROTO)
    self.assertEqual([problem.path for problem in problems],
                     [reference.PAGE])

  def test_field_without_a_comment_is_found(self):
    problems, _ = _problems(_PROTO.replace("  // Its name.\n", ""), fix=True)
    self.assertEqual([problem.message for problem in problems],
                     ["Pack.name: has no comment"])

  def test_field_that_no_pack_says_is_found(self):
    problems, _ = _problems(
        _PROTO.replace("string name = 1;",
                       "string name = 1;\n  // Another.\n  string title = 9;"),
        fix=True)
    self.assertEqual([problem.message for problem in problems],
                     ["Pack.title: no pack has an example of it"])

  def test_number_without_its_range_is_found_at_its_line(self):
    problems, _ = _problems(_PROTO.replace("above 0 to 5", "or so"), fix=True)
    self.assertEqual([problem.line for problem in problems], [18])
    self.assertIn("Pack.long_s: the comment doesn't say its range",
                  problems[0].message)


if __name__ == "__main__":
  unittest.main()
