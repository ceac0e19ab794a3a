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
digests*--from*) printf '{continued}' ;;
digests*--inject*) printf '{injected}' ;;
digests*) printf '{digests}' ;;
pictures*) printf '{pictures}' ;;
compare*) printf '{comparison}'; exit 1 ;;
esac
exit {code}
"""


class ShortRowsTest(unittest.TestCase):

  def test_each_row_that_is_built_has_its_turn(self):
    turns = [plan.short_rows(turn) for turn in range(len(plan.ROWS))]
    self.assertEqual({row for rows in turns for row in rows}, set(plan.ROWS))

  def test_one_row_is_built(self):
    for turn in (0, 1, 2**160 - 1):
      built = [row for row in plan.short_rows(turn)
               if row.target != plan.REFERENCE.target]
      self.assertEqual(len(built), 1)


class ColumnsTest(unittest.TestCase):

  def test_every_pack_that_ships_is_played_and_gone_on_from(self):
    packs = {str(manifest.parent)
             for manifest in pathlib.Path("sim/packs").glob("*/pack.txtpb")}
    self.assertIn("sim/packs/quarry", packs)
    for short in (False, True):
      self.assertLessEqual(
          packs, {column.source for column in plan.columns(short)})
      gone_on_from = {column.source for column in plan.snapshot_columns(short)}
      # The quick ones leave out what takes long.
      self.assertEqual(packs - gone_on_from,
                       {"sim/packs/pile"} if short else set())


  def test_bots_play_where_there_are_tournaments(self):
    for short in (False, True):
      played = {column.source for column in plan.columns(short)
                if "--bots" in column.flags}
      self.assertEqual(played,
                       {f"sim/packs/{pack}" for pack in plan.BOT_PACKS})
      for pack in played:
        manifest = pathlib.Path(pack, "pack.txtpb").read_text(encoding="utf-8")
        self.assertIn("\nbots {", manifest)
      names = [column.name for column in plan.columns(short)]
      self.assertEqual(len(names), len(set(names)))


class ParseDigestsTest(unittest.TestCase):

  def test_reads_roots_chain_and_fingerprint(self):
    self.assertEqual(runs.parse_digests(_DIGESTS),
                     runs.Digests(("a", "b", "c"), "d", "e"))

  def test_output_that_breaks_off_is_no_result(self):
    for text in ("", "0 a\n1 b\n", "chain d\nmath e\n", "1 b\nchain d\nmath e"):
      with self.assertRaises(runs.RunFailed):
        runs.parse_digests(text)


  def test_a_continuation_begins_at_its_tick(self):
    text = "7 b\n8 c\nchain d\nmath e\n"
    self.assertEqual(runs.parse_digests(text, first_tick=7).roots, ("b", "c"))
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
                    continued="", difference=_DIFFERENCE,
                    pictures="0 p\n60 q\n", code=0):
    path = self._folder / target
    path.write_text(_RUNNER.format(digests=digests, injected=injected,
                                   continued=continued, pictures=pictures,
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


class ContinuationsTest(RunnerTest):
  """Has a game of two ticks and a snapshot of the first or the second."""

  def setUp(self):
    super().setUp()
    self._row = plan.Row("another", "another", "another", "a tier")
    self._snapshots = plan.Snapshots(count=1, ticks_after=1)
    self._tick, = self._snapshots.ticks(_COLUMN.ticks)
    self._continued = "".join(
        f"{tick} {_DIGESTS.split()[2 * tick + 1]}\n"
        for tick in range(self._tick, self._tick + 2)) + "chain d\nmath e\n"
    self._write_runner(plan.REFERENCE.target)

  def _cell(self, row=None):
    row = row or self._row
    continuations = comparison.Continuations(
        runs.Runner(self._folder, self._folder), (_COLUMN,), self._snapshots,
        self._folder)
    continuations.run((row,))
    return continuations.cell(row, _COLUMN)

  def test_same_digests_behind_a_snapshot_are_equal(self):
    self._write_runner("another", continued=self._continued)
    self.assertEqual(self._cell(), comparison.Cell("equal"))

  def test_difference_is_named_by_snapshot_tick_and_field(self):
    last = self._tick + 1
    self._write_runner("another", continued=self._continued.replace(
        f"\n{last} ", f"\n{last} x"))
    self.assertEqual(self._cell(), comparison.Cell(
        f"from {self._tick}", (f"tick {last}:", _DIFFERENCE)))

  def test_restoring_another_state_is_a_difference_of_its_own_tick(self):
    self._write_runner("another", continued=self._continued.replace(
        f"{self._tick} ", f"{self._tick} x", 1))
    self.assertEqual(self._cell().details[0], f"tick {self._tick}:")

  def test_ending_early_is_a_difference(self):
    last = self._tick + 1
    self._write_runner("another", continued="".join(
        line for line in self._continued.splitlines(keepends=True)
        if not line.startswith(f"{last} ")))
    self.assertEqual(self._cell().details[0], f"tick {last}:")

  def test_crash_is_not_equal(self):
    self._write_runner("another", continued=self._continued, code=4)
    self.assertEqual(self._cell().verdict, "failed")

  def test_failed_recording_fails_every_row(self):
    self._write_runner("another", continued=self._continued)
    self._write_runner(plan.REFERENCE.target, code=4)
    self.assertEqual(self._cell().verdict, "failed")

  def test_no_snapshot_is_not_equal(self):
    self._snapshots = plan.Snapshots(count=0, ticks_after=1)
    self._write_runner("another", continued=self._continued)
    self.assertFalse(self._cell().passed)


class PicturesTest(RunnerTest):
  """Has a game of two pictures."""

  def setUp(self):
    super().setUp()
    self._row = plan.Row("another", "another", "another", "a tier")
    self._write_runner(plan.REFERENCE.target)

  def _cell(self):
    pictures = comparison.Pictures(
        runs.Runner(self._folder, self._folder), (_COLUMN,), self._folder)
    pictures.run((plan.REFERENCE, self._row))
    return pictures.cell(self._row, _COLUMN)

  def test_same_pixels_are_equal(self):
    self._write_runner("another")
    self.assertEqual(self._cell(), comparison.Cell("equal"))

  def test_difference_is_named_by_tick(self):
    self._write_runner("another", pictures="0 p\n60 x\n")
    self.assertEqual(self._cell(), comparison.Cell(
        "tick 60", ("picture 60 q | 60 x",)))

  def test_fewer_pictures_are_a_difference(self):
    self._write_runner("another", pictures="0 p\n")
    self.assertEqual(self._cell().verdict, "pictures")

  def test_what_draws_nothing_is_not_equal(self):
    self._write_runner("another", pictures="")
    self.assertEqual(self._cell().verdict, "failed")

  def test_failed_recording_fails_every_row(self):
    self._write_runner("another")
    self._write_runner(plan.REFERENCE.target, code=4)
    self.assertEqual(self._cell().verdict, "failed")


class FindInjectionTest(RunnerTest):

  def _find(self, tick, difference=_DIFFERENCE, is_in_snapshot=False):
    digests = "".join(f"{tick} a\n" for tick in range(plan.INJECTION_TICK + 1))
    digests += "chain d\nmath e\n"
    injected = digests.replace(f"\n{tick} a", f"\n{tick} x")
    self._write_runner(
        plan.REFERENCE.target, digests=digests, difference=difference,
        injected=injected,
        continued=injected[injected.index(f"{plan.INJECTION_TICK} "):])
    runner = runs.Runner(self._folder, self._folder)
    return comparison.find_injection(runner, self._folder, is_in_snapshot)[0]

  def test_is_found_where_it_was_made(self):
    for is_in_snapshot in (False, True):
      self.assertTrue(self._find(plan.INJECTION_TICK,
                                 is_in_snapshot=is_in_snapshot))

  def test_no_difference_is_not_found(self):
    for is_in_snapshot in (False, True):
      self.assertFalse(self._find("none", is_in_snapshot=is_in_snapshot))

  def test_another_tick_is_not_found(self):
    self.assertFalse(self._find(plan.INJECTION_TICK - 1))

  def test_another_object_is_not_found(self):
    difference = _DIFFERENCE.replace("ball_7", "ball_8")
    for is_in_snapshot in (False, True):
      self.assertFalse(self._find(plan.INJECTION_TICK, difference,
                                  is_in_snapshot))

  def test_a_second_field_is_not_found(self):
    difference = f"{_DIFFERENCE}\n{_DIFFERENCE}"
    self.assertFalse(self._find(plan.INJECTION_TICK, difference))


class PlanTest(unittest.TestCase):

  def test_snapshots_leave_time_to_go_on(self):
    ticks = plan.Snapshots(count=50, ticks_after=1000).ticks(2500)
    self.assertEqual(len(set(ticks)), 50)
    self.assertEqual(list(ticks), sorted(ticks))
    self.assertLess(max(ticks), 1500)
    self.assertEqual(
        ticks, plan.Snapshots(count=50, ticks_after=1000).ticks(2500))

  def test_short_games_have_snapshots_too(self):
    ticks = plan.Snapshots(count=50, ticks_after=1000).ticks(20)
    self.assertEqual(ticks, tuple(range(10)))

  def test_rows_have_keys_of_their_own(self):
    keys = [row.key for row in plan.ROWS]
    self.assertEqual(len(keys), len(set(keys)))


if __name__ == "__main__":
  unittest.main()
