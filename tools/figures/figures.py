#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Holds the figures of docs/figures.md against their aims.

    figures.py --list                   the targets that measure, a line each
    figures.py BIN_FOLDER [TEXT...]     runs them, or those of the rows that have
                                        one of the texts in them

Exit code 1: a figure misses its aim, or wasn't measured.
"""

import dataclasses
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).absolute().parents[2]
PAGE = ROOT / "docs" / "figures.md"
MEASURED = ROOT / "tools" / "figures" / "measured.txt"

# A ratio is printed with two digits or so; an aim that is met to the last one
# that is shown is met.
ROUNDING = 0.005


@dataclasses.dataclass
class Row:
    """A row of the page with an aim."""
    what: str
    target: str
    aims: list[float]  # one, or one for each ratio


@dataclasses.dataclass
class Term:
    """What gives a ratio, and whether the aim is the least it has to be."""
    text: str
    is_least: bool

    def benchmarks(self):
        return [part.split(":")[0] for part in self.text.split(" / ")]


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def aims_in(text):
    """The numbers that ratios are held to: of "1, then 0.5" the first."""
    aims = [re.match(r"\d+(\.\d+)?", part.strip()) for part in text.split(";")]
    return [float(aim.group()) for aim in aims] if all(aims) else []


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
                rows.append(Row(row["what"], target, aims))
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


def run(program, names):
    """{benchmark: its JSON} of a program, by the medians of repetitions."""
    pattern = "^(" + "|".join(re.escape(name) for name in names) + ")(/|$)"
    result = subprocess.run(
        [program, f"--benchmark_filter={pattern}", "--benchmark_format=json",
         "--benchmark_repetitions=3",
         "--benchmark_enable_random_interleaving=true"],
        capture_output=True, text=True, check=False)
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
    for part in term.text.split(" / "):
        name, _, counter = part.partition(":")
        one = find(values, name)
        if one is None or (counter or "cpu_time") not in one:
            return None
        numbers.append(float(one[counter or "cpu_time"]))
    return numbers[0] if len(numbers) == 1 else numbers[0] / numbers[1]


def is_met(ratio, aim, is_least):
    return ratio >= aim - ROUNDING if is_least else ratio <= aim + ROUNDING


def check(joined, measure):
    """Prints a line a ratio. `measure(target, names)` gives their values."""
    by_target = {}
    for row, terms in joined:
        names = by_target.setdefault(row.target, [])
        names += [name for term in terms for name in term.benchmarks()]
    values = {target: measure(target, sorted(set(names)))
              for target, names in by_target.items()}
    missed = 0
    for row, terms in joined:
        for i, term in enumerate(terms):
            aim = row.aims[min(i, len(row.aims) - 1)]
            ratio = evaluate(term, values[row.target])
            if ratio is None:
                verdict, shown = "not measured", "-"
            else:
                met = is_met(ratio, aim, term.is_least)
                verdict, shown = "met" if met else "MISSED", f"{ratio:.3g}"
            missed += verdict != "met"
            sign = ">=" if term.is_least else "<="
            print(f"{verdict:12} {shown:>7} {sign} {aim:<5} {row.what}: "
                  f"{term.text}")
    print(f"{missed} of {sum(len(terms) for _, terms in joined)} figures miss "
          "their aim")
    return missed


def main(arguments):
    joined, problems = join(read_page(PAGE.read_text(encoding="utf-8")),
                            read_measured(MEASURED.read_text(encoding="utf-8")))
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
        print("\n".join(sorted({row.target for row, _ in chosen})))
        return 0
    folder = pathlib.Path(arguments[0])

    def measure(target, names):
        return run(str(folder / target.removeprefix("//").replace(":", "/")),
                   names)

    return 1 if check(chosen, measure) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
