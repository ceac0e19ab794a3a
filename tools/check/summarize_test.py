# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that a run's end counts what wasn't tried as neither of both."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import results
import summarize


class SummarizeTest(unittest.TestCase):

  def end(self, *cases):
    with tempfile.TemporaryDirectory() as folder:
      path = pathlib.Path(folder) / "results.txt"
      results.append(path, [results.Result(*case) for case in cases])
      self.assertEqual([(case.name, case.passed) for case in results.read(path)],
                       [(case[0], case[1]) for case in cases])
      output = io.StringIO()
      with mock.patch.object(sys, "argv", ["summarize.py", str(path)]):
        with contextlib.redirect_stdout(output):
          code = summarize.main()
    return code, output.getvalue()

  def test_what_was_not_tried_is_named_and_fails_nothing(self):
    code, text = self.end(("a", True), ("b", None, "try b"))
    self.assertEqual(code, 0)
    self.assertEqual(
        text, "SKIPPED b\n       try b\n1 passed, 0 failed, 1 skipped\n")

  def test_failure_fails(self):
    code, text = self.end(("a", True), ("b", False, "try b"))
    self.assertEqual(code, 1)
    self.assertEqual(text, "FAILED b\n       try b\n1 passed, 1 failed\n")

  def test_a_run_in_which_nothing_passed_is_no_success(self):
    self.assertEqual(self.end()[0], 1)
    self.assertEqual(self.end(("a", None))[0], 1)


if __name__ == "__main__":
  unittest.main()
