#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""The ratios of docs/figures.md whose aims are tight, in instructions.

    instructions.py BIN_FOLDER [TEXT...]    all, or those with one of the texts

What recording, verifying and the C interface add to a tick, counted by
valgrind's callgrind, so that what else the machine does changes nothing. Of a
recording and a verification, the instructions of two runs of different lengths
are taken from each other, so that starts don't count.

Exit code 1: a ratio is beyond its aim, or wasn't counted.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).absolute().parents[2]
PROGRAM = "tools/reprise/reprise"
PLUGINS = "tests/plugins/plugin_benchmark"

# Ticks of the two runs by pack: of each a multiple of the strides of digests
# and keyframes, so that the longer one has its share of them.
LENGTHS = {"pile": (600, 1200), "nursery": (600, 1200), "marble": (600, 1200)}
RUN_AIM = 1.05
# Of the balls' own steps, by their arguments in the benchmark.
PLUGIN_SIZES = ("10/1000", "1000/100")
PLUGIN_AIM = 1.02


def counted(arguments, cwd=ROOT):
    """What callgrind says of a program that ends well: its output and errors."""
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", *arguments], capture_output=True,
        text=True, check=False, cwd=cwd)
    if result.returncode != 0:
        print(result.stderr, file=sys.stderr)
        return ""
    return result.stderr


def instructions_in(text):
    """The last count in what callgrind printed, or None."""
    counts = re.findall(r"Collected : (\d+)", text)
    return int(counts[-1]) if counts else None


def count(arguments):
    return instructions_in(
        counted(["--callgrind-out-file=/dev/null", *map(str, arguments)]))


def inclusive_in(annotated, function):
    """Instructions of the function whose name, without namespaces, begins so,
    with those of all that it calls."""
    found = [0]
    for line in annotated.splitlines():
        parts = re.match(r"\s*([\d,]+) \([^)]*\)\s+\S*?:(.*)", line)
        if parts and re.search(r"(^|[: ])" + re.escape(function), parts[2]):
            found.append(int(parts[1].replace(",", "")))
    return max(found)


def difference(counts):
    """Of a longer and a shorter run's, or None where one wasn't counted."""
    short, long = counts
    return None if short is None or long is None else long - short


def ratio(part, whole):
    return part / whole if part is not None and whole else None


def measure_runs(program, pack, folder, counter=count):
    """Recorded and verified per plain: instructions of a tick."""
    plain, recorded, verified = [], [], []
    for ticks in LENGTHS[pack]:
        replay = pathlib.Path(folder) / f"{pack}_{ticks}.mcap"
        run = [program, "run", ROOT / "sim" / "packs" / pack,
               "--random-inputs", 7, "--ticks", ticks]
        plain.append(counter(run))
        recorded.append(counter(run + ["--record", replay]))
        verified.append(counter([program, "verify", replay, "--isolation",
                                 "none", "--threads", 1]))
    whole = difference(plain)
    return (ratio(difference(recorded), whole),
            ratio(difference(verified), whole))


def measure_plugin(benchmark, size):
    """A step through the C interface per the library's own."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "callgrind.out"
        counted([f"--callgrind-out-file={out}", benchmark,
                 f"--benchmark_filter=^BM_Tick/{size}(/|$)"])
        if not out.exists():
            return None
        annotated = subprocess.run(
            ["callgrind_annotate", "--inclusive=yes", "--threshold=100", out],
            capture_output=True, text=True, check=False).stdout
    return ratio(inclusive_in(annotated, "PluginSimulation::Step("),
                 inclusive_in(annotated, "Step(reprise_simulation"))


def figures(folder):
    """(what, aim, how to measure it): a list of ratios each."""
    rows = []
    for pack in LENGTHS:
        rows.append((f"a run of {pack}: recorded per plain; verified per plain",
                     RUN_AIM, lambda pack=pack: _runs(folder, pack)))
    for size in PLUGIN_SIZES:
        rows.append((f"{size} balls and substeps: a step through the C "
                     "interface per the library's own", PLUGIN_AIM,
                     lambda size=size: [measure_plugin(folder / PLUGINS, size)]))
    return rows


def _runs(folder, pack):
    with tempfile.TemporaryDirectory() as replays:
        return list(measure_runs(folder / PROGRAM, pack, replays))


def check(rows):
    """Prints a line a row, and returns how many ratios are beyond an aim."""
    missed = 0
    for what, aim, measure in rows:
        ratios = measure()
        beyond = [one is None or one > aim for one in ratios]
        missed += sum(beyond)
        shown = "; ".join("-" if one is None else f"{one:.4f}"
                          for one in ratios)
        print(f"{'MISSED' if any(beyond) else 'met':7} {shown} <= {aim} {what}",
              flush=True)
    return missed


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    rows = [row for row in figures(pathlib.Path(arguments[0]).absolute())
            if len(arguments) == 1 or
            any(text in row[0] for text in arguments[1:])]
    if not rows:
        print("instructions: no figure has such a text", file=sys.stderr)
        return 2
    return 1 if check(rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
