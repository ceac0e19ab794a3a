# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the runner, reads the digests it prints, and finds where two runs part.
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import subprocess
import sys
import time

# Under an emulator on a slow machine; what takes longer hangs.
_SECONDS_MAX = 1800


class RunFailed(Exception):
  """The runner failed; the text says how."""


@dataclasses.dataclass(frozen=True)
class Digests:
  """What a run printed: the root of each tick, the chain, the fingerprint."""
  roots: tuple
  chain: str
  math: str
  seconds: float = 0


@dataclasses.dataclass(frozen=True)
class Continuation:
  """A game from a snapshot on: a keyframe of a recording of it."""
  path: pathlib.Path
  tick: int

  def until(self, tick):
    """Returns the runner's arguments for the game up to a tick."""
    return (str(self.path), "--from", str(self.tick), "--ticks", str(tick))


def parse_digests(text, first_tick=0):
  """Reads what `runner digests` prints; RunFailed if it broke off."""
  roots, named = [], {}
  for line in text.splitlines():
    name, _, digest = line.partition(" ")
    if name == str(first_tick + len(roots)):
      roots.append(digest)
    else:
      named[name] = digest
  if not roots or set(named) != {"chain", "math"}:
    raise RunFailed("the runner printed no chain of digests")
  return Digests(tuple(roots), named["chain"], named["math"])


def parse_pictures(text):
  """Reads what `runner pictures` prints: ticks and digests; RunFailed."""
  pictures = tuple(tuple(line.split(" ")) for line in text.splitlines())
  if not pictures or any(len(picture) != 2 for picture in pictures):
    raise RunFailed("the runner printed no digests of pictures")
  return pictures


def first_difference(expected, actual):
  """Returns the index of the first roots that differ, or that one side lacks.

  Of runs from the start, that is a tick. None if there is none.
  """
  for index, roots in enumerate(zip(expected.roots, actual.roots)):
    if roots[0] != roots[1]:
      return index
  shorter, longer = sorted((len(expected.roots), len(actual.roots)))
  return None if shorter == longer else shorter


def cpu_features():
  """Returns what Linux says that this machine's CPU can do."""
  for line in pathlib.Path("/proc/cpuinfo").read_text(
      encoding="utf-8").splitlines():
    if line.startswith("flags"):
      return set(line.partition(":")[2].split())
  return set()


def run_all(jobs, function):
  """Calls `function(*job)` for all jobs, as many at a time as there are CPUs.

  The first job starts first. Returns the results by job; one that failed with
  RunFailed has the text of that.
  """
  outcomes = {}
  with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    pending = {pool.submit(function, *job): job for job in jobs}
    for done, future in enumerate(
        concurrent.futures.as_completed(pending), start=1):
      try:
        outcomes[pending[future]] = future.result()
      except RunFailed as failure:
        outcomes[pending[future]] = str(failure)
      if sys.stderr.isatty():
        print(f"\r\033[K{done} of {len(jobs)} runs", end="", file=sys.stderr,
              flush=True)
  if sys.stderr.isatty():
    print("\r\033[K", end="", file=sys.stderr, flush=True)
  return outcomes


class Runner:
  """Runs the builds of one folder."""

  def __init__(self, root, binaries):
    self._root = root
    self._binaries = pathlib.Path(binaries)
    self._features = cpu_features()

  def digests(self, row, arguments, first_tick=0):
    """Returns the digests of a run; RunFailed."""
    start = time.monotonic()
    result = self._run(row, ("digests", *arguments))
    return dataclasses.replace(parse_digests(result.stdout, first_tick),
                               seconds=time.monotonic() - start)

  def record(self, row, arguments, ticks, path):
    """Records a run with a keyframe at each of `ticks`; RunFailed.

    Returns a Continuation from each.
    """
    keyframes = ",".join(str(tick) for tick in ticks)
    self._run(row, ("record", *arguments, "--keyframes", keyframes, "--output",
                    str(path)))
    return tuple(Continuation(path, tick) for tick in ticks)

  def pictures(self, row, path, every):
    """Returns the ticks and digests of pictures of a replay; RunFailed."""
    return parse_pictures(self._run(
        row, ("pictures", str(path), "--every", str(every))).stdout)

  def write_state(self, row, arguments, path):
    """Writes the state at the end of a run; RunFailed."""
    self._run(row, ("state", *arguments, "--output", str(path)))

  def compare(self, row, source, expected, actual):
    """Returns a line for each field that differs between two states."""
    result = self._run(row, ("compare", source, str(expected), str(actual)),
                       accepted=(0, 1))
    return result.stdout.splitlines()

  def _run(self, row, arguments, accepted=(0,)):
    if row.needs and row.needs not in self._features:
      raise RunFailed(f"this CPU lacks {row.needs}")
    environment = {
        name: value for name, value in os.environ.items()
        if name != "GLIBC_TUNABLES"
    }
    environment.update(row.environment)
    command = [*row.launcher, str(self._binaries / row.target), *arguments]
    try:
      result = subprocess.run(
          command, cwd=self._root, env=environment, capture_output=True,
          text=True, timeout=_SECONDS_MAX, check=False)
    except FileNotFoundError as error:
      raise RunFailed(f"{error.filename} is not here") from error
    except subprocess.TimeoutExpired as error:
      raise RunFailed(f"it ran for more than {_SECONDS_MAX} s") from error
    if result.returncode not in accepted:
      last = (result.stderr.strip().splitlines() or ["it said nothing"])[-1]
      raise RunFailed(f"exit code {result.returncode}: {last}")
    return result


def explain(runner, reference, column, row, run, tick, folder, flags=()):
  """Returns what differs at a tick, a line a field.

  The reference plays `column`; the row plays `run`, which is the same column
  or a Continuation of it, with these flags.
  """
  expected, actual = folder / "expected.state", folder / "actual.state"
  runner.write_state(reference, column.until(tick), expected)
  runner.write_state(row, (*run.until(tick), *flags), actual)
  return runner.compare(reference, column.source, expected, actual)
