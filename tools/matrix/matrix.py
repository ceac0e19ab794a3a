#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""The determinism matrix: one set of games on every compiler, level and
architecture. Prints one digest a game, or where a row first differs from the
reference: tick, object, field and both values.

With the environment variable REPRISE_RESULTS it also appends a line a row to
that file, for the count at the end of `tools/dev test`.
"""

import argparse
import dataclasses
import os
import pathlib
import platform
import shlex
import subprocess
import sys
import tempfile

import comparison
import plan
import runs

_ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

sys.path.insert(0, str(_ROOT / "tools" / "check"))
import results  # pylint: disable=wrong-import-position

# Exit codes, as the command has them; wrong usage is 2.
_DIFFERENT, _MISSING = 1, 3

_EPILOG = """\
A path counts from the root of the repository.

Examples:
  tools/dev matrix --short
  tools/dev matrix --row aarch64
  tools/dev matrix --replay game.mcap
  tools/dev matrix --pack my_game --random-inputs 7 --ticks 1200
"""


def build(targets):
  """Builds the runners and returns their folder, or None if that failed."""
  quiet = [] if sys.stderr.isatty() else [
      "--noshow_progress", "--ui_event_filters=-info"]
  labels = sorted({f"//tools/matrix:{target}" for target in targets})
  if subprocess.run(["bazel", "build", *quiet, *labels], cwd=_ROOT,
                    stdout=sys.stderr, check=False).returncode != 0:
    return None
  info = subprocess.run(["bazel", "info", "bazel-bin"], cwd=_ROOT, text=True,
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                        check=True)
  return pathlib.Path(info.stdout.strip()) / "tools" / "matrix"


def print_table(matrix, rows, cells):
  """Prints the digests of the reference, and how each row compares."""
  width = max(len(row.name) for row in (plan.REFERENCE, *rows)) + 2

  def print_row(name, texts, last=""):
    print((name.ljust(width) + "".join(text.ljust(18) for text in texts) +
           last).rstrip())

  def of_reference(column, text):
    digests = matrix.reference(column)
    return "failed" if isinstance(digests, str) else text(digests)

  print_row("", [column.name for column in matrix.columns], "seconds")
  print_row("ticks", [
      of_reference(column, lambda digests: str(len(digests.roots) - 1))
      for column in matrix.columns])
  print_row(plan.REFERENCE.name, [
      of_reference(column, lambda digests: digests.chain)
      for column in matrix.columns], f"{matrix.seconds(plan.REFERENCE):.1f}")
  for row in rows:
    print_row(row.name, [cells[row, column].verdict
                         for column in matrix.columns],
              f"{matrix.seconds(row):.1f}")


def print_differences(rows, columns, cells):
  """Prints what is behind each cell that isn't equal."""
  for row in rows:
    for column in columns:
      cell = cells[row, column]
      if not cell.passed:
        print(f"\n{row.name}, {column.name}: {cell.verdict}")
        for line in cell.details:
          print(f"  {line}")


def find_contraction(matrix):
  """Whether a build that fuses products and sums is found to differ."""
  matrix.run([plan.CONTRACTED])
  cells = {column: matrix.cell(plan.CONTRACTED, column)
           for column in matrix.columns}
  found = any(cell.verdict.startswith("tick ") for cell in cells.values())
  return found, "\n  ".join(
      f"{column.name}, {cell.verdict}: {(cell.details or ('',))[0]}"
      for column, cell in cells.items())


def run_canaries(runner, matrix, folder, with_contraction):
  """Checks that differences are found. Returns the results."""
  outcomes = {"one bit": comparison.find_injection(runner, folder)}
  if with_contraction:
    outcomes["contracted arithmetic"] = find_contraction(matrix)
  for name, (found, text) in outcomes.items():
    print(f"\ncanary, {name}: {'found' if found else 'NOT FOUND'}\n  {text}")
  return [results.Result(f"matrix canary: {name}", found,
                         "tools/dev matrix --canary")
          for name, (found, _) in outcomes.items()]


def parse_arguments():
  parser = argparse.ArgumentParser(
      prog="tools/dev matrix", epilog=_EPILOG,
      formatter_class=argparse.RawDescriptionHelpFormatter,
      description="Runs games in every way they can be built, and compares.")
  parser.add_argument("--short", action="store_true",
                      help="one row of every tier, and fewer ticks")
  parser.add_argument("--row", action="append", metavar="ROW",
                      help="only this row: " + ", ".join(
                          row.key for row in plan.ROWS))
  parser.add_argument("--canary", action="store_true",
                      help="also build one that has to differ")
  game = parser.add_argument_group("another game than the project's own")
  game.add_argument("--replay", metavar="FILE", help="what a replay recorded")
  game.add_argument("--pack", metavar="DIR", help="a pack")
  game.add_argument("--inputs", metavar="FILE", help="an input track or replay")
  game.add_argument("--random-inputs", metavar="SEED", type=int,
                    help="inputs drawn from the pack's actions")
  game.add_argument("--seed", type=int,
                    help="everything random follows from it")
  game.add_argument("--ticks", metavar="N", type=int, help="how long to run")
  arguments = parser.parse_args()
  if arguments.replay and arguments.pack:
    parser.error("--replay brings its pack along: leave out --pack")
  of_pack = (arguments.inputs, arguments.random_inputs, arguments.seed)
  if not arguments.pack and any(value is not None for value in of_pack):
    parser.error("--inputs, --random-inputs and --seed need a --pack")
  if (arguments.pack and not arguments.inputs and arguments.ticks is None):
    parser.error("--ticks has to say how long to run a pack without --inputs")
  unknown = set(arguments.row or ()) - {row.key for row in plan.ROWS}
  if unknown:
    parser.error(f"there is no row {unknown.pop()}")
  return arguments


def select_columns(arguments):
  """Returns the games that were asked for."""
  source = arguments.replay or arguments.pack
  if not source:
    columns = plan.columns(arguments.short)
    if arguments.ticks is None:
      return columns
    return tuple(dataclasses.replace(column, ticks=arguments.ticks)
                 for column in columns)
  flags = []
  for name in ("inputs", "random_inputs", "seed"):
    value = getattr(arguments, name)
    if value is not None:
      flags += ["--" + name.replace("_", "-"), str(value)]
  name = pathlib.Path(source).resolve().name[:17]
  return (plan.Column(name, source, tuple(flags), arguments.ticks),)


def select_rows(arguments):
  """Returns the rows that were asked for, besides the reference."""
  rows = plan.short_rows() if arguments.short else plan.ROWS
  if arguments.row:
    rows = tuple(row for row in plan.ROWS if row.key in arguments.row)
  return rows


def reproduce(row):
  """Returns the command that does one row of this matrix again."""
  words = ["tools/dev", "matrix", *sys.argv[1:]]
  if "--row" not in sys.argv:
    words += ["--row", row.key]
  return shlex.join(words)


def main():
  if platform.machine() != "x86_64":
    print("matrix: the rows are for an x86-64 machine", file=sys.stderr)
    return _MISSING
  arguments = parse_arguments()
  rows, columns = select_rows(arguments), select_columns(arguments)
  for column in columns:
    if not (_ROOT / column.source).exists():
      print(f"matrix: there is no {column.source}", file=sys.stderr)
      return _MISSING
  targets = {plan.REFERENCE.target, *(row.target for row in rows)}
  if arguments.canary:
    targets.add(plan.CONTRACTED.target)
  binaries = build(targets)
  if binaries is None:
    print("matrix: a runner could not be built", file=sys.stderr)
    return _MISSING

  with tempfile.TemporaryDirectory(prefix="reprise-matrix-") as folder:
    runner = runs.Runner(_ROOT, binaries)
    matrix = comparison.Matrix(runner, columns, folder)
    matrix.run((plan.REFERENCE, *rows))
    cells = {(row, column): matrix.cell(row, column)
             for row in rows for column in columns}
    print_table(matrix, rows, cells)
    print_differences(rows, columns, cells)
    cases = run_canaries(runner, matrix, folder, arguments.canary)

  cases += [
      results.Result(f"matrix: {row.name}",
                     all(cells[row, column].passed for column in columns),
                     reproduce(row))
      for row in rows
  ]
  if os.environ.get("REPRISE_RESULTS"):
    results.append(os.environ["REPRISE_RESULTS"], cases)
  failed = sum(not case.passed for case in cases)
  print(f"\nmatrix: {len(rows) + 1} rows, {len(columns)} columns, " +
        (f"{failed} of {len(cases)} checks FAILED" if failed
         else "one digest a column"))
  return _DIFFERENT if failed else 0


if __name__ == "__main__":
  sys.exit(main())
