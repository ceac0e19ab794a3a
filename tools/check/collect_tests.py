#!/usr/bin/env python3
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Turns what Bazel says of a test run into a line a test case.

Reads Bazel's build events and the test.xml of each test they name, and appends
to the results `PASS<tab>case` or `FAIL<tab>case<tab>command to reproduce`.
A run that failed never leaves only passes behind.
"""

import argparse
import json
import pathlib
import sys
import urllib.parse
import xml.etree.ElementTree

import results


def _read_events(path):
  """Yields the events of a file; a run that was cut off leaves none or some."""
  if not path.exists():
    return
  for line in path.read_text(encoding="utf-8").splitlines():
    try:
      yield json.loads(line)
    except json.JSONDecodeError:
      return


def _reproduce(label, suite="", case=""):
  command = f"bazel test {label}"
  if case and suite:
    command += f" --test_arg=--gtest_filter={suite}.{case}"
  return command


def read_cases(label, xml_text):
  """Returns the cases of a test.xml as results."""
  cases = []
  for element in xml.etree.ElementTree.fromstring(xml_text).iter("testcase"):
    if element.get("status") == "notrun":
      continue
    failed = any(
        element.find(tag) is not None for tag in ("failure", "error"))
    name = element.get("name", "")
    # GoogleTest says `result`. Other tests have one case, called as their path.
    if element.get("result") is not None:
      suite = element.get("classname", "")
      case_name = f"{label} {suite}.{name}"
      reproduce = _reproduce(label, suite, name)
    elif name == label[2:].replace(":", "/"):
      case_name, reproduce = label, _reproduce(label)
    else:
      case_name, reproduce = f"{label} {name}", _reproduce(label)
    cases.append(results.Result(case_name, not failed, reproduce))
  return cases


def _read_test(event):
  """Returns the cases of one testResult event."""
  label = event["id"]["testResult"]["label"]
  result = event["testResult"]
  passed = result.get("status") == "PASSED"
  cases = []
  for output in result.get("testActionOutput", []):
    if output.get("name") != "test.xml":
      continue
    path = urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path)
    try:
      cases = read_cases(label, pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, xml.etree.ElementTree.ParseError):
      cases = []  # A crash may leave half a file; the status below decides.
  # A crash or a leak fails the test although each case that ran passed.
  if not cases or (not passed and all(case.passed for case in cases)):
    cases.append(results.Result(label, passed, _reproduce(label)))
  return cases


def collect(events, exit_code, command):
  """Returns the results of a run from its events."""
  cases = []
  for event in events:
    identity = event.get("id", {})
    if "testResult" in identity and "testResult" in event:
      cases.extend(_read_test(event))
    elif "targetCompleted" in identity:
      label = identity["targetCompleted"]["label"]
      if not event.get("completed", {}).get("success"):
        cases.append(
            results.Result(f"{label} (build)", False, f"bazel build {label}"))
  if not cases or (exit_code != 0 and all(case.passed for case in cases)):
    cases.append(results.Result("bazel test", False, command))
  return cases


def main():
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("--events", type=pathlib.Path, required=True)
  parser.add_argument("--results", type=pathlib.Path, required=True)
  parser.add_argument("--exit-code", type=int, required=True)
  parser.add_argument("--command", required=True)
  arguments = parser.parse_args()
  results.append(
      arguments.results,
      collect(
          _read_events(arguments.events), arguments.exit_code,
          arguments.command))


if __name__ == "__main__":
  sys.exit(main())
