#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs a part of the tests under a sanitizer: the one whose turn it is by the
commit, or those that are named.

With the environment variable REPRISE_RESULTS it also appends a line a test to
that file, as the stages of `tools/dev test` do: of each test that ended.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
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


@dataclasses.dataclass(frozen=True)
class Outcome:
  """What came of a part."""
  passed: bool
  stopped: bool = False  # at the end of its time
  tests: tuple = ()  # that ended: (label, whether it passed)
  unbuilt: tuple = ()  # labels of what doesn't build


def command(part, events):
  """Returns the command that builds a part and runs it, and tells a file of it.

  Links of the ordinary build stay as they are: other stages use its programs.
  """
  return [
      "bazel", "test", f"--config={part.config}", "--keep_going",
      "--experimental_convenience_symlinks=ignore",
      f"--build_event_json_file={events}",
      "--test_tag_filters=-heavy", "--", *part.targets
  ]


def read_events(events):
  """Returns the events of a file of Bazel's, up to where it was stopped."""
  read = []
  for line in events.read_text(encoding="utf-8").splitlines():
    try:
      read.append(json.loads(line))
    except json.JSONDecodeError:
      break
  return read


def find_tests(events):
  """Returns the tests that ended by Bazel's events, and whether each passed."""
  tests = {}
  for event in events:
    label = event.get("id", {}).get("testResult", {}).get("label")
    status = event.get("testResult", {}).get("status", "NO_STATUS")
    if label is not None and status != "NO_STATUS":
      tests[label] = tests.get(label, True) and status in ("PASSED", "FLAKY")
  return tuple(sorted(tests.items()))


def find_unbuilt(events):
  """Returns the targets that were completed without success. What was stopped
  before isn't completed, but aborted.
  """
  return tuple(sorted({
      event["id"]["targetCompleted"]["label"] for event in events
      if "targetCompleted" in event.get("id", {}) and "completed" in event
      and not event["completed"].get("success", False)}))


def bazel_for(words, seconds):
  """Runs Bazel for so long at most, None: as long as it takes. Returns whether
  it ended by itself, and its exit code.
  """
  with subprocess.Popen(words, cwd=_ROOT) as process:
    try:
      return True, process.wait(seconds)
    except subprocess.TimeoutExpired:
      process.send_signal(signal.SIGINT)
      return False, process.wait()


def reproduce(part):
  """Returns the command of ours that runs the part again."""
  return shlex.join(["tools/dev", "sanitize", "--part", part.name])


def run(part, seconds=None, bazel=bazel_for):
  """Runs a part, says what came of it, and returns that as an Outcome."""
  start = time.monotonic()
  with tempfile.TemporaryDirectory() as folder:
    events = pathlib.Path(folder) / "events.json"
    ended, exit_code = bazel(command(part, events), seconds)
    told = read_events(events) if events.exists() else []
  tests, unbuilt = find_tests(told), find_unbuilt(told)
  passed = (all(ok for _, ok in tests) and not unbuilt
            and (not ended or exit_code == 0))
  minutes = (time.monotonic() - start) / 60
  how = "ok" if ended else "stopped there"
  over = (f", over its budget of {plan.MINUTES}"
          if ended and minutes > plan.MINUTES else "")
  count = (f"{len(tests)} tests ended" if tests
           else "NOTHING WAS TESTED, no test ended")
  print(*(f"{part.config} {label}: doesn't build" for label in unbuilt),
        f"{part.config} {part.name}: {how if passed else 'FAILED'}, "
        f"{count} in {minutes:.1f} minutes{over}", sep="\n", flush=True)
  return Outcome(passed, not ended, tests, unbuilt)


def list_results(outcomes):
  """Returns a result a test, and one of each target that doesn't build: its
  name, whether it passed, the command that shows it again. A part that failed
  without one that did has one of its own, and so has one that was stopped with
  nothing tested: that is no pass, though it fails no run.
  """
  lines = []
  for part, outcome in outcomes:
    lines += [(f"{part.config}: {label}", passed, reproduce(part))
              for label, passed in outcome.tests]
    lines += [(f"{part.config}: {label}", False, reproduce(part))
              for label in outcome.unbuilt]
    if outcome.unbuilt:
      continue
    if not outcome.passed and all(passed for _, passed in outcome.tests):
      lines.append((f"{part.config}: {part.name}", False, reproduce(part)))
    elif not outcome.tests:
      lines.append((f"{part.config}: {part.name}: NOTHING WAS TESTED", None,
                    reproduce(part)))
  return lines


def append_results(path, outcomes):
  """Appends a line a result to the results file."""
  sys.path.insert(0, str(_ROOT / "tools" / "check"))
  import results  # pylint: disable=import-outside-toplevel
  results.append(path,
                 [results.Result(*line) for line in list_results(outcomes)])


def main():
  parser = argparse.ArgumentParser(
      prog="tools/dev sanitize", description=__doc__, epilog=_EPILOG,
      formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("--part", action="append", default=[],
                      choices=[part.name for part in plan.PARTS],
                      help="this part; may be repeated")
  parser.add_argument("--minutes", type=float, metavar="N",
                      help="stop a part after so many; without, it ends by itself")
  parser.add_argument("--list", action="store_true", help="say what there is")
  arguments = parser.parse_args()
  if arguments.list:
    for part in plan.PARTS:
      print(f"{part.config}  {part.name}: {' '.join(part.targets)}")
    return 0
  parts = [plan.find(name) for name in arguments.part]
  seconds = arguments.minutes and 60 * arguments.minutes
  outcomes = [(part, run(part, seconds))
              for part in parts or [plan.part_of(commit_number())]]
  if os.environ.get("REPRISE_RESULTS"):
    append_results(os.environ["REPRISE_RESULTS"], outcomes)
  return 0 if all(outcome.passed for _, outcome in outcomes) else 1


if __name__ == "__main__":
  sys.exit(main())
