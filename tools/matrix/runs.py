# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the runner, reads the digests it prints, and finds where two runs part.
"""

import dataclasses
import os
import pathlib
import subprocess
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


def parse_digests(text):
  """Reads what `runner digests` prints; RunFailed if it broke off."""
  roots, named = [], {}
  for line in text.splitlines():
    name, _, digest = line.partition(" ")
    if name == str(len(roots)):
      roots.append(digest)
    else:
      named[name] = digest
  if not roots or set(named) != {"chain", "math"}:
    raise RunFailed("the runner printed no chain of digests")
  return Digests(tuple(roots), named["chain"], named["math"])


def first_difference(expected, actual):
  """Returns the first tick whose roots differ, or that one side lacks.

  None if there is none.
  """
  for tick, roots in enumerate(zip(expected.roots, actual.roots)):
    if roots[0] != roots[1]:
      return tick
  shorter, longer = sorted((len(expected.roots), len(actual.roots)))
  return None if shorter == longer else shorter


class Runner:
  """Runs the builds of one folder."""

  def __init__(self, root, binaries):
    self._root = root
    self._binaries = pathlib.Path(binaries)

  def digests(self, row, arguments):
    """Returns the digests of a run; RunFailed."""
    start = time.monotonic()
    parsed = parse_digests(self._run(row, ("digests", *arguments)).stdout)
    return dataclasses.replace(parsed, seconds=time.monotonic() - start)

  def write_state(self, row, arguments, path):
    """Writes the state at the end of a run; RunFailed."""
    self._run(row, ("state", *arguments, "--output", str(path)))

  def compare(self, row, source, expected, actual):
    """Returns a line for each field that differs between two states."""
    result = self._run(row, ("compare", source, str(expected), str(actual)),
                       accepted=(0, 1))
    return result.stdout.splitlines()

  def _run(self, row, arguments, accepted=(0,)):
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


def explain(runner, reference, row, column, tick, folder, flags=()):
  """Returns what differs between two rows at a tick, a line a field.

  `flags` are given to the row and not to the reference.
  """
  expected, actual = folder / "expected.state", folder / "actual.state"
  arguments = column.until(tick)
  runner.write_state(reference, arguments, expected)
  runner.write_state(row, (*arguments, *flags), actual)
  return runner.compare(reference, column.source, expected, actual)
