# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""The results file that all suites of `tools/dev test` append to.

A line a case: `PASS<tab>name`, `FAIL<tab>name<tab>command to reproduce`, or
`SKIP`, as the latter: it wasn't tried, for want of time.
"""

import dataclasses

_VERDICTS = {True: "PASS", False: "FAIL", None: "SKIP"}


@dataclasses.dataclass(frozen=True)
class Result:
  """How one case ended, and the command that shows it again."""
  name: str
  passed: bool  # None: it wasn't tried
  reproduce: str = ""


def append(path, results):
  """Appends results to the file."""
  with open(path, "a", encoding="utf-8") as file:
    for result in results:
      verdict = _VERDICTS[result.passed]
      file.write(f"{verdict}\t{result.name}\t{result.reproduce}\n")


def read(path):
  """Returns the results in the file."""
  results = []
  with open(path, encoding="utf-8") as file:
    for line in file:
      verdict, name, *rest = line.rstrip("\n").split("\t")
      passed = next((key for key, value in _VERDICTS.items() if value == verdict),
                    False)
      results.append(Result(name, passed, rest[0] if rest else ""))
  return results
