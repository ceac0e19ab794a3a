# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that a function is found that behaviours in C++ or scripts have gained
or lost, and the other side hasn't: on small files.
"""

import unittest

import parity

_HEADER = """class UpdateContext {
 public:
  // Not Imagined(): it is a comment.
  explicit UpdateContext(int parts);

  double dt_s() const { return Step(1); }
  std::optional<bool> ReadBool(uint32_t i,
                               const PropertyRef& property);
  struct Key {
    Tick due = 0;
  };
  bool Send(std::initializer_list<int> a = Default());

 private:
  void Hidden();
};
"""


class NamesTest(unittest.TestCase):

  def test_public_functions_are_found_with_their_lines(self):
    self.assertEqual(parity.public_functions(_HEADER, "UpdateContext"),
                     {"dt_s": 6, "ReadBool": 7, "Send": 12})

  def test_fields_are_found_wherever_their_struct_stands(self):
    text = ("class Behaviour {\n"
            "  struct Hooks {\n"
            "    bool on_event = false;  // not_this\n"
            "    struct Inner {\n      int hidden = 0;\n    };\n"
            "    std::optional<Id> name = {};\n"
            "    void Call(int x);\n"
            "  };\n"
            "  int outside = 0;\n};\n")
    self.assertEqual(parity.fields(text, "Hooks"), {"on_event": 3, "name": 7})

  def test_functions_of_systems_are_those_that_take_a_context(self):
    text = ("// Walk(UpdateContext& context)\n"
            "bool Jump(UpdateContext& context, uint32_t i);\n"
            "std::optional<Row> RowOf(\n    const UpdateContext& context);\n"
            "bool Stop(State& state);\n")
    self.assertEqual(parity.functions_taking_contexts(text),
                     {"Jump": 2, "RowOf": 3})

  def test_kinds_of_actions_are_found(self):
    text = "enum class Kind : uint8_t {\n  kButton,\n  kText,  // kNothing\n};"
    self.assertEqual(parity.kinds_of_actions(text), {"kButton": 2, "kText": 3})

  def test_functions_of_scripts_are_found(self):
    text = "functions.Add(\n  \"own.get\", \"Reads.\");\nother.Add(\"a.b\");"
    self.assertEqual(parity.script_functions(text), {"own.get": 2})


class CompareTest(unittest.TestCase):

  def _messages(self, natives=("A.x", "A.y"), scripts=("a.x", "b.z"),
                twins=None, scripts_only=None):
    return [problem.message for problem in parity.compare(
        {name: ("a.h", 3) for name in natives},
        {name: ("a.cc", 4) for name in scripts},
        twins or {"A.x": "a.x", "A.y": "of the world, around a call"},
        scripts_only or {"b.z": "a member"})]

  def test_what_stands_beside_each_other_passes(self):
    self.assertEqual(self._messages(), [])

  def test_a_function_that_only_behaviours_gain_is_found(self):
    problem, = self._messages(natives=("A.x", "A.y", "A.z"))
    self.assertIn("A.z has no function of scripts", problem)

  def test_a_function_that_only_scripts_gain_is_found(self):
    problem, = self._messages(scripts=("a.x", "b.z", "b.y"))
    self.assertIn("b.y stands beside nothing in C++", problem)

  def test_what_is_gone_is_found_on_both_sides(self):
    self.assertEqual(len(self._messages(natives=("A.y",))), 1)
    self.assertEqual(len(self._messages(scripts=("b.z",))), 1)
    self.assertEqual(len(self._messages(scripts=("a.x",))), 1)


if __name__ == "__main__":
  unittest.main()
