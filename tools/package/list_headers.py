# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Prints headers of ours, and all others of ours that they include.

usage: list_headers.py FILE    (a header a line, from the root of the repository)
"""

import pathlib
import re
import sys

_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def closure(roots):
  """Returns the paths of the headers that can be reached, sorted."""
  found = set()
  waiting = list(roots)
  while waiting:
    path = waiting.pop()
    if path in found:
      continue
    found.add(path)
    for included in _INCLUDE.findall(pathlib.Path(path).read_text()):
      if pathlib.Path(included).is_file():
        waiting.append(included)
  return sorted(found)


def main():
  roots = pathlib.Path(sys.argv[1]).read_text().splitlines()
  print("\n".join(closure(roots)))


if __name__ == "__main__":
  main()
