# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy on the C++ files that changed since everything passed, or on all.

A header is looked at through the source of its name. A file that passed is not
looked at again until it, a header of ours that it includes, or .clang-tidy
changes: passes are kept in ~/.cache/reprise/tidy by the digest of all that.

What makes it quick: checks look at our own code only (tidy_scope.cc), and the
system headers that many of the files include are parsed once.
"""

import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import tempfile
import time

import changes
from repository import Problem

_FOLDERS = ("sim/", "replays/", "services/", "tools/", "tests/")
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
_SYSTEM_INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.MULTILINE)
_MESSAGE = re.compile(r"^([^:\n]+):(\d+):\d+: (?:error|warning): (.*)$",
                      re.MULTILINE)


# Fewer files don't pay for what parsing their shared headers takes.
_WORTH_PRECOMPILING = 8


class _Digests:
  """Digests of a file together with the headers of ours that it includes."""

  def __init__(self, repository, salt):
    self._repository = repository
    self._salt = salt
    self._includes = {}

  def digest(self, path):
    """Returns the digest of a file and all that it includes."""
    hasher = hashlib.sha256(self._salt)
    for name in sorted(self.closure(path)):
      hasher.update(name.encode() + b"\0")
      hasher.update((self._repository.root / name).read_bytes() + b"\0")
    return hasher.hexdigest()

  def closure(self, path):
    """Returns the file and the headers of ours that it includes."""
    found, waiting = set(), [path]
    while waiting:
      name = waiting.pop()
      if name in found:
        continue
      found.add(name)
      waiting.extend(self._direct(name))
    return found

  def _direct(self, path):
    if path not in self._includes:
      self._includes[path] = [
          name for name in _INCLUDE.findall(self._repository.read(path))
          if (self._repository.root / name).is_file()
      ]
    return self._includes[path]


class _Unable(Exception):
  """What clang-tidy needs isn't there; the text says what to do."""


def _output(repository, *command):
  return subprocess.run(command, cwd=repository.root, capture_output=True,
                        text=True, check=False)


def _compiler_arguments(repository):
  """Returns how all our files are compiled, after making what they include."""
  build = _output(repository, "bazel", "build", "--noshow_progress",
                  "//proto/...", "@bullet//:all", "@lua//:all")
  if build.returncode != 0:
    raise _Unable("//proto, @bullet or @lua does not build, and clang-tidy "
                  "needs their headers: bazel build //proto/...")
  info = dict(
      line.split(": ", 1) for line in _output(
          repository, "bazel", "info").stdout.splitlines() if ": " in line)
  return [
      "-std=c++20", "-Wall", "-Wextra", f"-I{repository.root}",
      f"-I{info['bazel-bin']}", "-isystem", f"{info['bazel-bin']}/proto",
      "-isystem", f"{info['output_base']}/external/bullet/src",
      "-isystem", f"{info['output_base']}/external/lua/src",
      "-isystem", _llvm_headers(repository),
      "-DBT_USE_DOUBLE_PRECISION", "-DBT_NO_PROFILE"
  ]


def _llvm_headers(repository):
  return _output(repository, "llvm-config", "--includedir").stdout.strip()


def _plugin(repository, cache, salt):
  """Returns the plug-in of clang-tidy that tidy_scope.cc is, after building it
  where that wasn't done yet."""
  source = "tools/check/tidy_scope.cc"
  digest = hashlib.sha256(salt + repository.read(source).encode()).hexdigest()
  plugin = cache / f"scope-{digest[:16]}.so"
  if not plugin.exists():
    made = plugin.with_suffix(f".{os.getpid()}")
    build = _output(repository, "g++", "-std=c++20", "-fno-rtti", "-fPIC",
                    "-shared", "-isystem", _llvm_headers(repository), source,
                    "-o", str(made))
    if build.returncode != 0:
      raise _Unable(f"{source} does not build (tools/dev setup installs what "
                    "it takes): " + " ".join(build.stderr.split())[:1000])
    made.rename(plugin)
  return plugin


def shared_includes(repository, closures):
  """Returns the system headers that one in seven files includes, directly or
  through ours; closures: of each file, it and the headers of ours it includes.
  """
  counts = collections.Counter()
  for closure in closures:
    counts.update({
        header for path in closure
        for header in _SYSTEM_INCLUDE.findall(repository.read(path))
    })
  return sorted(header for header, count in counts.items()
                if 7 * count >= len(closures))


def _precompile(repository, headers, arguments, folder):
  """Returns the arguments with which these headers are taken as parsed."""
  header = pathlib.Path(folder) / "shared.h"
  header.write_text("".join(f"#include <{name}>\n" for name in headers),
                    encoding="utf-8")
  parsed = header.with_suffix(".pch")
  made = _output(repository, "clang", "-x", "c++-header", *arguments,
                 str(header), "-o", str(parsed))
  # Headers that don't go together are parsed by each file.
  return ["-include-pch", str(parsed)] if made.returncode == 0 else []


def _through(header, sources, repository):
  """Returns the source through which a header is looked at, if there is one."""
  stem = header[:-len(".h")]
  for path in (stem + ".cc", stem + "_test.cc"):
    if path in sources:
      return path
  return next((path for path in sources
               if header in _INCLUDE.findall(repository.read(path))), None)


def select(repository, changed):
  """Returns the sources to look at when these files changed; None: all did."""
  sources = [
      path for path in repository.files(".cc") if path.startswith(_FOLDERS)
  ]
  if changed is None or ".clang-tidy" in changed:
    return sources
  headers = {
      _through(path, sources, repository)
      for path in changed if path.endswith(".h") and path.startswith(_FOLDERS)
  }
  return [path for path in sources if path in changed or path in headers]


def _run(repository, path, plugin, arguments):
  """Returns the problems of one source and the headers it includes."""
  root = re.escape(str(repository.root))
  result = _output(repository, "clang-tidy", "--quiet", f"--load={plugin}",
                   f"--header-filter=^{root}/(\\./)?({'|'.join(_FOLDERS)})",
                   path, "--", *arguments)
  problems = set()
  for match in _MESSAGE.finditer(result.stdout):
    where = os.path.relpath(os.path.join(repository.root, match.group(1)),
                            repository.root)
    message = match.group(3).replace(",-warnings-as-errors]", "]")
    problems.add(Problem(where, int(match.group(2)), message))
  if result.returncode != 0 and not problems:
    problems.add(Problem(path, 1, "clang-tidy failed: " +
                         " ".join(result.stderr.split())))
  return problems


def _run_before(end, *arguments):
  """Returns the problems of one source, or None where it's too late for it."""
  return None if end and time.monotonic() > end else _run(*arguments)


def check(repository, whole=False, minutes=None):
  """Returns what clang-tidy finds in what changed, or in the whole. After so many
  minutes it begins with no other file, and says how many are left: those that
  changed last come first, and the next run goes on."""
  cache = pathlib.Path(
      os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
  cache = cache / "reprise" / "tidy"
  cache.mkdir(parents=True, exist_ok=True)
  salt = (_output(repository, "clang-tidy", "--version").stdout +
          repository.read(".clang-tidy")).encode()
  digests = _Digests(repository, salt)
  changed = None if whole else changes.changed_files(repository)
  selected = changes.newest_first(repository, select(repository, changed))
  waiting = [(path, cache / digests.digest(path)) for path in selected]
  waiting = [(path, mark) for path, mark in waiting if not mark.exists()]
  if not waiting:
    return []
  try:
    arguments = _compiler_arguments(repository)
    plugin = _plugin(repository, cache, salt)
  except _Unable as error:
    return [Problem("tools/check/tidy.py", 1, str(error))]
  problems = set()
  workers = len(os.sched_getaffinity(0))
  with tempfile.TemporaryDirectory() as folder, \
      concurrent.futures.ThreadPoolExecutor(workers) as pool:
    if len(waiting) >= _WORTH_PRECOMPILING:
      closures = [digests.closure(path) for path, _ in waiting]
      arguments += _precompile(
          repository, shared_includes(repository, closures), arguments, folder)
    end = time.monotonic() + 60 * minutes if minutes else None
    jobs = {
        pool.submit(_run_before, end, repository, path, plugin, arguments): mark
        for path, mark in waiting
    }
    left = 0
    for job in concurrent.futures.as_completed(jobs):
      found = job.result()
      if found is None:
        left += 1
        continue
      problems |= found
      if not found:
        jobs[job].touch()
  if left:
    print(f"{left} of {len(waiting)} files are left after {minutes} minutes: "
          "tools/dev check tidy goes on")
  return sorted(problems)
