# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
"""Proves that each banned construct is caught where it stands, that what only
looks like one is not, and that the ways out work: on snippets of C++.
"""

import unittest

import determinism

BANNED = [
    "#include <chrono>",
    "auto now = std::chrono::steady_clock::now();",
    "auto now = absl::Now();",
    "clock_gettime(CLOCK_MONOTONIC, &now);",
    "const long now = time(nullptr);",
    "#include <thread>",
    "std::thread worker(Run);",
    "absl::Mutex mutex;",
    "std::ifstream file(name);",
    "FILE* file = fopen(name, \"r\");",
    "for (auto& entry : std::filesystem::directory_iterator(name)) Use(entry);",
    "const char* home = getenv(\"HOME\");",
    "std::locale::global(std::locale());",
    "const double x = strtod(text, nullptr);",
    "const double x = std::stod(text);",
    "const auto key = reinterpret_cast<uintptr_t>(object);",
    "std::map<Object*, int> objects;",
    "std::set<const Object*> objects;",
    "std::hash<int> hash;",
    "absl::Hash<int> hash;",
    "std::unordered_map<int, int> rows;",
    "absl::flat_hash_map<int, int> rows;",
    "std::uniform_int_distribution<int> dice(1, 6);",
    "std::shuffle(rows.begin(), rows.end(), generator);",
    "absl::BitGen generator;",
    "std::random_device device;",
    "const int x = rand();",
    "const double y = std::sin(x);",
    "const double y = sin(x);",
    "const double y = ::pow(x, 2);",
    "const float y = std::atan2f(x, z);",
    "throw std::runtime_error(text);",
    "try { Run(); } catch (...) {}",
    "#pragma STDC FP_CONTRACT ON",
    "std::sort(rows.begin(), rows.end());",
    "std::nth_element(rows.begin(), middle, rows.end());",
    "Place(NextUnit(stream), NextUnit(stream));",
    "const double sum = NextUnit(a) +\n    NextUnit(b);",
    "#include \"btBulletDynamicsCommon.h\"",
    "#include \"proto/reprise/v1/pack.pb.h\"",
]

ALLOWED = [
    "// std::sin(x) would differ; see std::chrono.",
    "Fail(\"std::sin(x) and getenv(\\\"HOME\\\")\");",
    "const double y = math::Sin(x);",
    "const double y = std::sqrt(x) + std::floor(x) + std::fmod(x, 2);",
    "const Tick end = world.time();",
    "world->time(3);",
    "double sin() const;",
    "std::map<Id, Object*> objects;",
    "std::stable_sort(rows.begin(), rows.end());",
    "// Total order: serials are unique.\nstd::sort(begin, end);",
    "const double x = NextUnit(stream);\nconst double y = NextUnit(stream);",
    "const double x = b ? NextUnit(stream) : NextUnit(other);",
    "double NextUnit(RandomStream& stream);\nint64_t NextBelow(int64_t bound);",
    "std::thread worker(Run);  // determinism: joined before it is read",
    "const int distribution = 3;",
    "const uint64_t mask = 0xff'ff'00;",
    "retry(3);",
]


class DeterminismTest(unittest.TestCase):

  def test_banned_constructs_are_caught(self):
    for snippet in BANNED:
      with self.subTest(snippet):
        self.assertTrue(determinism.check_text("sim/world/x.cc", snippet))

  def test_harmless_code_passes(self):
    for snippet in ALLOWED:
      with self.subTest(snippet):
        self.assertEqual(determinism.check_text("sim/world/x.cc", snippet), [])

  def test_problem_names_the_line(self):
    text = "int a;\n/* two\nlines */\nauto now = absl::Now();\n"
    problem, = determinism.check_text("sim/world/x.cc", text)
    self.assertEqual(problem.line, 4)

  def test_tests_may_use_what_simulations_may_not(self):
    self.assertEqual(
        determinism.check_text("sim/base/math_test.cc",
                               "const double y = std::sin(x);"), [])

  def test_only_its_room_includes_bullet(self):
    text = '#include "btBulletDynamicsCommon.h"'
    self.assertEqual(determinism.check_text("sim/physics/x.cc", text), [])
    self.assertTrue(determinism.check_text("sim/world/x_test.cc", text))

  def test_only_its_room_includes_lua(self):
    for text in ('#include "lua.h"', '#include "lauxlib.h"',
                 "#include <lua.hpp>"):
      self.assertEqual(determinism.check_text("sim/script/x.cc", text), [])
      self.assertTrue(determinism.check_text("sim/world/x.cc", text))

  def test_only_the_compiler_sees_messages(self):
    text = '#include "proto/reprise/v1/pack.pb.h"'
    for path in ("sim/compiler/x.cc", "sim/systems/chunks/chunk_compiler.cc"):
      self.assertEqual(determinism.check_text(path, text), [])
    for path in ("sim/physics/x.cc", "sim/systems/chunks/chunks.cc"):
      self.assertTrue(determinism.check_text(path, text))


if __name__ == "__main__":
  unittest.main()
