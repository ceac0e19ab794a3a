// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Packs in a line or two, for tests.

#ifndef REPRISE_SIM_COMPILER_TESTING_PACKS_H_
#define REPRISE_SIM_COMPILER_TESTING_PACKS_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"

namespace reprise::sim {

inline PackArchive PackOf(std::string manifest) {
  PackArchive pack;
  EXPECT_TRUE(
      pack.Add(std::string(kPackManifestPath), std::move(manifest)).ok());
  return pack;
}

// A manifest of the pack "test" with these parts.
inline std::string Manifest(std::initializer_list<std::string_view> parts) {
  std::string manifest = "name: \"test\"\n";
  for (const std::string_view part : parts) manifest += part;
  return manifest;
}

// The problems of a manifest, one a line.
inline std::vector<std::string> Problems(const std::string& manifest) {
  PackReport report;
  const auto definition = CompilePack(PackOf(manifest), 1, report);
  EXPECT_EQ(definition == nullptr, !report.ok());
  std::vector<std::string> lines;
  for (const PackProblem& problem : report.problems()) {
    lines.push_back(FormatProblem(problem));
  }
  return lines;
}

// The warnings of a manifest without mistakes, one a line.
inline std::vector<std::string> Warnings(const std::string& manifest) {
  PackReport report;
  CompilePack(PackOf(manifest), 1, report);
  EXPECT_TRUE(report.ok()) << report.ToStatus();
  std::vector<std::string> lines;
  for (const PackProblem& warning : report.warnings()) {
    lines.push_back(FormatProblem(warning));
  }
  return lines;
}

// The world of a manifest without mistakes.
inline std::unique_ptr<Simulation> WorldOf(const std::string& manifest,
                                           uint64_t seed = 1) {
  auto world = CreateWorld(PackOf(manifest), seed);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_TESTING_PACKS_H_
