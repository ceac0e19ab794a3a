# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""What every file owes: a licence header, header guards, no host of a package
registry, and a Debian package in the list for each that the build asks for.
"""

import re

from repository import Problem
from repository import line_of

_CODE = (".cc", ".h", ".py", ".sh", ".bzl", ".bazel", ".proto", ".js", ".mjs",
         ".bazelrc", ".yaml")
_LICENCE = ("Copyright 2026 The Reprise Authors.",
            "SPDX-License-Identifier: Apache-2.0")
# C that is one work with an engine of another licence bears that one.
_ENGINE_LICENCES = {"adapters/doom/": "GPL-2.0-or-later"}

# By the shape of their names; to name one here would be against the rule.
_REGISTRY = re.compile(
    r"\b(?:registry|deb|security|snapshot|ftp|mirrors?|archive|proxy|repo1?|"
    r"files)\.[a-z0-9-]+\.(?:org|com|net|io|dev)\b|\b(?:pypi|crates)\.[a-z]+/")
_BINARY = (".mcap", ".binpb", ".png", ".zst", ".gz", ".xz")


def check_licence(path, text):
  """Every file of code opens with the two lines of the licence."""
  lines = text.split("\n", 4)
  if lines and lines[0].startswith("#!"):
    lines = lines[1:]
  wanted_lines = list(_LICENCE)
  for folder, licence in _ENGINE_LICENCES.items():
    if path.startswith(folder) and path.endswith((".c", ".h")):
      wanted_lines[1] = f"SPDX-License-Identifier: {licence}"
  for number, wanted in enumerate(wanted_lines):
    if len(lines) <= number or not re.fullmatch(
        r"(//|#) " + re.escape(wanted), lines[number].rstrip()):
      return [Problem(path, 1, f"must open with `{wanted}`")]
  return []


def header_guard(path):
  """Returns the guard that a header must have."""
  return "REPRISE_" + re.sub(r"[^A-Za-z0-9]", "_", path).upper() + "_"


def check_header_guard(path, text):
  """Every header is guarded by its full path."""
  guard = header_guard(path)
  match = re.search(r"^#ifndef (\w+)\n#define (\w+)$", text, re.MULTILINE)
  if not match:
    return [Problem(path, 1, f"has no header guard {guard}")]
  if match.groups() != (guard, guard):
    return [
        Problem(path, line_of(text, match.start()),
                f"the header guard must be {guard}")
    ]
  if not text.rstrip().endswith(f"#endif  // {guard}"):
    return [
        Problem(path, text.rstrip().count("\n") + 1,
                f"must end with `#endif  // {guard}`")
    ]
  return []


def check_registries(path, text):
  """No file names the host of a package registry."""
  problems = [
      Problem(path, line_of(text, match.start()),
              f"{match.group()} is the host of a package registry: leave to "
              "the system's configuration where packages come from")
      for match in _REGISTRY.finditer(text)
  ]
  if path.endswith("package-lock.json"):
    problems.extend(
        Problem(path, line_of(text, match.start()),
                "leave out where it came from: npm install "
                "--package-lock-only --omit-lockfile-registry-resolved")
        for match in re.finditer(r'"resolved":', text))
  return problems


def check(repository):
  """Returns the problems of all files."""
  problems = []
  for path in repository.files():
    if path.endswith(_BINARY):
      continue
    text = repository.read(path)
    if path.endswith(_CODE) or text.startswith("#!"):
      problems.extend(check_licence(path, text))
    if path.endswith(".h"):
      problems.extend(check_header_guard(path, text))
    problems.extend(check_registries(path, text))
  return problems + check_packages(repository)


def check_packages(repository):
  """Every Debian package that the build asks for is one that setup installs."""
  listed = repository.read("tools/workspace/packages.txt")
  names = set(re.findall(r"^\w+ +(\S+)", listed, re.MULTILINE))
  problems = []
  for path in repository.files("repository.bzl", "repositories.bzl"):
    text = repository.read(path)
    if "debian_source_repository" in text:
      continue  # a source package needs no installation
    for match in re.finditer(r'package = "([^"]+)"|"[\w+-]+": "([\w+-]+)"',
                             text):
      package = match.group(1) or match.group(2)
      if package not in names:
        problems.append(
            Problem(path, line_of(text, match.start()),
                    f"{package} is not in tools/workspace/packages.txt, so "
                    "`tools/dev setup` does not install it"))
  return problems
