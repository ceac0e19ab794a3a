// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/test_folders.h"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/resource_name.h"
#include "sim/pack_archive.h"

namespace reprise::services {

namespace filesystem = std::filesystem;

TestFolders::TestFolders()
    : folder_(filesystem::path(testing::TempDir()) / NewId(absl::Now())) {
  const sim::PackArchive pack = replays::MakeTinyPack();
  for (const auto& [path, contents] : pack.files()) {
    Write("packs/tiny/" + path, contents);
  }
  filesystem::create_directories(store());
}

TestFolders::~TestFolders() {
  std::error_code ignored;
  filesystem::remove_all(folder_, ignored);
}

std::vector<std::string> TestFolders::StoredFiles() const {
  std::vector<std::string> names;
  for (const auto& entry :
       filesystem::recursive_directory_iterator(folder_ / "store")) {
    if (entry.is_regular_file()) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

void TestFolders::Write(std::string_view path,
                        std::string_view contents) const {
  const filesystem::path file = folder_ / path;
  filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << contents;
}

}  // namespace reprise::services
