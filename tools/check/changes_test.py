# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that what changed is found, and that a moved file is no change."""

import pathlib
import unittest

import changes
import tidy

_MOVED = """\
diff --git a/sim/world/slots.h b/sim/world/components/slots.h
--- a/sim/world/slots.h
+++ b/sim/world/components/slots.h
@@ -7,2 +7,2 @@
-#ifndef REPRISE_SIM_WORLD_SLOTS_H_
-#define REPRISE_SIM_WORLD_SLOTS_H_
+#ifndef REPRISE_SIM_WORLD_COMPONENTS_SLOTS_H_
+#define REPRISE_SIM_WORLD_COMPONENTS_SLOTS_H_
@@ -20 +20 @@
-#include "sim/world/object_rows.h"
+#include "sim/world/components/object_rows.h"
"""
_CHANGED = """\
diff --git a/sim/base/id.cc b/sim/base/id.cc
--- a/sim/base/id.cc
+++ b/sim/base/id.cc
@@ -9 +9,2 @@
-  return 1;
+  // Two is right.
+  return 2;
"""
_GONE = """\
diff --git a/sim/base/old.cc b/sim/base/old.cc
--- a/sim/base/old.cc
+++ /dev/null
@@ -1 +0,0 @@
-int x;
"""


class Sources:
  """Stands in for the repository: files by their text."""

  def __init__(self, texts):
    self._texts = texts

  def files(self, suffix):
    return [path for path in self._texts if path.endswith(suffix)]

  def read(self, path):
    return self._texts[path]


class ParseTest(unittest.TestCase):

  def test_moved_file_says_nothing_new(self):
    self.assertEqual(changes.parse(_MOVED), set())

  def test_changed_line_is_a_change(self):
    self.assertEqual(changes.parse(_MOVED + _CHANGED), {"sim/base/id.cc"})

  def test_file_that_is_gone_is_not_looked_at(self):
    self.assertEqual(changes.parse(_GONE), set())


class SelectTest(unittest.TestCase):

  _FILES = Sources({
      "sim/a.cc": '#include "sim/a.h"\n',
      "sim/a_test.cc": '#include "sim/a.h"\n',
      "sim/b_test.cc": '#include "sim/b.h"\n',
      "sim/c.cc": '#include "sim/traits.h"\n',
      "sim/d.cc": '#include "sim/traits.h"\n',
  })

  def _select(self, *changed):
    return tidy.select(self._FILES, set(changed))

  def test_changed_source_is_looked_at(self):
    self.assertEqual(self._select("sim/d.cc"), ["sim/d.cc"])

  def test_header_is_looked_at_through_its_source_or_its_test(self):
    self.assertEqual(self._select("sim/a.h"), ["sim/a.cc"])
    self.assertEqual(self._select("sim/b.h"), ["sim/b_test.cc"])

  def test_header_of_its_own_is_looked_at_through_the_first_that_includes_it(
      self):
    self.assertEqual(self._select("sim/traits.h"), ["sim/c.cc"])

  def test_all_is_looked_at_where_the_rules_or_the_base_are_not_known(self):
    self.assertEqual(len(self._select(".clang-tidy")), 5)
    self.assertEqual(len(tidy.select(self._FILES, None)), 5)


class OrderTest(unittest.TestCase):

  class _Git(Sources):
    root = pathlib.Path(__file__).resolve().parent.parent.parent

    def read(self, path):
      return "a" * 40 + "  all passed\n"

    def git(self, *arguments):
      return "sim/b.cc\nsim/c.cc\n\nsim/b.cc\nsim/a.cc\n"

  def test_what_changed_last_comes_first(self):
    self.assertEqual(
        changes.newest_first(self._Git({}), ["sim/a.cc", "sim/b.cc", "sim/c.cc",
                                             "sim/new.cc"]),
        ["sim/new.cc", "sim/b.cc", "sim/c.cc", "sim/a.cc"])


class SharedIncludesTest(unittest.TestCase):

  def test_headers_of_one_file_in_seven_are_shared(self):
    texts = {f"sim/{i}.cc": "#include <vector>\n" for i in range(14)}
    texts["sim/0.cc"] += "#include <map>\n"
    texts["sim/1.cc"] += "#include <map>\n#include <set>\n"
    closures = [{path} for path in texts]
    self.assertEqual(tidy.shared_includes(Sources(texts), closures),
                     ["map", "vector"])


if __name__ == "__main__":
  unittest.main()
