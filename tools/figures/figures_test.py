#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that every aim of the page is a row's, that every figure with one is
measured, and that one that misses its aim, or what it is known to miss it by,
is said to."""

import contextlib
import io
import unittest

import figures

PAGE = """
| what | against | ratio | aim | by |
|---|---|---|---|---|
| a tick (3 ns) | nothing | 1.0 | 1.5 | `//a:b_benchmark` |
| two; three | nothing | 1; 2 | 1, then 0.5; 2 | the same |
| as fast as ever | nothing | 7 | | the same |
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


def missed(measured, misses=None):
    joined, problems = figures.join(figures.read_page(PAGE),
                                    figures.read_measured(MEASURED))
    assert not problems, problems
    with contextlib.redirect_stdout(io.StringIO()) as out:
        count = figures.check(joined, misses or {},
                              lambda target, names: measured[target])
    return count, out.getvalue()


def problems_of_misses(page, misses):
    joined, _ = figures.join(figures.read_page(page),
                             figures.read_measured(MEASURED))
    return figures.check_misses(joined, misses)


class FiguresTest(unittest.TestCase):

    def test_every_figure_of_the_page_with_an_aim_is_measured(self):
        joined, problems = figures.join(
            figures.read_page(figures.PAGE.read_text(encoding="utf-8")),
            figures.read_measured(
                figures.MEASURED.read_text(encoding="utf-8")))
        self.assertEqual(problems, [])
        self.assertGreater(len(joined), 40)
        for row, terms in joined:
            self.assertEqual(all(term.is_elsewhere() for term in terms),
                             not row.target.startswith("//"), row)
            self.assertIn(len(row.aims), (1, len(terms)), row)
            self.assertIn(len(row.shown), (1, len(terms)), row)

    def test_no_aim_of_the_page_stands_where_nothing_reads_it(self):
        self.assertEqual(
            figures.aims_outside(figures.PAGE.read_text(encoding="utf-8")), [])

    def test_figures_of_the_page_beyond_their_aims_are_known_to_miss(self):
        joined, _ = figures.join(
            figures.read_page(figures.PAGE.read_text(encoding="utf-8")),
            figures.read_measured(
                figures.MEASURED.read_text(encoding="utf-8")))
        self.assertEqual(
            figures.check_misses(
                joined, figures.read_misses(
                    figures.MISSES.read_text(encoding="utf-8"))), [])

    def test_aims_in_prose_and_without_a_number_are_found(self):
        self.assertEqual(figures.aims_outside(PAGE), [])
        for line, found in (
                ("It takes 5 bytes (aim: 6).", "an aim in prose"),
                ("| what | aim |\n|---|---|\n| a thing | linear |",
                 "aim 'linear' of 'a thing'")):
            (problem,) = figures.aims_outside(PAGE + "\n" + line + "\n")
            self.assertIn(found, problem)
        # What says what one wants isn't a figure.
        self.assertEqual(figures.aims_outside("The aim of this page is one.\n"),
                         [])

    def test_numbers_are_read_as_they_are_written(self):
        self.assertEqual(figures.aims_in("1, then 0.5"), [1])
        self.assertEqual(figures.aims_in("at least 0.9"), [0.9])
        self.assertEqual(figures.aims_in("2.5: linear, but for caches"), [2.5])
        self.assertEqual(figures.aims_in("linear"), [])
        self.assertEqual(figures.shown_in("1.01; 1.03 to 1.05"), [1.01, 1.05])
        self.assertEqual(figures.shown_in("less than 0.01, the noise"), [0.01])
        self.assertEqual(figures.shown_in("1,168 (3.8 row by row)"), [1168])

    def test_terms_are_ratios_of_benchmarks_counters_and_numbers(self):
        for text, ratio in (("BM_A:x / BM_B", 3 / 2), ("BM_A:x / 60", 3 / 60),
                            ("BM_A/samples:1/shadows:0:x", 6),
                            ("BM_A/samples:1/shadows:0 / 2", 4),
                            ("BM_A:y", None)):
            values_of_all = {"BM_A": {"x": 3}, "BM_B": {"cpu_time": 2},
                             "BM_A/samples:1/shadows:0": {"x": 6,
                                                          "cpu_time": 8}}
            self.assertEqual(
                figures.evaluate(figures.Term(text, False), values_of_all),
                ratio, text)

    def test_known_misses_pass_until_they_get_worse(self):
        known = {"BM_Tick / BM_Nothing": 1.8}
        count, text = missed(values(tick=1.8), known)
        self.assertEqual(count, 0, text)
        self.assertIn("known miss", text)
        # Of another day.
        self.assertEqual(missed(values(tick=1.85), known)[0], 0)
        count, text = missed(values(tick=1.95), known)
        self.assertEqual(count, 1)
        self.assertIn("WORSE", text)
        count, _ = missed(values(threads=0.8), {"BM_Threads:ratio": 0.82})
        self.assertEqual(count, 0)
        count, _ = missed(values(threads=0.7), {"BM_Threads:ratio": 0.82})
        self.assertEqual(count, 1)

    def test_the_page_and_what_is_known_to_miss_agree(self):
        term = "BM_Tick / BM_Nothing"
        missing = PAGE.replace("| 1.0 | 1.5 |", "| 1.8 | 1.5 |")
        self.assertEqual(problems_of_misses(PAGE, {}), [])
        self.assertEqual(problems_of_misses(missing, {term: 1.8}), [])
        (problem,) = problems_of_misses(missing, {})
        self.assertIn(f"add '1.8 {term}'", problem)
        (problem,) = problems_of_misses(missing, {term: 1.7})
        self.assertIn(f"add '1.8 {term}'", problem)
        (problem,) = problems_of_misses(PAGE, {term: 1.8})
        self.assertIn("strike it", problem)
        (problem,) = problems_of_misses(PAGE, {"BM_Gone": 2})
        self.assertIn("BM_Gone", problem)

    def test_what_is_measured_elsewhere_is_neither_met_nor_missed(self):
        row = figures.Row("of Doom", "tools/dev doom", [0.9], [0.3])
        term = figures.Term("elsewhere: tools/dev doom --figures", True)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            count = figures.check([(row, [term])], {}, None)
        self.assertEqual(count, 0)
        self.assertTrue(out.getvalue().startswith("elsewhere"))

    def test_rows_are_told_before_the_next_program_is_measured(self):
        joined, _ = figures.join(figures.read_page(PAGE),
                                 figures.read_measured(MEASURED))
        told = []
        with contextlib.redirect_stdout(io.StringIO()) as out:

            def measure(target, _):
                told.append(out.getvalue())
                return values()[target]

            figures.check(joined, {}, measure)
        self.assertEqual(len(told), 2)
        self.assertEqual(told[0], "")
        self.assertIn("BM_Three:ratio", told[1])

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
