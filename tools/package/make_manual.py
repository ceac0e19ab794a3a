# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Prints the manual page reprise(1), out of what `reprise --help` says.

usage: make_manual.py PROGRAM DATE
"""

import subprocess
import sys

_HEAD = r""".TH REPRISE 1 "{date}" "{version}" "User commands"
.SH NAME
reprise \- {summary}
.SH SYNOPSIS
.B reprise
.I verb
.RI [ arguments ]
.RI [ flags ]
.SH DESCRIPTION
Reprise steps games without a window, the same way every time: it records what a
game was given, replays it, proves that the replay is the same to the last bit,
and names the tick, the object and the field when it is not.
.PP
.B reprise
.I verb
.B \-\-help
says what a verb does, with examples.
"""


def _escape(text):
  """Returns text that troff prints as it stands."""
  text = text.replace("\\", r"\e").replace("-", r"\-")
  return "\\&" + text if text[:1] in (".", "'") else text


def _sections(text):
  """Yields the sections of a help text: a heading, and its lines."""
  heading, lines = None, []
  for line in text.splitlines():
    if line.endswith(":") and not line.startswith(" "):
      if heading:
        yield heading, lines
      heading, lines = line[:-1], []
    elif line.startswith(" ") and heading:
      lines.append(line)
  if heading:
    yield heading, lines


def manual(text, version, date):
  """Returns the manual page of a help text."""
  first = text.splitlines()[0]
  summary = first.partition(": ")[2]
  page = _HEAD.format(date=date, version=version, summary=_escape(summary))
  for heading, lines in _sections(text):
    page += f'.SH "{_escape(heading).upper()}"\n'
    for line in lines:
      if line.startswith("     "):  # goes on
        page += _escape(line.strip()) + "\n"
        continue
      name, _, what = line.strip().partition("  ")
      page += f".TP\n.B {_escape(name)}\n{_escape(what.strip())}\n"
  return page


def main():
  program, date = sys.argv[1:]
  run = lambda flag: subprocess.run([program, flag], check=True, text=True,
                                    stdout=subprocess.PIPE).stdout
  sys.stdout.write(manual(run("--help"), run("--version").splitlines()[0], date))


if __name__ == "__main__":
  main()
