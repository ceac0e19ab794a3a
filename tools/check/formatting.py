# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""clang-format on every C++ file."""

import re
import subprocess

from repository import Problem


def check(repository, fix=False):
  """Returns where a file is not as clang-format would have it.

  With `fix` the files are formatted first.
  """
  files = repository.cpp_files()
  if not files:
    return []
  if fix:
    subprocess.run(["clang-format", "-i", *files], cwd=repository.root,
                   check=True)
  result = subprocess.run(
      ["clang-format", "--dry-run", "--ferror-limit=1", *files],
      cwd=repository.root, capture_output=True, text=True, check=False)
  problems = [
      Problem(match.group(1), int(match.group(2)),
              "is not formatted: tools/dev check format --fix")
      for match in re.finditer(r"^([^:\n]+):(\d+):\d+: warning:",
                               result.stderr, re.MULTILINE)
  ]
  if result.returncode != 0 and not problems:
    problems.append(Problem(".clang-format", 1, result.stderr.strip()))
  return problems
