#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Holds the figures of docs/figures.md against their aims.

    figures.py --list                   the targets that measure, a line each
    figures.py BIN_FOLDER [TEXT...]     runs them, or those of the rows that have
                                        one of the texts in them

Exit code 1: a figure misses its aim, or, where it is known to, is worse than
misses.txt says, or wasn't measured.
"""

import dataclasses
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).absolute().parents[2]
PAGE = ROOT / "docs" / "figures.md"
MEASURED = ROOT / "tools" / "figures" / "measured.txt"
MISSES = ROOT / "tools" / "figures" / "misses.txt"
PROGRAM = "//tools/reprise"

# A ratio is printed with two digits or so; an aim that is met to the last one
# that is shown is met. Of small ones a hundredth counts.
ROUNDING = 0.005
ROUNDING_PART = 0.01

# What is known to miss is of another day: so much worse it may be than it says.
NOISE = 1.05

# A term that another command measures.
ELSEWHERE = "elsewhere: "


@dataclasses.dataclass
class Row:
    """A row of the page with an aim."""
    what: str
    target: str
    aims: list[float]  # one, or one for each ratio
    shown: list[float]  # what the page says was measured


@dataclasses.dataclass
class Term:
    """What gives a ratio, and whether the aim is the least it has to be."""
    text: str
    is_least: bool

    def parts(self):
        """[(benchmark, counter or "")], or a number, of what is divided."""
        parts = []
        for part in self.text.split(" / "):
            name, counter = re.fullmatch(r"(.+?)(?::([A-Za-z_]\w*))?",
                                         part).groups()
            is_number = re.fullmatch(r"\d+(\.\d+)?", part)
            parts.append(float(part) if is_number else (name, counter or ""))
        return parts

    def is_elsewhere(self):
        return self.text.startswith(ELSEWHERE)

    def benchmarks(self):
        if self.is_elsewhere():
            return []
        return [part[0] for part in self.parts() if isinstance(part, tuple)]


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def numbers_in(text, pattern):
    """Of each part between semicolons the number of the pattern, or nothing
    where one has none."""
    found = [re.match(pattern, part.strip()) for part in text.split(";")]
    if not all(found):
        return []
    return [float(one.group("number").replace(",", "")) for one in found]


_NUMBER = r"(?P<number>\d[\d,]*(\.\d+)?)"


def aims_in(text):
    """The numbers that ratios are held to: of "1, then 0.5" the first."""
    return numbers_in(text, r"(at least )?" + _NUMBER)


def shown_in(text):
    """The numbers of a ratio: of "1.03 to 1.05" the second."""
    return numbers_in(text, r"(less than |\d[\d.]* to )?" + _NUMBER)


def aims_outside(text):
    """What says an aim where nothing reads it: lines of prose, and rows whose
    aim is no number."""
    problems, names = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            names = None
            if re.search(r"\baim(ed|s)?\b(?! and)\s*[:(]", line):
                problems.append(f"line {number}: an aim in prose: {line}")
            continue
        cells = cells_of(line)
        if names is None:
            names = cells
        elif not set(line) <= set("|- "):
            aim = dict(zip(names, cells)).get("aim", "")
            if aim and not aims_in(aim):
                problems.append(f"line {number}: no number: aim '{aim}' of "
                                f"'{cells[0]}'")
    return problems


def read_page(text):
    """The rows whose aim is a number."""
    rows, names, target = [], None, None
    for line in text.splitlines():
        if not line.startswith("|"):
            names = None
            continue
        cells = cells_of(line)
        if names is None:
            names = cells
        elif not set(line) <= set("|- "):
            row = dict(zip(names, cells))
            link = re.search(r"`(//[^`]+)`", row.get("by", ""))
            target = link.group(1) if link else target
            aims = aims_in(row.get("aim", ""))
            if aims:
                command = re.search(r"`(tools/[^`]+)`", row.get("by", ""))
                rows.append(Row(row["what"],
                                command.group(1) if command else target, aims,
                                shown_in(row["ratio"])))
    return rows


def read_measured(text):
    """The terms of each row, by the beginning of its "what"."""
    measured, terms = {}, None
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            terms = measured.setdefault(line.strip(), [])
            continue
        term = line.strip()
        is_least = term.startswith(">= ")
        terms.append(Term(term.removeprefix(">= "), is_least))
    return measured


def read_misses(text):
    """{term's text: the value that it is known to have}"""
    misses = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            value, term = line.split(maxsplit=1)
            misses[term.strip()] = float(value)
    return misses


def check_misses(joined, misses):
    """A sentence for each figure that the page shows beyond its aim and that
    isn't among those known to miss, or is worse than they say, and for each of
    these that isn't beyond its aim any more."""
    problems, used = [], set()
    for row, terms in joined:
        for i, term in enumerate(terms):
            used.add(term.text)
            if not row.shown:
                problems.append(f"'{row.what}' shows no number")
                break
            aim = row.aims[min(i, len(row.aims) - 1)]
            shown = row.shown[min(i, len(row.shown) - 1)]
            known = misses.get(term.text)
            if is_met(shown, aim, term.is_least):
                if known is not None:
                    problems.append(f"{term.text} meets its aim, {aim}: strike "
                                    "it from misses.txt")
            elif known is None or not is_met(shown, known, term.is_least):
                problems.append(
                    f"{shown:g} of '{row.what}' misses its aim, {aim:g}: add "
                    f"'{shown:g} {term.text}' to misses.txt")
    problems += [f"no figure for '{term}' of misses.txt"
                 for term in misses if term not in used]
    return problems


def join(rows, measured):
    """[(row, terms)] of both, and a sentence for all that has no partner."""
    joined, problems, used = [], [], set()
    for row in rows:
        # The page adds absolute figures in brackets; the longest beginning wins.
        keys = [key for key in measured if row.what.startswith(key)]
        key = max(keys, key=len, default=None)
        if key is None:
            problems.append(f"no benchmark for '{row.what}'")
            continue
        used.add(key)
        joined.append((row, measured[key]))
    problems += [f"no row with an aim for '{key}'"
                 for key in measured if key not in used]
    return joined, problems


def start_ms(program):
    """What a start takes of a processor, in ms: the median of twenty."""
    taken = []
    for _ in range(20):
        process = subprocess.Popen([program, "--help"],
                                   stdout=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        taken.append(1000 * (usage.ru_utime + usage.ru_stime))
    return statistics.median(taken)


def course_bytes(program):
    """Of a recording of marble's course, with two keyframes."""
    with tempfile.TemporaryDirectory() as folder:
        replay = pathlib.Path(folder) / "course.mcap"
        subprocess.run(
            [program, "run", "sim/packs/marble", "--inputs",
             "sim/packs/tracks/marble_course.txtpb", "--record", replay],
            check=True, cwd=ROOT, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        return replay.stat().st_size


def measure_program(program, names):
    """The figures of the command itself, as those of benchmarks."""
    values = {}
    if "help" in names:
        values["help"] = {"cpu_ms": start_ms(program)}
    if "marble_course" in names:
        values["marble_course"] = {"bytes": course_bytes(program)}
    return values


def folder_for(program):
    """Where a program finds what it reads: all do in the tree, but those that
    run the command find it beside them."""
    beside = pathlib.Path(program + ".runfiles") / "reprise"
    return beside if (beside / "tools/reprise/reprise").exists() else ROOT


def run(program, names):
    """{benchmark: its JSON} of a program, by the medians of repetitions."""
    pattern = "^(" + "|".join(re.escape(name) for name in names) + ")(/|$)"
    result = subprocess.run(
        [program, f"--benchmark_filter={pattern}", "--benchmark_format=json",
         "--benchmark_repetitions=3",
         "--benchmark_enable_random_interleaving=true"],
        capture_output=True, text=True, check=False, cwd=folder_for(program))
    if result.returncode != 0:
        print(result.stderr, file=sys.stderr)
        return {}
    values = {}
    for one in json.loads(result.stdout)["benchmarks"]:
        if one.get("aggregate_name") == "median":
            values[one["run_name"]] = one
    return values


def find(values, name):
    """The benchmark of that name, which settings may have made longer."""
    return next((one for run_name, one in values.items()
                 if run_name == name or run_name.startswith(name + "/")), None)


def evaluate(term, values):
    """The ratio, or None if it wasn't measured."""
    numbers = []
    for part in term.parts():
        if isinstance(part, float):
            numbers.append(part)
            continue
        name, counter = part
        one = find(values, name)
        if one is None or (counter or "cpu_time") not in one:
            return None
        numbers.append(float(one[counter or "cpu_time"]))
    return numbers[0] if len(numbers) == 1 else numbers[0] / numbers[1]


def is_met(ratio, aim, is_least):
    slack = min(ROUNDING, ROUNDING_PART * aim)
    return ratio >= aim - slack if is_least else ratio <= aim + slack


def verdict_of(ratio, aim, known, is_least):
    if ratio is None:
        return "not measured"
    if is_met(ratio, aim, is_least):
        return "met"
    if known is None:
        return "MISSED"
    least = known / NOISE if is_least else known * NOISE
    return "known miss" if is_met(ratio, least, is_least) else "WORSE"


def print_row(row, terms, misses, values):
    """Prints a line for each ratio of a row. Returns how many are missed."""
    missed = 0
    for i, term in enumerate(terms):
        aim = row.aims[min(i, len(row.aims) - 1)]
        if term.is_elsewhere():
            verdict, shown = "elsewhere", "-"
        else:
            ratio = evaluate(term, values)
            verdict = verdict_of(ratio, aim, misses.get(term.text),
                                 term.is_least)
            shown = "-" if ratio is None else f"{ratio:.3g}"
            missed += verdict not in ("met", "known miss")
        sign = ">=" if term.is_least else "<="
        print(f"{verdict:12} {shown:>7} {sign} {aim:<5} {row.what}: "
              f"{term.text}", flush=True)
    return missed


def check(joined, misses, measure):
    """Prints the rows of each target once it has been measured: all of them
    take an hour. `measure(target, names)` gives the values."""
    by_target = {}
    for row, terms in joined:
        by_target.setdefault(row.target, []).append((row, terms))
    missed = 0
    for target, rows in by_target.items():
        names = {name for _, terms in rows
                 for term in terms for name in term.benchmarks()}
        values = measure(target, sorted(names)) if names else {}
        for row, terms in rows:
            missed += print_row(row, terms, misses, values)
    print(f"{missed} of {sum(len(terms) for _, terms in joined)} figures miss "
          "their aim")
    return missed


def main(arguments):
    joined, problems = join(read_page(PAGE.read_text(encoding="utf-8")),
                            read_measured(MEASURED.read_text(encoding="utf-8")))
    misses = read_misses(MISSES.read_text(encoding="utf-8"))
    problems += aims_outside(PAGE.read_text(encoding="utf-8"))
    problems += check_misses(joined, misses)
    for problem in problems:
        print(f"figures: {problem}", file=sys.stderr)
    if problems:
        return 2
    texts = arguments[1:]
    chosen = [(row, terms) for row, terms in joined
              if not texts or any(text in row.what for text in texts)]
    if not arguments or not chosen:
        print(__doc__, file=sys.stderr)
        return 2
    if arguments[0] == "--list":
        print("\n".join(sorted({row.target for row, _ in chosen
                                if row.target.startswith("//")})))
        return 0
    folder = pathlib.Path(arguments[0]).absolute()

    def measure(target, names):
        if target == PROGRAM:
            return measure_program(folder / "tools" / "reprise" / "reprise",
                                   names)
        return run(str(folder / target.removeprefix("//").replace(":", "/")),
                   names)

    return 1 if check(chosen, misses, measure) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
