# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""The results file that all suites of `tools/dev test` append to.

A line a case: `PASS<tab>name` or `FAIL<tab>name<tab>command to reproduce`.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Result:
  """How one case ended, and the command that shows it again."""
  name: str
  passed: bool
  reproduce: str = ""


def append(path, results):
  """Appends results to the file."""
  with open(path, "a", encoding="utf-8") as file:
    for result in results:
      verdict = "PASS" if result.passed else "FAIL"
      file.write(f"{verdict}\t{result.name}\t{result.reproduce}\n")


def read(path):
  """Returns the results in the file."""
  results = []
  with open(path, encoding="utf-8") as file:
    for line in file:
      verdict, name, *rest = line.rstrip("\n").split("\t")
      results.append(Result(name, verdict == "PASS", rest[0] if rest else ""))
  return results
