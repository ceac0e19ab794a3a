#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Ends a test run: names what failed, with the command to reproduce it, and
prints the one line that counts. Exits with 1 if a case failed or none ran.
"""

import sys

import results


def main():
  cases = results.read(sys.argv[1])
  failed = [case for case in cases if not case.passed]
  for case in failed:
    print(f"FAILED {case.name}")
    if case.reproduce:
      print(f"       {case.reproduce}")
  print(f"{len(cases) - len(failed)} passed, {len(failed)} failed")
  return 1 if failed or not cases else 0


if __name__ == "__main__":
  sys.exit(main())
