#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that every part has its turn, that both sanitizers have parts, and
that a part which fails is one, with the command that shows it again.
"""

import contextlib
import io
import types
import unittest

import plan
import sanitize


class PlanTest(unittest.TestCase):

  def test_each_part_has_its_turn(self):
    turns = {plan.part_of(turn) for turn in range(len(plan.PARTS))}
    self.assertEqual(turns, set(plan.PARTS))

  def test_any_commit_has_a_part(self):
    self.assertIn(plan.part_of(2**160 - 1), plan.PARTS)

  def test_both_sanitizers_have_parts_with_names_of_their_own(self):
    self.assertEqual({part.config for part in plan.PARTS}, {"asan", "tsan"})
    names = {part.name for part in plan.PARTS}
    self.assertEqual(len(names), len(plan.PARTS))

  def test_no_part_sees_what_is_large(self):
    for part in plan.PARTS:
      for target in part.targets:
        for room in ("//sim/packs", "//sim/physics", "//sim/world", "//services",
                     "//tools", "//tests"):
          self.assertFalse(target.startswith(room), target)


class RunTest(unittest.TestCase):

  def run_part(self, exit_code):
    self.words = []

    def bazel(words, **_):
      self.words = words
      return types.SimpleNamespace(returncode=exit_code)

    self.output = io.StringIO()
    with contextlib.redirect_stdout(self.output):
      return sanitize.run(plan.find("container"), bazel)

  def test_targets_are_tested_under_the_sanitizer(self):
    self.assertTrue(self.run_part(0))
    self.assertIn("--config=asan", self.words)
    self.assertEqual(self.words[self.words.index("--") + 1:],
                     ["//replays/container/..."])

  def test_failure_says_how_to_have_it_again(self):
    self.assertFalse(self.run_part(3))
    self.assertIn("FAILED", self.output.getvalue())
    self.assertEqual(sanitize.reproduce(plan.find("files")),
                     "tools/dev sanitize --part files")


if __name__ == "__main__":
  unittest.main()
