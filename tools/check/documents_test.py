# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that dead links are found and live ones are not: on small documents."""

import unittest

import documents

_FILES = {
    "README.md": "# Reprise\n\n## Quick start\n\n## Quick start\n",
    "docs/start.md": "# Start\n",
}


def _check(text, path="docs/page.md"):
  return documents.check_text(path, text,
                              lambda other: other in _FILES or other == path,
                              _FILES.get)


class DocumentsTest(unittest.TestCase):

  def test_link_to_a_missing_file_is_dead(self):
    problem, = _check("One\n[two](three.md)\n")
    self.assertEqual(problem.line, 2)

  def test_link_to_a_missing_heading_is_dead(self):
    self.assertTrue(_check("[a](../README.md#slow-start)"))

  def test_link_to_a_missing_heading_of_the_same_page_is_dead(self):
    self.assertTrue(_check("# One\n[a](#two)"))

  def test_reference_to_a_missing_file_is_dead(self):
    self.assertTrue(_check("[a]: gone.md\n"))

  def test_live_links_pass(self):
    self.assertEqual(
        _check("# My page!\n[a](start.md) [b](../README.md#quick-start) "
               "[c](../README.md#quick-start-1) [d](/docs/start.md) "
               "[e](#my-page) [f](https://example.org/gone)"), [])

  def test_code_holds_no_links(self):
    self.assertEqual(_check("`a[i](j.md)`\n```\n[a](gone.md)\n```\n"), [])


if __name__ == "__main__":
  unittest.main()
