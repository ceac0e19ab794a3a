#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that every part has its turn, that both sanitizers have parts, and
that a part which fails is one, with the command that shows it again.
"""

import contextlib
import io
import json
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


def result_event(label, status):
  return json.dumps({
      "id": {"testResult": {"label": label, "run": 1}},
      "testResult": {"status": status}
  }) + "\n"


def target_event(label, **payload):
  return json.dumps({"id": {"targetCompleted": {"label": label}}} | payload) + "\n"


class RunTest(unittest.TestCase):

  def run_part(self, exit_code, events="", ended=True, seconds=None):
    self.words = []

    def bazel(words, limit):
      self.words, self.limit = words, limit
      flag = next(word for word in words if "event_json" in word)
      with open(flag.split("=")[1], "w", encoding="utf-8") as file:
        file.write(events)
      return ended, exit_code

    self.output = io.StringIO()
    with contextlib.redirect_stdout(self.output):
      return sanitize.run(plan.find("container"), seconds, bazel)

  def results_of(self, outcome):
    results = sanitize.list_results([(plan.find("container"), outcome)])
    for _, _, command in results:
      self.assertEqual(command, "tools/dev sanitize --part container")
    return [(name, passed) for name, passed, _ in results]

  def test_targets_are_tested_under_the_sanitizer(self):
    outcome = self.run_part(0, result_event("//a:b_test", "PASSED"))
    self.assertTrue(outcome.passed)
    self.assertEqual(outcome.tests, (("//a:b_test", True),))
    self.assertIn("--config=asan", self.words)
    self.assertEqual(self.words[self.words.index("--") + 1:],
                     ["//replays/container/..."])
    self.assertIn("ok, 1 tests ended", self.output.getvalue())

  def test_failure_says_how_to_have_it_again(self):
    outcome = self.run_part(
        3, result_event("//a:b_test", "PASSED") +
        result_event("//a:c_test", "FAILED"))
    self.assertFalse(outcome.passed)
    self.assertIn("FAILED", self.output.getvalue())
    self.assertEqual(self.results_of(outcome), [("asan: //a:b_test", True),
                                                ("asan: //a:c_test", False)])

  def test_what_does_not_build_has_a_line(self):
    outcome = self.run_part(1)
    self.assertFalse(outcome.passed)
    self.assertEqual(self.results_of(outcome), [("asan: container", False)])

  def test_part_that_is_stopped_passes_what_ended_and_says_so(self):
    events = result_event("//a:b_test", "PASSED") + '{"id": {"testRes'
    outcome = self.run_part(8, events, ended=False, seconds=300)
    self.assertEqual(self.limit, 300)
    self.assertTrue(outcome.passed and outcome.stopped)
    self.assertIn("stopped there, 1 tests ended", self.output.getvalue())
    self.assertEqual(self.results_of(outcome), [("asan: //a:b_test", True)])

  def test_part_that_is_stopped_behind_a_failure_failed(self):
    events = (result_event("//a:b_test", "FAILED") +
              result_event("//a:c_test", "NO_STATUS"))
    outcome = self.run_part(8, events, ended=False)
    self.assertFalse(outcome.passed)
    self.assertEqual(outcome.tests, (("//a:b_test", False),))

  def test_part_that_is_stopped_before_any_test_says_so(self):
    events = (target_event("//a:b", completed={"success": True}) +
              target_event("//a:b_test", aborted={"reason": "USER_INTERRUPTED"}))
    outcome = self.run_part(8, events, ended=False)
    self.assertTrue(outcome.passed)
    self.assertEqual(outcome.tests, ())
    self.assertIn("stopped there, NOTHING WAS TESTED", self.output.getvalue())
    self.assertEqual(self.results_of(outcome),
                     [("asan: container: NOTHING WAS TESTED", None)])

  def test_part_that_is_stopped_behind_what_does_not_build_failed(self):
    events = (target_event("//a:c_test", completed={}) +
              result_event("//a:b_test", "PASSED"))
    outcome = self.run_part(8, events, ended=False)
    self.assertFalse(outcome.passed)
    self.assertIn("asan //a:c_test: doesn't build\n", self.output.getvalue())
    self.assertEqual(self.results_of(outcome), [("asan: //a:b_test", True),
                                                ("asan: //a:c_test", False)])

  def test_time_that_is_over_interrupts(self):
    ended, _ = sanitize.bazel_for(["sleep", "60"], 0.05)
    self.assertFalse(ended)
    self.assertEqual(sanitize.bazel_for(["sh", "-c", "exit 3"], 60), (True, 3))


if __name__ == "__main__":
  unittest.main()
