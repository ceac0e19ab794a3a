# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs every row on every column, and compares each row with the reference."""

import concurrent.futures
import dataclasses
import os
import pathlib
import sys

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


def cpu_features():
  """Returns what Linux says that this machine's CPU can do."""
  for line in pathlib.Path("/proc/cpuinfo").read_text(
      encoding="utf-8").splitlines():
    if line.startswith("flags"):
      return set(line.partition(":")[2].split())
  return set()


class Matrix:
  """The runs of all rows and columns, and what came out."""

  def __init__(self, runner, columns, folder):
    self.columns = columns
    self._runner = runner
    self._folder = pathlib.Path(folder)
    self._features = cpu_features()
    self._digests = {}  # by row and column: Digests, or why there are none

  def run(self, rows):
    """Makes all runs, as many at a time as there are CPUs."""
    jobs = [(row, column) for row in rows for column in self.columns]
    # What takes longest first, so that no CPU waits at the end.
    jobs.sort(key=lambda job: (not job[0].launcher, job[0].target != "gcc_o0"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
      pending = {pool.submit(self._run_one, *job): job for job in jobs}
      for done, future in enumerate(
          concurrent.futures.as_completed(pending), start=1):
        self._digests[pending[future]] = future.result()
        if sys.stderr.isatty():
          print(f"\r\033[K{done} of {len(jobs)} runs", end="",
                file=sys.stderr, flush=True)
    if sys.stderr.isatty():
      print("\r\033[K", end="", file=sys.stderr, flush=True)

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
      return Cell(f"tick {tick}", tuple(self._explain(row, column, tick)))
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
    if row.needs and row.needs not in self._features:
      return f"this CPU lacks {row.needs}"
    try:
      return self._runner.digests(row, column.arguments)
    except runs.RunFailed as failure:
      return str(failure)

  def _explain(self, row, column, tick):
    try:
      return runs.explain(self._runner, plan.REFERENCE, row, column, tick,
                          self._folder) or ["the states at that tick are equal"]
    except runs.RunFailed as failure:
      return [f"the states could not be compared: {failure}"]


def find_injection(runner, folder):
  """Whether one bit changed in the reference is found, and as what."""
  column, flags = plan.CANARY, plan.injection_flags()
  tick, lines = None, []
  try:
    expected = runner.digests(plan.REFERENCE, column.arguments)
    actual = runner.digests(plan.REFERENCE, (*column.arguments, *flags))
    tick = runs.first_difference(expected, actual)
    if tick is not None:
      lines = runs.explain(runner, plan.REFERENCE, plan.REFERENCE, column, tick,
                           pathlib.Path(folder), flags)
  except runs.RunFailed as failure:
    return False, str(failure)
  place = " ".join(plan.INJECTION_PLACE) + ": "
  found = (tick == plan.INJECTION_TICK and len(lines) == 1 and
           lines[0].startswith(place) and "(1 ulp)" in lines[0])
  return found, f"tick {tick}: " + ("; ".join(lines) or "nothing")
