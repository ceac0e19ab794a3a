#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that ratios of instructions leave out what starts cost, and that one
that is beyond its aim, or wasn't counted, is said to be."""

import contextlib
import io
import unittest

import instructions

# As callgrind_annotate prints it.
ANNOTATED = """
9,000,000 (100.0%)  PROGRAM TOTALS

4,080 (45.33%)  ???:reprise::sim::PluginSimulation::Step(std::span<int>) [/a/b]
4,000 (44.44%)  ???:(anonymous namespace)::Step(reprise_simulation*, int) [/a/b]
3,000 (33.33%)  a.cc:reprise::sim::World::Step(std::span<int>) [/a/b]
"""

START = 1_000_000


def count_as_if(recording, verifying):
    """Instructions of a program whose tick takes 100 by itself."""
    def count(arguments):
        words = [str(word) for word in arguments]
        if words[1] == "verify":
            ticks = int(words[2].rsplit("_", 1)[1].removesuffix(".mcap"))
            return 3 * START + ticks * (100 + verifying)
        ticks = int(words[words.index("--ticks") + 1])
        extra = recording if "--record" in words else 0
        return START + ticks * (100 + extra)
    return count


class InstructionsTest(unittest.TestCase):

    def test_the_last_count_is_the_programs(self):
        text = "Collected : 5\n==7== Collected : 39633318\n"
        self.assertEqual(instructions.instructions_in(text), 39633318)
        self.assertIsNone(instructions.instructions_in("valgrind: no such"))

    def test_what_a_start_costs_doesnt_count(self):
        recorded, verified = instructions.measure_runs(
            "reprise", "marble", "/nowhere", count_as_if(3, 4))
        self.assertAlmostEqual(recorded, 1.03)
        self.assertAlmostEqual(verified, 1.04)

    def test_what_wasnt_counted_is_no_ratio(self):
        self.assertEqual(instructions.measure_runs(
            "reprise", "marble", "/nowhere", lambda words: None), (None, None))

    def test_functions_are_told_by_name_and_arguments(self):
        self.assertEqual(instructions.inclusive_in(
            ANNOTATED, "PluginSimulation::Step("), 4080)
        self.assertEqual(instructions.inclusive_in(
            ANNOTATED, "Step(reprise_simulation"), 4000)
        self.assertEqual(instructions.inclusive_in(ANNOTATED, "Other("), 0)

    def test_strides_of_digests_and_keyframes_divide_the_lengths(self):
        for lengths in instructions.LENGTHS.values():
            self.assertTrue(all(ticks % 600 == 0 for ticks in lengths))
            self.assertLess(*lengths)

    def test_each_beyond_its_aim_and_each_uncounted_is_a_miss(self):
        rows = [("right", 1.05, lambda: [1.04, 1.05]),
                ("one beyond", 1.05, lambda: [1.04, 1.06]),
                ("uncounted", 1.02, lambda: [None])]
        with contextlib.redirect_stdout(io.StringIO()) as out:
            self.assertEqual(instructions.check(rows), 2)
        lines = out.getvalue().splitlines()
        self.assertTrue(lines[0].startswith("met "))
        self.assertTrue(lines[1].startswith("MISSED"))
        self.assertTrue(lines[2].startswith("MISSED"))


if __name__ == "__main__":
    unittest.main()
