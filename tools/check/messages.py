# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""buf on the messages: lint, and no break of what was accepted once.

proto/accepted.json is the image of the messages that clients may rely on.
`tools/dev check --accept-proto` makes it anew; its diff is what a review reads.
"""

import re
import subprocess

from repository import Problem

_ACCEPTED = "proto/accepted.json"
_BUF = "tests/interop/node_modules/.bin/buf"


def _run_buf(repository, *arguments):
  return subprocess.run([repository.root / _BUF, *arguments],
                        cwd=repository.root, capture_output=True, text=True,
                        check=False)


def _read_problems(result, why):
  problems = [
      Problem(match.group(1), int(match.group(2)), match.group(3) + why)
      for match in re.finditer(r"^([^:\n]+):(\d+):\d+:(.*)$", result.stdout,
                               re.MULTILINE)
  ]
  if result.returncode != 0 and not problems:
    output = " ".join((result.stdout + result.stderr).split())
    problems.append(Problem("proto/buf.yaml", 1, f"buf failed: {output}"))
  return problems


def accept(repository):
  """Makes the messages of now the ones that later ones must stay true to."""
  result = _run_buf(repository, "build", "proto", "--exclude-source-info",
                    "-o", _ACCEPTED)
  return _read_problems(result, "")


def check(repository):
  """Returns what buf finds."""
  if not repository.files(".proto"):
    return []
  problems = _read_problems(_run_buf(repository, "lint", "proto"), "")
  if not (repository.root / _ACCEPTED).exists():
    return problems + [
        Problem(_ACCEPTED, 1,
                "is missing: tools/dev check --accept-proto makes it")
    ]
  result = _run_buf(repository, "breaking", "proto", "--against", _ACCEPTED)
  return problems + _read_problems(
      result, " A client or replay that knows the accepted messages would "
      "break.")
