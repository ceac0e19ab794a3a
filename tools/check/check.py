#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the checks: a line a check, below it a line `file:line: what and why` a
problem. Exits with 1 if there is one.

With the environment variable REPRISE_RESULTS it also appends a line a case to
that file, for the count at the end of `tools/dev test`.
"""

import argparse
import contextlib
import io
import os
import pathlib
import sys
import time
import unittest

import changes
import documents
import determinism
import formatting
import headers
import layering
import messages
import parity
import reference
import repository as repository_module
import results
import tidy

_FOLDER = pathlib.Path(__file__).resolve().parent

# In the order they run: the quick ones first.
CHECKS = {
    "checkers": "the checks catch what they are there to catch",
    "headers": "licences, header guards, no registry, packages listed",
    "documents": "no dead link",
    "reference": "every field of a pack, as its messages' comments say",
    "parity": "what behaviours in C++ can do, scripts can",
    "determinism": "nothing in sim/ that differs between runs",
    "format": "clang-format",
    "messages": "buf: lint, and no break of proto/accepted.json",
    "layering": "an arrow that runs back is a build error",
    "tidy": "clang-tidy on what changed since all of it passed",
}

_FILE_CHECKS = {
    "headers": headers.check,
    "documents": documents.check,
    "determinism": determinism.check,
    "messages": messages.check,
    "parity": parity.check,
}


def _run_checkers():
  """Returns one result for each test of the checks themselves."""
  suite = unittest.defaultTestLoader.discover(str(_FOLDER), "*_test.py")

  class Recorder(unittest.TextTestResult):
    """Remembers what passed."""
    passed = []

    def addSuccess(self, test):
      super().addSuccess(test)
      self.passed.append(test.id())

  text = io.StringIO()
  Recorder.passed = []
  outcome = unittest.TextTestRunner(text, resultclass=Recorder).run(suite)
  reproduce = "tools/dev check checkers"
  cases = [
      results.Result(f"checkers: {name}", True, reproduce)
      for name in Recorder.passed
  ]
  failed = outcome.failures + outcome.errors
  cases.extend(
      results.Result(f"checkers: {test.id()}", False, reproduce)
      for test, _ in failed)
  if failed or not cases:
    print(text.getvalue())
  return cases


def _run_file_check(name, run):
  """Returns the one result of a check that finds problems in files."""
  problems = run()
  for problem in problems:
    print(problem)
  return [results.Result(f"check {name}", not problems,
                         f"tools/dev check {name}")]


def _run(name, repository, arguments):
  """Returns the results of one check; what it says goes to stdout."""
  if name == "checkers":
    return _run_checkers()
  if name == "layering":
    return layering.check(repository)
  if name == "format":
    return _run_file_check(
        name, lambda: formatting.check(repository, arguments.fix))
  if name == "reference":
    return _run_file_check(
        name, lambda: reference.check(repository, arguments.fix))
  if name == "tidy":
    return _run_file_check(
        name, lambda: tidy.check(repository, arguments.whole,
                                 arguments.tidy_minutes))
  return _run_file_check(name, lambda: _FILE_CHECKS[name](repository))


def _run_and_print(name, repository, arguments):
  """Runs one check as one line of output, with what it says below."""
  start = time.monotonic()
  if sys.stdout.isatty():
    print(f"{name:<12}...", end="\r", flush=True)
  text = io.StringIO()
  with contextlib.redirect_stdout(text):
    cases = _run(name, repository, arguments)
  verdict = "ok" if all(case.passed for case in cases) else "FAILED"
  print(f"{name:<12}{verdict} ({time.monotonic() - start:.0f} s)", flush=True)
  for line in text.getvalue().splitlines():
    print(f"  {line}")
  return cases


def main():
  parser = argparse.ArgumentParser(
      prog="tools/dev check", description="Runs all checks, or some.")
  parser.add_argument("names", nargs="*", metavar="NAME",
                      help="a check: " + ", ".join(CHECKS))
  parser.add_argument("--list", action="store_true", help="name the checks")
  parser.add_argument("--fix", action="store_true",
                      help="repair what can be repaired: the format, and "
                      "pages that are made")
  parser.add_argument("--whole", action="store_true",
                      help="clang-tidy on all files; if they pass and nothing "
                      "is uncommitted, changes are counted from here on")
  parser.add_argument("--tidy-minutes", type=float, metavar="N",
                      help="clang-tidy begins with no file after so many, and "
                      "says how many are left")
  parser.add_argument("--accept-proto", action="store_true",
                      help="make proto/accepted.json of the messages of now")
  arguments = parser.parse_args()
  unknown = [name for name in arguments.names if name not in CHECKS]
  if unknown:
    parser.error(f"there is no check {unknown[0]}: {', '.join(CHECKS)}")
  if arguments.list:
    for name, what in CHECKS.items():
      print(f"{name:<12} {what}")
    return 0
  repository = repository_module.Repository(_FOLDER.parent.parent)
  if arguments.accept_proto:
    problems = messages.accept(repository)
    for problem in problems:
      print(problem)
    return 1 if problems else 0
  cases = []
  for name in arguments.names or CHECKS:
    cases.extend(_run_and_print(name, repository, arguments))
  if os.environ.get("REPRISE_RESULTS"):
    results.append(os.environ["REPRISE_RESULTS"], cases)
  if (arguments.whole and all(case.passed for case in cases) and
      changes.move_base(repository)):
    print(f"{changes.BASE_FILE} names this commit now")
  return 0 if all(case.passed for case in cases) else 1


if __name__ == "__main__":
  sys.exit(main())
