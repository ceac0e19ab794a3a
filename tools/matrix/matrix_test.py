#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that the matrix calls equal only what is: with runners that are
scripts, one for each way in which a row can go wrong.
"""

import pathlib
import tempfile
import unittest

import comparison
import plan
import runs

_COLUMN = plan.Column("pile", "pile", (), 2)
_DIGESTS = "0 a\n1 b\n2 c\nchain d\nmath e\n"
_DIFFERENCE = "physics.bodies ball_7 linear_velocity.y: 1 | 2 (1 ulp)"

# Stands in for the runner: says what it is told to say.
_RUNNER = """#!/bin/sh
case "$*" in
digests*--inject*) printf '{injected}' ;;
digests*) printf '{digests}' ;;
compare*) printf '{comparison}'; exit 1 ;;
esac
exit {code}
"""


class ParseDigestsTest(unittest.TestCase):

  def test_reads_roots_chain_and_fingerprint(self):
    self.assertEqual(runs.parse_digests(_DIGESTS),
                     runs.Digests(("a", "b", "c"), "d", "e"))

  def test_output_that_breaks_off_is_no_result(self):
    for text in ("", "0 a\n1 b\n", "chain d\nmath e\n", "1 b\nchain d\nmath e"):
      with self.assertRaises(runs.RunFailed):
        runs.parse_digests(text)


class FirstDifferenceTest(unittest.TestCase):

  def test_equal_runs_have_none(self):
    digests = runs.parse_digests(_DIGESTS)
    self.assertIsNone(runs.first_difference(digests, digests))

  def test_is_the_first_tick_that_differs(self):
    other = runs.Digests(("a", "x", "x"), "y", "e")
    self.assertEqual(
        runs.first_difference(runs.parse_digests(_DIGESTS), other), 1)

  def test_a_run_that_ends_early_differs_where_it_ends(self):
    other = runs.Digests(("a", "b"), "y", "e")
    self.assertEqual(
        runs.first_difference(runs.parse_digests(_DIGESTS), other), 2)


class RunnerTest(unittest.TestCase):
  """Has a folder for runners."""

  def setUp(self):
    folder = tempfile.TemporaryDirectory()
    self.addCleanup(folder.cleanup)
    self._folder = pathlib.Path(folder.name)

  def _write_runner(self, target, digests=_DIGESTS, injected=_DIGESTS,
                    difference=_DIFFERENCE, code=0):
    path = self._folder / target
    path.write_text(_RUNNER.format(digests=digests, injected=injected,
                                   comparison=difference + "\n", code=code),
                    encoding="utf-8")
    path.chmod(0o755)


class MatrixTest(RunnerTest):

  def setUp(self):
    super().setUp()
    self._write_runner(plan.REFERENCE.target)
    self._row = plan.Row("another", "another", "another", "a tier")

  def _cell(self, row=None):
    row = row or self._row
    runner = runs.Runner(self._folder, self._folder)
    matrix = comparison.Matrix(runner, (_COLUMN,), self._folder)
    matrix.run((plan.REFERENCE, row))
    return matrix.cell(row, _COLUMN)

  def test_same_digests_are_equal(self):
    self._write_runner("another")
    self.assertTrue(self._cell().passed)

  def test_difference_is_named_by_tick_and_field(self):
    self._write_runner("another", digests=_DIGESTS.replace("1 b", "1 x"))
    self.assertEqual(self._cell(), comparison.Cell("tick 1", (_DIFFERENCE,)))

  def test_other_fingerprint_is_not_equal(self):
    self._write_runner("another", digests=_DIGESTS.replace("math e", "math x"))
    self.assertEqual(self._cell().verdict, "math")

  def test_crash_is_not_equal(self):
    self._write_runner("another", code=4)
    self.assertEqual(self._cell().verdict, "failed")

  def test_missing_runner_is_not_equal(self):
    self.assertEqual(self._cell().verdict, "failed")

  def test_row_that_the_cpu_cannot_run_is_not_equal(self):
    row = plan.Row("another", "another", "another", "a tier", needs="no such")
    self._write_runner("another")
    self.assertEqual(self._cell(row).details, ("this CPU lacks no such",))

  def test_failed_reference_fails_every_row(self):
    self._write_runner("another")
    self._write_runner(plan.REFERENCE.target, code=4)
    self.assertEqual(self._cell().verdict, "failed")


class FindInjectionTest(RunnerTest):

  def _find(self, tick, difference=_DIFFERENCE):
    digests = "".join(f"{tick} a\n" for tick in range(100))
    digests += "chain d\nmath e\n"
    self._write_runner(
        plan.REFERENCE.target, digests=digests, difference=difference,
        injected=digests.replace(f"\n{tick} a", f"\n{tick} x"))
    runner = runs.Runner(self._folder, self._folder)
    return comparison.find_injection(runner, self._folder)[0]

  def test_is_found_where_it_was_made(self):
    self.assertTrue(self._find(plan.INJECTION_TICK))

  def test_no_difference_is_not_found(self):
    self.assertFalse(self._find(tick="none"))

  def test_another_tick_is_not_found(self):
    self.assertFalse(self._find(plan.INJECTION_TICK - 1))

  def test_another_object_is_not_found(self):
    difference = _DIFFERENCE.replace("ball_7", "ball_8")
    self.assertFalse(self._find(plan.INJECTION_TICK, difference))

  def test_a_second_field_is_not_found(self):
    difference = f"{_DIFFERENCE}\n{_DIFFERENCE}"
    self.assertFalse(self._find(plan.INJECTION_TICK, difference))


class PlanTest(unittest.TestCase):

  def test_short_rows_are_one_of_every_tier(self):
    tiers = [row.tier for row in plan.short_rows()]
    self.assertEqual(len(tiers), len(set(tiers)))
    self.assertEqual(set(tiers), {row.tier for row in plan.ROWS})

  def test_rows_have_keys_of_their_own(self):
    keys = [row.key for row in plan.ROWS]
    self.assertEqual(len(keys), len(set(keys)))


if __name__ == "__main__":
  unittest.main()
