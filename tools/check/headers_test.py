# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that a missing licence, a wrong guard and a registry's host are found,
and that what is in order passes: on small files.
"""

import unittest

import headers

_LICENCE = ("// Copyright 2026 The Reprise Authors.\n"
            "// SPDX-License-Identifier: Apache-2.0\n")
_GUARD = "REPRISE_SIM_STATE_STATE_H_"
_HEADER = (f"{_LICENCE}\n#ifndef {_GUARD}\n#define {_GUARD}\n\n"
           f"#endif  // {_GUARD}\n")


class HeadersTest(unittest.TestCase):

  def test_missing_licence_is_found(self):
    self.assertTrue(headers.check_licence("x.cc", "int x;\n"))

  def test_licence_without_identifier_is_found(self):
    self.assertTrue(
        headers.check_licence("x.cc", _LICENCE.split("\n")[0] + "\n"))

  def test_licence_may_follow_the_interpreter(self):
    text = "#!/bin/sh\n" + _LICENCE.replace("//", "#")
    self.assertEqual(headers.check_licence("x.sh", text), [])

  def test_missing_guard_is_found(self):
    self.assertTrue(headers.check_header_guard("sim/state/state.h", _LICENCE))

  def test_guard_of_another_path_is_found(self):
    problem, = headers.check_header_guard("sim/state/table.h", _HEADER)
    self.assertEqual(problem.line, 4)

  def test_guard_without_its_end_is_found(self):
    text = _HEADER.replace("#endif  //", "#endif //")
    self.assertTrue(headers.check_header_guard("sim/state/state.h", text))

  def test_right_guard_passes(self):
    self.assertEqual(
        headers.check_header_guard("sim/state/state.h", _HEADER), [])

  def test_host_of_a_registry_is_found(self):
    host = ".".join(["registry", "example", "org"])
    problem, = headers.check_registries("x.json", f'\n"{host}"\n')
    self.assertEqual(problem.line, 2)

  def test_lock_file_that_says_where_from_is_found(self):
    self.assertTrue(
        headers.check_registries("package-lock.json", '"resolved": "x"'))

  def test_other_hosts_pass(self):
    self.assertEqual(
        headers.check_registries("x.md", "https://example.org/deb"), [])


if __name__ == "__main__":
  unittest.main()
