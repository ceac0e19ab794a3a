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

namespace {

// What a store holds besides the recordings of a server.
bool IsOfCatalogue(std::string_view name) {
  return name == "files" || name == "incoming" || name == "damaged" ||
         name == "lock" || name.starts_with("catalogue.sqlite");
}

}  // namespace

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
  for (filesystem::recursive_directory_iterator entry(folder_ / "store"), end;
       entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry.depth() == 0 && IsOfCatalogue(name)) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      names.push_back(name);
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
