# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What changed since the last commit at which everything passed.

Checks that take long look only at that, and at everything when they are asked
to. `whole_base.txt` names the commit; `tools/dev check tidy --whole` moves it.
"""

import re

BASE_FILE = "tools/check/whole_base.txt"

# A file that was moved changes these and nothing that could be wrong.
_SAYS_NOTHING = re.compile(
    r"\s*($|//|#\s*include\b|#\s*(ifndef|define|endif)\b.*\bREPRISE_\w+_H_)")


def base(repository):
  """Returns the commit, or None where it isn't named or isn't here."""
  if not (repository.root / BASE_FILE).is_file():
    return None
  words = repository.read(BASE_FILE).split()
  if not words or repository.git("cat-file", "-e", words[0] + "^{commit}"
                                ) is None:
    return None
  return words[0]


def parse(diff):
  """Returns the files of a unified diff without context that say something
  else than before, by their new names."""
  changed, path = set(), None
  for line in diff.splitlines():
    if line.startswith("+++ "):
      path = line[len("+++ b/"):] if line.startswith("+++ b/") else None
    elif path and line[:1] in "+-" and not line.startswith("--- "):
      if not _SAYS_NOTHING.match(line[1:]):
        changed.add(path)
  return changed


def changed_files(repository):
  """Returns what changed since the base, as a set of paths; None stands for
  all: without a base, and without git."""
  start = base(repository)
  if start is None:
    return None
  diff = repository.git("diff", "--find-renames", "--unified=0", start)
  new = repository.git("ls-files", "-z", "--others", "--exclude-standard")
  if diff is None or new is None:
    return None
  return parse(diff) | set(filter(None, new.split("\0")))


def newest_first(repository, paths):
  """Returns the paths by the last commit that changed each, newest first; what
  no commit since the base has comes before all."""
  start = base(repository)
  log = start and repository.git("log", "--format=", "--name-only",
                                 f"{start}..HEAD")
  place = {}
  for line in (log or "").splitlines():
    place.setdefault(line, len(place))
  return sorted(paths, key=lambda path: (place.get(path, -1), path))


def move_base(repository):
  """Makes the commit that is checked out the base, if nothing else is there."""
  head = repository.git("rev-parse", "HEAD")
  if head is None or repository.git("status", "--porcelain") != "":
    return False
  (repository.root / BASE_FILE).write_text(
      f"{head.strip()}  all checks passed on all files\n", encoding="utf-8")
  return True
