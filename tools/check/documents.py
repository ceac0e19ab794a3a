# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Dead links in documents: files and headings that are not there.

Links to other hosts are not followed: whether they answer today is no property
of the repository.
"""

import os
import re
import urllib.parse

from repository import Problem
from repository import line_of

_CODE_BLOCK = re.compile(r"^( *)(```|~~~).*?^\1\2[ \t]*$",
                         re.MULTILINE | re.DOTALL)
_CODE_SPAN = re.compile(r"(`+)(?!`).*?[^`]\1(?!`)")
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|"
                   r"^\[[^\]]+\]:\s*<?(\S+?)>?\s*$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def _blank(match):
  return re.sub(r"[^\n]", " ", match.group())


def anchors(text):
  """Returns the anchors of a document's headings, as code hosts make them."""
  found = set()
  for match in _HEADING.finditer(_CODE_BLOCK.sub(_blank, text)):
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match.group(1))
    slug = re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
    unique, count = slug, 0
    while unique in found:
      count += 1
      unique = f"{slug}-{count}"
    found.add(unique)
  return found


def check_text(path, text, exists, read):
  """Returns the dead links of one document.

  `exists` and `read` answer for the other files, by path from the root.
  """
  problems = []
  prose = _CODE_SPAN.sub(_blank, _CODE_BLOCK.sub(_blank, text))
  for match in _LINK.finditer(prose):
    link = match.group(1) or match.group(2)
    if _ELSEWHERE.match(link):
      continue
    target, _, anchor = urllib.parse.unquote(link).partition("#")
    line = line_of(prose, match.start())
    if target.startswith("/"):
      other = target.lstrip("/")
    elif target:
      other = os.path.normpath(os.path.join(os.path.dirname(path), target))
    else:
      other = path
    if not exists(other):
      problems.append(Problem(path, line, f"dead link: there is no {other}"))
    elif anchor and other.endswith(".md"):
      if anchor not in anchors(text if other == path else read(other)):
        problems.append(
            Problem(path, line,
                    f"dead link: {other} has no heading #{anchor}"))
  return problems


def check(repository):
  """Returns the dead links of all documents."""
  problems = []
  for path in repository.files(".md"):
    problems.extend(
        check_text(path, repository.read(path),
                   lambda other: (repository.root / other).exists(),
                   repository.read))
  return problems
