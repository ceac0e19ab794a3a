#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""The determinism matrix: one set of games on every compiler, level and
architecture, from the start and from snapshots. Prints one digest a game, or
where a row first differs from the reference: tick, object, field and both
values.

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


def print_lines(columns, rows, lines):
  """Prints a table: a line is a name, a text a column, and the last words."""
  name_width = max(len(row.name) for row in (plan.REFERENCE, *rows)) + 2
  widths = [max(len(column.name) + 2, 18) for column in columns]
  for name, texts, last in (("", [c.name for c in columns], "seconds"), *lines):
    cells = (text.ljust(width) for text, width in zip(texts, widths))
    print((name.ljust(name_width) + "".join(cells) + last).rstrip())


def print_table(matrix, rows, cells):
  """Prints the digests of the reference, and how each row compares."""

  def of_reference(text):
    digests = [matrix.reference(column) for column in matrix.columns]
    return ["failed" if isinstance(one, str) else text(one) for one in digests]

  print_lines(matrix.columns, rows, [
      ("ticks", of_reference(lambda one: str(len(one.roots) - 1)), ""),
      (plan.REFERENCE.name, of_reference(lambda one: one.chain),
       f"{matrix.seconds(plan.REFERENCE):.1f}"),
      *((row.name, [cells[row, column].verdict for column in matrix.columns],
         f"{matrix.seconds(row):.1f}") for row in rows)])


def print_snapshots(continuations, rows, cells):
  """Prints from how many snapshots each row went on, and how it compares."""

  def text(row, column):
    count = len(continuations.continuations(column))
    verdict = cells[row, column].verdict
    return f"{count} {verdict}" if cells[row, column].passed else verdict

  print(f"\nsnapshots, up to {continuations.ticks_after} ticks from each")
  print_lines(continuations.columns, rows, [
      (row.name, [text(row, column) for column in continuations.columns],
       f"{continuations.seconds(row):.1f}") for row in rows])


def print_pictures(pictures, rows, cells):
  """Prints the last digest of each game, and how each row compares."""

  def of_reference(text):
    drawn = [pictures.reference(column) for column in pictures.columns]
    return ["failed" if isinstance(one, str) else text(one) for one in drawn]

  print(f"\npictures, of each {plan.PICTURE_EVERY}th tick")
  print_lines(pictures.columns, rows, [
      ("pictures", of_reference(lambda one: str(len(one))), ""),
      (plan.REFERENCE.name, of_reference(lambda one: one[-1][1]), ""),
      *((row.name, [cells[row, column].verdict for column in pictures.columns],
         "") for row in rows)])


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
  outcomes = {
      "one bit": comparison.find_injection(runner, folder),
      "one bit of a snapshot":
          comparison.find_injection(runner, folder, is_in_snapshot=True),
  }
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
                      help="the rows without a build of their own and, in "
                      "turn by the commit, one with; fewer ticks")
  parser.add_argument("--row", action="append", metavar="ROW",
                      help="only this row: " + ", ".join(
                          row.key for row in plan.ROWS))
  parser.add_argument("--snapshots", metavar="N", type=int,
                      help="go on from so many of each game; 0: from none")
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
  if arguments.snapshots is not None and arguments.snapshots < 0:
    parser.error("--snapshots is 0 or more")
  unknown = set(arguments.row or ()) - {row.key for row in plan.ROWS}
  if unknown:
    parser.error(f"there is no row {unknown.pop()}")
  return arguments


def select_columns(arguments, own):
  """Returns the games that were asked for; `own` gives the project's own."""
  source = arguments.replay or arguments.pack
  if not source:
    columns = own(arguments.short)
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


def select_snapshots(arguments):
  """Returns the snapshots to go on from, and the games they are of."""
  snapshots = plan.snapshots(arguments.short)
  if arguments.snapshots is not None:
    snapshots = dataclasses.replace(snapshots, count=arguments.snapshots)
  if snapshots.count == 0:
    return snapshots, ()
  return snapshots, select_columns(arguments, plan.snapshot_columns)


def commit_number():
  """Returns a number that the commit of now stands for; 0 without git."""
  result = subprocess.run(
      ["git", "-c", "safe.directory=*", "rev-parse", "HEAD"], cwd=_ROOT,
      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
  return int(result.stdout.strip() or "0", 16)


def select_rows(arguments):
  """Returns the rows that were asked for, besides the reference."""
  rows = plan.short_rows(commit_number()) if arguments.short else plan.ROWS
  if arguments.row:
    rows = tuple(row for row in plan.ROWS if row.key in arguments.row)
  return rows


def reproduce(row):
  """Returns the command that does one row of this matrix again."""
  words = ["tools/dev", "matrix", *sys.argv[1:]]
  if "--row" not in sys.argv:
    words += ["--row", row.key]
  return shlex.join(words)


def compare(table, before, rows, print_cells, name):
  """Runs and prints a table of comparisons. Returns a result a row."""
  table.run((*before, *rows))
  cells = {(row, column): table.cell(row, column)
           for row in rows for column in table.columns}
  print_cells(table, rows, cells)
  print_differences(rows, table.columns, cells)
  return [
      results.Result(f"{name}: {row.name}",
                     all(cells[row, column].passed for column in table.columns),
                     reproduce(row))
      for row in rows
  ]


def main():
  if platform.machine() != "x86_64":
    print("matrix: the rows are for an x86-64 machine", file=sys.stderr)
    return _MISSING
  arguments = parse_arguments()
  rows = select_rows(arguments)
  columns = select_columns(arguments, plan.columns)
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

  snapshots, games = select_snapshots(arguments)
  with tempfile.TemporaryDirectory(prefix="reprise-matrix-") as folder:
    runner = runs.Runner(_ROOT, binaries)
    matrix = comparison.Matrix(runner, columns, folder)
    cases = compare(matrix, (plan.REFERENCE,), rows, print_table, "matrix")
    if games:
      cases += compare(
          comparison.Continuations(runner, games, snapshots, folder), (), rows,
          print_snapshots, "matrix snapshots")
    drawn = select_columns(arguments, plan.picture_columns)
    cases += compare(comparison.Pictures(runner, drawn, folder),
                     (plan.REFERENCE,), rows, print_pictures,
                     "matrix pictures")
    cases += run_canaries(runner, matrix, folder, arguments.canary)

  if os.environ.get("REPRISE_RESULTS"):
    results.append(os.environ["REPRISE_RESULTS"], cases)
  failed = sum(not case.passed for case in cases)
  print(f"\nmatrix: {len(rows) + 1} rows, {len(columns)} columns, " +
        (f"{failed} of {len(cases)} checks FAILED" if failed
         else "one digest a column"))
  return _DIFFERENT if failed else 0


if __name__ == "__main__":
  sys.exit(main())
