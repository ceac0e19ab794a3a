# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that an arrow that runs back is a build error, by trying to build one.

The folders see each other in one direction only: proto, sim, replays, services,
tools, tests. For each folder and each one above it, a scratch package in the
lower folder depends on every library of the upper one, and Bazel must refuse
each for its visibility. So it does for the rooms of a folder, in the order of
tools/bazel/rooms.bzl, where each room is tried from those in the line before. A
forward arrow, to the interface that everything above sim works on, must pass,
or the refusals would prove nothing.
"""

import ast
import dataclasses
import pathlib
import re
import subprocess
import tempfile

import results

_FOLDERS = ["proto", "sim", "replays", "services", "tools", "tests"]
_SCRATCH = "scratch_arrow"
_WAIST = "//sim:simulation"
_ROOMS_FILE = "tools/bazel/rooms.bzl"

# What builds the project belongs to no folder.
_INFRASTRUCTURE = re.compile(r"^//tools/(bazel|workspace|check)\b")

# Public, because packages of other workspaces link them.
_PUBLIC = {"//tools/reprise:main", "//tools/package:interface"}


@dataclasses.dataclass(frozen=True)
class _Arrow:
  source: str
  target: str

  @property
  def package(self):
    return f"{self.source}/{_SCRATCH}/{self.target}"


def _bazel(repository, *arguments):
  return subprocess.run(["bazel", *arguments], cwd=repository.root,
                        capture_output=True, text=True, check=False)


def _libraries(repository):
  """Returns the labels of all libraries that belong to a folder."""
  result = _bazel(repository, "query", "--keep_going", "--noshow_progress",
                  "kind('cc_library', //...) except attr(testonly, 1, //...)")
  return [
      label for label in result.stdout.split()
      if label not in _PUBLIC and not _INFRASTRUCTURE.match(label)
  ]


def _in_folder(libraries, folder):
  return [label for label in libraries
          if re.match(rf"//{re.escape(folder)}[/:]", label)]


def _in_room(libraries, room):
  return [label for label in libraries if label.startswith(f"//{room}:")]


def _rooms(repository):
  """Returns the lines of rooms of each house, lower ones first."""
  text = repository.read(_ROOMS_FILE)
  literal = re.search(r"^ROOMS = (\{.*?^\})", text, re.MULTILINE | re.DOTALL)
  return ast.literal_eval(literal.group(1))


def _backward(repository, libraries):
  """Returns the arrows that run back, each with the labels it must not have."""
  arrows = {
      _Arrow(lower, upper): _in_folder(libraries, upper)
      for index, lower in enumerate(_FOLDERS)
      for upper in _FOLDERS[index + 1:]
  }
  for lines in _rooms(repository).values():
    for below, line in zip(lines, lines[1:]):
      arrows |= {
          _Arrow(lower, upper): _in_room(libraries, upper)
          for lower in below for upper in line
      }
  return {arrow: labels for arrow, labels in arrows.items() if labels}


def _write_package(overlay, arrow, labels):
  """Writes a package with one library for each label that it depends on."""
  folder = overlay / arrow.package
  folder.mkdir(parents=True)
  rules = [
      f'cc_library(name = "arrow_{number}", deps = ["{label}"])\n'
      for number, label in enumerate(labels)
  ]
  (folder / "BUILD.bazel").write_text("".join(rules), encoding="utf-8")


def _untried(output, arrow, labels):
  """Returns the labels whose own errors kept an arrow from being tried."""
  numbers = re.findall(
      rf"while analyzing target '//{arrow.package}:arrow_(\d+)'", output)
  return {labels[int(number)] for number in numbers}


def _refused(output, arrow):
  """Returns the labels that Bazel refused to an arrow's package."""
  return set(
      re.findall(
          rf"target '([^']+)' is not visible from target '//{arrow.package}:",
          output))


def check(repository):
  """Returns one result for each arrow."""
  backward = _backward(repository, _libraries(repository))
  forward = _Arrow("tests", "sim")
  with tempfile.TemporaryDirectory() as folder:
    overlay = pathlib.Path(folder)
    for arrow, labels in backward.items():
      _write_package(overlay, arrow, labels)
    _write_package(overlay, forward, [_WAIST])
    result = _bazel(
        repository, "build", "--nobuild", "--keep_going", "--noshow_progress",
        f"--package_path={overlay}:{repository.root}",
        *(f"//{arrow.package}:all" for arrow in (*backward, forward)))
  output = result.stdout + result.stderr
  cases = []
  for arrow, labels in backward.items():
    accepted = set(labels) - _refused(output, arrow)
    untried = accepted & _untried(output, arrow, labels)
    for label in sorted(accepted - untried):
      print(f"{_build_file(label)}:1: {arrow.source}/ may depend on {label}: "
            "set the visibility")
    for label in sorted(untried):
      print(f"{_build_file(label)}:1: {label} does not build, so whether "
            f"{arrow.source}/ may depend on it is not known")
    cases.append(_result(f"{arrow.source} cannot depend on {arrow.target}",
                         not accepted))
  cases.append(
      _result("tests can depend on sim",
              not _refused(output, forward) and
              not _untried(output, forward, [_WAIST])))
  if not cases[-1].passed:
    print(f"sim/BUILD.bazel:1: tests/ can't depend on {_WAIST}")
  return cases


def _build_file(label):
  return label[2:].split(":")[0] + "/BUILD.bazel"


def _result(name, passed):
  return results.Result(f"layering: {name}", passed,
                        "tools/dev check layering")
