#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the console blocks of a page, and holds what they print against it.

usage: try_page.py PAGE REPRISE

Each line that begins with "$ " is run in a folder of its own, with the folders
docs and include of the tree beside it. A line "..." stands for any lines, and
"..." in a line for any text. Each command has to end with 0.
"""

import os
import re
import subprocess
import sys
import tempfile


def blocks_of(text):
  """Returns the lines of each console block."""
  pattern = re.compile(r"^```console.*\n((?:.*\n)*?)```$", re.MULTILINE)
  return [match[1].splitlines() for match in pattern.finditer(text)]


def commands_of(lines):
  """Returns pairs of a command and what it prints."""
  commands = []
  for line in lines:
    if line.startswith("$ "):
      commands.append((line[2:], []))
    else:
      commands[-1][1].append(line)
  return commands


def matches(expected, printed):
  """Returns whether what was printed is what stands there."""
  pattern = ""
  for line in expected:
    if line == "...":
      pattern += r"(?:.*\n)*"
    else:
      pattern += ".*".join(map(re.escape, line.split("..."))) + r"\n"
  return re.fullmatch(pattern, printed) is not None


def main(arguments):
  """Tries the page; 1 where it isn't true."""
  if len(arguments) != 2:
    print(__doc__, file=sys.stderr)
    return 2
  page, reprise = map(os.path.abspath, arguments)
  with open(page, encoding="utf-8") as file:
    commands = [
        each for lines in blocks_of(file.read()) for each in commands_of(lines)
    ]
  tree = os.path.dirname(os.path.dirname(page))
  path = os.path.dirname(reprise) + ":" + os.environ["PATH"]
  wrong = 0
  with tempfile.TemporaryDirectory() as folder:
    for name in ("docs", "include"):
      os.symlink(os.path.join(tree, name), os.path.join(folder, name))
    for command, expected in commands:
      result = subprocess.run(["bash", "-c", command],
                              cwd=folder,
                              env=dict(os.environ, PATH=path),
                              capture_output=True,
                              text=True,
                              check=False)
      if result.returncode == 0 and (not expected or
                                     matches(expected, result.stdout)):
        continue
      wrong += 1
      print(f"$ {command}\nends with {result.returncode}, or prints what "
            f"doesn't stand in {arguments[0]}:\n"
            f"{result.stdout}{result.stderr}")
  print(f"{len(commands) - wrong} of {len(commands)} commands of "
        f"{arguments[0]} do what stands there")
  return 1 if wrong or not commands else 0


if __name__ == "__main__":
  sys.exit(main(sys.argv[1:]))
