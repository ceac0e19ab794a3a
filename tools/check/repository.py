# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""The files of the repository, as the checks see them."""

import dataclasses
import os
import pathlib
import re
import subprocess


@dataclasses.dataclass(frozen=True, order=True)
class Problem:
  """What is wrong, where, and why it matters."""
  path: str
  line: int
  message: str

  def __str__(self):
    return f"{self.path}:{self.line}: {self.message}"


class Repository:
  """The tracked files, and the new ones that git doesn't ignore."""

  def __init__(self, root):
    self.root = pathlib.Path(root)
    self._files = None

  def files(self, *suffixes):
    """Returns the paths that end in one of the suffixes, sorted."""
    if self._files is None:
      self._files = sorted(
          path for path in self._list_files()
          if (self.root / path).is_file())
    if not suffixes:
      return self._files
    return [path for path in self._files if path.endswith(suffixes)]

  def cpp_files(self):
    """Returns the C++ sources and headers."""
    return self.files(".cc", ".h")

  def read(self, path):
    """Returns the text of a file; a byte that isn't text is replaced."""
    return (self.root / path).read_text(encoding="utf-8", errors="replace")

  def git(self, *arguments):
    """Returns what git prints, or None if it fails or isn't there."""
    try:
      result = subprocess.run(
          ["git", "-c", "safe.directory=*", *arguments],
          cwd=self.root, capture_output=True, text=True, errors="replace",
          check=False)
    except FileNotFoundError:
      return None
    return result.stdout if result.returncode == 0 else None

  def _list_files(self):
    listed = self.git("ls-files", "-z", "--cached", "--others",
                      "--exclude-standard")
    if listed is not None:
      return set(filter(None, listed.split("\0")))
    files = set()
    for folder, folders, names in os.walk(self.root):
      folders[:] = [
          name for name in folders
          if not re.match(r"bazel-|node_modules$|\.git$|__pycache__$", name)
      ]
      files.update(
          os.path.relpath(os.path.join(folder, name), self.root)
          for name in names)
    return files


def line_of(text, offset):
  """Returns the number of the line that an offset lies in, from 1."""
  return text.count("\n", 0, offset) + 1
