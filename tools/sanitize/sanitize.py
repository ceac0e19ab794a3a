#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs a part of the tests under a sanitizer: the one whose turn it is by the
commit, or those that are named.

With the environment variable REPRISE_RESULTS it also appends a line a part to
that file, as the stages of `tools/dev test` do.
"""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import time

import plan

_ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

_EPILOG = """\
All tests under one of them: tools/dev test --config asan, or tsan.

Examples:
  tools/dev sanitize
  tools/dev sanitize --part container
"""


def commit_number():
  """Returns a number that the commit of now stands for; 0 without git."""
  result = subprocess.run(
      ["git", "-c", "safe.directory=*", "rev-parse", "HEAD"], cwd=_ROOT,
      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
  return int(result.stdout.strip() or "0", 16)


def command(part):
  """Returns the command that builds a part and runs it.

  Links of the ordinary build stay as they are: other stages use its programs.
  """
  return [
      "bazel", "test", f"--config={part.config}", "--keep_going",
      "--experimental_convenience_symlinks=ignore",
      "--test_tag_filters=-heavy", "--", *part.targets
  ]


def reproduce(part):
  """Returns the command of ours that runs the part again."""
  return shlex.join(["tools/dev", "sanitize", "--part", part.name])


def run(part, bazel=subprocess.run):
  """Runs a part, says what came of it, and returns whether it passed."""
  start = time.monotonic()
  passed = bazel(command(part), cwd=_ROOT, check=False).returncode == 0
  minutes = (time.monotonic() - start) / 60
  over = (f", over its budget of {plan.MINUTES}"
          if minutes > plan.MINUTES else "")
  print(f"{part.config} {part.name}: {'ok' if passed else 'FAILED'}, "
        f"{minutes:.1f} minutes{over}", flush=True)
  return passed


def append_results(path, verdicts):
  """Appends a line a part to the results file."""
  sys.path.insert(0, str(_ROOT / "tools" / "check"))
  import results  # pylint: disable=import-outside-toplevel
  results.append(path, [
      results.Result(f"{part.config}: {part.name}", passed, reproduce(part))
      for part, passed in verdicts
  ])


def main():
  parser = argparse.ArgumentParser(
      prog="tools/dev sanitize", description=__doc__, epilog=_EPILOG,
      formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("--part", action="append", default=[],
                      choices=[part.name for part in plan.PARTS],
                      help="this part; may be repeated")
  parser.add_argument("--list", action="store_true", help="say what there is")
  arguments = parser.parse_args()
  if arguments.list:
    for part in plan.PARTS:
      print(f"{part.config}  {part.name}: {' '.join(part.targets)}")
    return 0
  parts = [plan.find(name) for name in arguments.part]
  verdicts = [(part, run(part))
              for part in parts or [plan.part_of(commit_number())]]
  if os.environ.get("REPRISE_RESULTS"):
    append_results(os.environ["REPRISE_RESULTS"], verdicts)
  return 0 if all(passed for _, passed in verdicts) else 1


if __name__ == "__main__":
  sys.exit(main())
