#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that every figure with an aim is measured, and that one that misses its
aim is said to."""

import contextlib
import io
import unittest

import figures

PAGE = """
| what | against | ratio | aim | by |
|---|---|---|---|---|
| a tick (3 ns) | nothing | 1.0 | 1.5 | `//a:b_benchmark` |
| two; three | nothing | 1; 2 | 1, then 0.5; 2 | the same |
| as many as there are | nothing | 7 | linear | the same |
| on two threads | on one | 0.9 | 0.9 | `//a:c_benchmark` |
"""
MEASURED = """
# a comment
a tick
  BM_Tick / BM_Nothing
two; three
  BM_Two/10:ratio
  BM_Three:ratio
on two threads
  >= BM_Threads:ratio
"""


def values(tick=1.0, two=1.0, three=2.0, threads=0.9):
    return {
        "//a:b_benchmark": {
            "BM_Tick": {"cpu_time": tick * 4},
            "BM_Nothing/iterations:5": {"cpu_time": 4.0},
            "BM_Two/10/real_time": {"ratio": two},
            "BM_Two/100": {"ratio": 100},
            "BM_Three": {"ratio": three},
        },
        "//a:c_benchmark": {"BM_Threads": {"ratio": threads}},
    }


def missed(measured):
    joined, problems = figures.join(figures.read_page(PAGE),
                                    figures.read_measured(MEASURED))
    assert not problems, problems
    with contextlib.redirect_stdout(io.StringIO()) as out:
        count = figures.check(joined, lambda target, names: measured[target])
    return count, out.getvalue()


class FiguresTest(unittest.TestCase):

    def test_every_figure_of_the_page_with_an_aim_is_measured(self):
        joined, problems = figures.join(
            figures.read_page(figures.PAGE.read_text(encoding="utf-8")),
            figures.read_measured(
                figures.MEASURED.read_text(encoding="utf-8")))
        self.assertEqual(problems, [])
        self.assertGreater(len(joined), 20)
        for row, terms in joined:
            self.assertTrue(row.target.startswith("//"), row)
            self.assertIn(len(row.aims), (1, len(terms)), row)

    def test_figures_that_meet_their_aims_pass(self):
        self.assertEqual(missed(values())[0], 0)
        # To the digits that are shown.
        self.assertEqual(missed(values(tick=1.504))[0], 0)

    def test_each_that_misses_its_own_aim_is_named(self):
        for change, name in ((dict(tick=1.51), "BM_Tick"),
                             (dict(two=1.2), "BM_Two/10"),
                             (dict(three=2.2), "BM_Three"),
                             (dict(threads=0.8), "BM_Threads")):
            count, text = missed(values(**change))
            self.assertEqual(count, 1, name)
            line = next(one for one in text.splitlines() if "MISSED" in one)
            self.assertIn(name, line)

    def test_what_was_not_measured_is_no_success(self):
        measured = values()
        del measured["//a:b_benchmark"]["BM_Three"]
        measured["//a:c_benchmark"] = {}
        count, text = missed(measured)
        self.assertEqual(count, 2)
        self.assertEqual(text.count("not measured"), 2)

    def test_rows_and_benchmarks_without_each_other_are_named(self):
        _, problems = figures.join(
            figures.read_page(PAGE + "| new | x | 1 | 2 | `//a:d` |\n"),
            figures.read_measured(MEASURED + "gone\n  BM_Gone\n"))
        self.assertEqual(problems, ["no benchmark for 'new'",
                                    "no row with an aim for 'gone'"])


if __name__ == "__main__":
    unittest.main()
