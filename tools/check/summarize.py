#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Ends a test run: names what failed, with the command to reproduce it, and
what wasn't tried, and prints the one line that counts. Exits with 1 if a case
failed or none passed.
"""

import sys

import results


def main():
  cases = results.read(sys.argv[1])
  passed = [case for case in cases if case.passed]
  failed = [case for case in cases if case.passed is False]
  skipped = [case for case in cases if case.passed is None]
  for word, named in (("SKIPPED", skipped), ("FAILED", failed)):
    for case in named:
      print(f"{word} {case.name}")
      if case.reproduce:
        print(f"       {case.reproduce}")
  print(f"{len(passed)} passed, {len(failed)} failed" +
        (f", {len(skipped)} skipped" if skipped else ""))
  return 1 if failed or not passed else 0


if __name__ == "__main__":
  sys.exit(main())
