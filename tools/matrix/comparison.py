# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs every row on every column, from the start and from snapshots, and
compares each row with the reference.
"""

import dataclasses
import pathlib

import plan
import runs


@dataclasses.dataclass(frozen=True)
class Cell:
  """How one row did on one column: equal, or what is wrong."""
  verdict: str
  details: tuple = ()

  @property
  def passed(self):
    return self.verdict == "equal"


def explanation(runner, column, row, run, tick, folder):
  """Returns what differs at a tick, as runs.explain; or why nobody knows."""
  try:
    return tuple(runs.explain(runner, plan.REFERENCE, column, row, run, tick,
                              folder)) or ("the states at that tick are equal",)
  except runs.RunFailed as failure:
    return (f"the states could not be compared: {failure}",)


class Matrix:
  """The runs of all rows and columns, and what came out."""

  def __init__(self, runner, columns, folder):
    self.columns = columns
    self._runner = runner
    self._folder = pathlib.Path(folder)
    self._digests = {}  # by row and column: Digests, or why there are none

  def run(self, rows):
    """Makes all runs, as many at a time as there are CPUs."""
    jobs = [(row, column) for row in rows for column in self.columns]
    # What takes longest first, so that no CPU waits at the end.
    jobs.sort(key=lambda job: (not job[0].launcher, job[0].target != "gcc_o0"))
    self._digests.update(runs.run_all(jobs, self._run_one))

  def reference(self, column):
    """Returns the reference's digests of a column, or why there are none."""
    return self._digests[plan.REFERENCE, column]

  def cell(self, row, column):
    """Compares a row with the reference, down to the field if they differ."""
    expected = self.reference(column)
    actual = self._digests[row, column]
    for side in (expected, actual):
      if isinstance(side, str):
        return Cell("failed", (side,))
    tick = runs.first_difference(expected, actual)
    if tick is not None:
      return Cell(f"tick {tick}",
                  explanation(self._runner, column, row, column, tick,
                              self._folder))
    if expected.math != actual.math:
      return Cell("math", ("no state differs, but elementary functions do: "
                           f"{expected.math} | {actual.math}",))
    if expected.chain != actual.chain:
      return Cell("chain", (f"{expected.chain} | {actual.chain}",))
    return Cell("equal")

  def seconds(self, row):
    """Returns how long all runs of a row took together."""
    return sum(
        digests.seconds for (other, _), digests in self._digests.items()
        if other == row and not isinstance(digests, str))

  def _run_one(self, row, column):
    return self._runner.digests(row, column.arguments)


class Continuations:
  """Every row goes on from snapshots that the reference made.

  Each snapshot is a keyframe of a recording, and is restored in a process of
  its own; each tick behind it is compared with the run that was never
  interrupted.
  """

  def __init__(self, runner, columns, snapshots, folder):
    self.columns = columns
    self._runner = runner
    self.ticks_after = snapshots.ticks_after
    self._snapshots = snapshots
    self._folder = pathlib.Path(folder)
    self._games = {}  # by column: digests and continuations, or a failure
    self._digests = {}  # by row, column and continuation: as in Matrix

  def run(self, rows):
    """Makes all runs, as many at a time as there are CPUs."""
    games = runs.run_all([(column,) for column in self.columns], self._record)
    self._games = {column: game for (column,), game in games.items()}
    jobs = [(row, column, continuation) for row in rows
            for column in self.columns
            for continuation in self.continuations(column)]
    jobs.sort(key=lambda job: not job[0].launcher)
    self._digests = runs.run_all(jobs, self._run_one)

  def continuations(self, column):
    """Returns those that each row makes of a column."""
    game = self._games[column]
    return () if isinstance(game, str) else game[1]

  def cell(self, row, column):
    """Compares a row with the reference, down to the field if they differ."""
    game = self._games[column]
    if isinstance(game, str):
      return Cell("failed", (game,))
    continuations = self.continuations(column)
    if not continuations:
      return Cell("none", ("there was no snapshot to go on from",))
    for continuation in continuations:
      actual = self._digests[row, column, continuation]
      if isinstance(actual, str):
        return Cell("failed", (f"from {continuation.tick}: {actual}",))
      first = continuation.tick
      expected = game[0].roots[first:self._end(game[0], continuation) + 1]
      index = runs.first_difference(
          dataclasses.replace(actual, roots=expected), actual)
      if index is not None:
        return Cell(f"from {first}", (
            f"tick {first + index}:",
            *explanation(self._runner, column, row, continuation,
                         first + index, self._folder)))
    return Cell("equal")

  def seconds(self, row):
    """Returns how long all runs of a row took together."""
    return sum(
        digests.seconds for (other, *_), digests in self._digests.items()
        if other == row and not isinstance(digests, str))

  def _record(self, column):
    digests = self._runner.digests(plan.REFERENCE, column.arguments)
    path = self._folder / f"{self.columns.index(column)}.mcap"
    return digests, self._runner.record(
        plan.REFERENCE, column.arguments,
        self._snapshots.ticks(len(digests.roots) - 1), path)

  def _run_one(self, row, column, continuation):
    end = self._end(self._games[column][0], continuation)
    return self._runner.digests(row, continuation.until(end),
                                continuation.tick)

  def _end(self, digests, continuation):
    return min(continuation.tick + self.ticks_after,
               len(digests.roots) - 1)


class Pictures:
  """Every row draws what the reference recorded, and has the same pixels."""

  def __init__(self, runner, columns, folder):
    self.columns = columns
    self._runner = runner
    self._folder = pathlib.Path(folder)
    self._replays = {}  # by column: where it lies, or why it doesn't
    self._pictures = {}  # by row and column: ticks and digests, or why none

  def run(self, rows):
    """Records all games and draws them, as many at a time as CPUs."""
    recorded = runs.run_all([(column,) for column in self.columns],
                            self._record)
    self._replays = {column: path for (column,), path in recorded.items()}
    jobs = [(row, column) for row in rows for column in self.columns]
    jobs.sort(key=lambda job: not job[0].launcher)
    self._pictures.update(runs.run_all(jobs, self._draw))

  def reference(self, column):
    """Returns the reference's pictures of a column, or why there are none."""
    return self._pictures[plan.REFERENCE, column]

  def cell(self, row, column):
    """Compares a row's pictures with the reference's, one by one."""
    expected = self.reference(column)
    actual = self._pictures[row, column]
    for side in (expected, actual):
      if isinstance(side, str):
        return Cell("failed", (side,))
    for one, other in zip(expected, actual):
      if one != other:
        return Cell(f"tick {one[0]}",
                    (f"picture {' '.join(one)} | {' '.join(other)}",))
    if len(expected) != len(actual):
      return Cell("pictures", (f"{len(expected)} | {len(actual)}",))
    return Cell("equal")

  def _record(self, column):
    path = self._folder / f"pictures_{self.columns.index(column)}.mcap"
    self._runner.record(plan.REFERENCE, column.arguments, (0,), path)
    return path

  def _draw(self, row, column):
    path = self._replays[column]
    if isinstance(path, str):
      raise runs.RunFailed(path)
    return self._runner.pictures(row, path, plan.PICTURE_EVERY)


def find_injection(runner, folder, is_in_snapshot=False):
  """Whether one bit changed in the reference is found, and as what.

  It is changed while a game is played, or in a snapshot that is gone on from.
  """
  column, flags = plan.CANARY, plan.injection_flags()
  folder = pathlib.Path(folder)
  run, first, tick, lines = column, 0, None, []
  try:
    expected = runner.digests(plan.REFERENCE, column.arguments)
    if is_in_snapshot:
      first = plan.INJECTION_TICK
      run, = runner.record(plan.REFERENCE, column.arguments, (first,),
                           folder / "canary.mcap")
    actual = runner.digests(
        plan.REFERENCE, (*run.until(plan.INJECTION_TICK), *flags), first)
    index = runs.first_difference(
        dataclasses.replace(expected, roots=expected.roots[first:]), actual)
    if index is not None:
      tick = first + index
      lines = runs.explain(runner, plan.REFERENCE, column, plan.REFERENCE, run,
                           tick, folder, flags)
  except runs.RunFailed as failure:
    return False, str(failure)
  place = " ".join(plan.INJECTION_PLACE) + ": "
  found = (tick == plan.INJECTION_TICK and len(lines) == 1 and
           lines[0].startswith(place) and "(1 ulp)" in lines[0])
  return found, f"tick {tick}: " + ("; ".join(lines) or "nothing")
