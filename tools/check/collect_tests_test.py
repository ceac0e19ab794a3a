# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that no failure of a test run is lost in the count: with the events and
files that Bazel and GoogleTest write.
"""

import pathlib
import tempfile
import unittest

import collect_tests

_GOOGLE_TEST_XML = """<testsuites tests="3"><testsuite name="TickTest">
<testcase name="Adds" status="run" result="completed" classname="TickTest" />
<testcase name="Wraps" status="run" result="completed" classname="TickTest">
<failure message="1 is not 2" /></testcase>
<testcase name="Rests" status="notrun" result="suppressed"
 classname="TickTest" />
</testsuite></testsuites>"""

_SCRIPT_XML = """<testsuites><testsuite name="a/script_test">
<testcase name="a/script_test" status="run" /></testsuite></testsuites>"""


def _test_event(label, status, xml_path=None):
  outputs = [{"name": "test.log", "uri": "file:///gone"}]
  if xml_path:
    outputs.append({"name": "test.xml", "uri": f"file://{xml_path}"})
  return {
      "id": {"testResult": {"label": label}},
      "testResult": {"status": status, "testActionOutput": outputs},
  }


class CollectTestsTest(unittest.TestCase):

  def test_google_test_cases_count_one_by_one(self):
    cases = collect_tests.read_cases("//a:tick_test", _GOOGLE_TEST_XML)
    self.assertEqual([(case.name, case.passed) for case in cases],
                     [("//a:tick_test TickTest.Adds", True),
                      ("//a:tick_test TickTest.Wraps", False)])

  def test_failed_case_can_be_reproduced(self):
    _, failed = collect_tests.read_cases("//a:tick_test", _GOOGLE_TEST_XML)
    self.assertEqual(
        failed.reproduce,
        "bazel test //a:tick_test --test_arg=--gtest_filter=TickTest.Wraps")

  def test_script_is_one_case(self):
    case, = collect_tests.read_cases("//a:script_test", _SCRIPT_XML)
    self.assertEqual(case.name, "//a:script_test")

  def test_crash_after_the_last_case_is_a_failure(self):
    with tempfile.TemporaryDirectory() as folder:
      path = pathlib.Path(folder) / "test.xml"
      path.write_text(_SCRIPT_XML, encoding="utf-8")
      cases = collect_tests.collect(
          [_test_event("//a:script_test", "FAILED", path)], 3, "bazel test")
    self.assertEqual([case.passed for case in cases], [True, False])

  def test_test_without_a_report_is_one_case(self):
    case, = collect_tests.collect([_test_event("//a:b", "PASSED")], 0, "")
    self.assertTrue(case.passed)

  def test_target_that_does_not_build_is_a_failure(self):
    event = {
        "id": {"targetCompleted": {"label": "//a:b"}},
        "completed": {},
    }
    case, = collect_tests.collect([event], 1, "")
    self.assertEqual((case.passed, case.reproduce),
                     (False, "bazel build //a:b"))

  def test_run_without_events_is_a_failure(self):
    case, = collect_tests.collect([], 0, "bazel test //...")
    self.assertEqual((case.passed, case.reproduce),
                     (False, "bazel test //..."))

  def test_failed_run_never_leaves_only_passes(self):
    cases = collect_tests.collect([_test_event("//a:b", "PASSED")], 1, "")
    self.assertFalse(all(case.passed for case in cases))


if __name__ == "__main__":
  unittest.main()
