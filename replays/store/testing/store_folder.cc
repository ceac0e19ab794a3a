// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/testing/store_folder.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "gtest/gtest.h"
#include "replays/testing/tiny_recording.h"

namespace reprise::replays {
namespace {

std::string FolderOfTest() {
  const testing::TestInfo& test =
      *testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test.test_suite_name()) + "." + test.name();
  std::ranges::replace(name, '/', '_');
  return testing::TempDir() + name;
}

}  // namespace

StoreFolder::StoreFolder()
    : folder_(FolderOfTest()), path_(folder_ + "/store") {
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
}

std::unique_ptr<ReplayStore> StoreFolder::Open() const {
  auto store = ReplayStore::Open(path_);
  EXPECT_TRUE(store.ok()) << store.status();
  return store.ok() ? *std::move(store) : nullptr;
}

std::string StoreFolder::Record(uint64_t seed) const {
  std::string path = Beside(std::to_string(seed) + ".mcap");
  WriteBytes(path, RecordTiny({.tick_count = 50, .seed = seed}));
  return path;
}

StoredReplay StoreFolder::Add(ReplayStore& store, uint64_t seed,
                              std::vector<std::string> tags) const {
  auto added = store.Add(
      Record(seed),
      {.recorded_at = kTestBefore, .now = kTestNow, .tags = std::move(tags)});
  EXPECT_TRUE(added.ok()) << added.status();
  return added.ok() ? std::move(added->replay) : StoredReplay();
}

std::string StoreFolder::Beside(const std::string& name) const {
  return folder_ + "/" + name;
}

Bytes ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Bytes bytes(text.size());
  std::ranges::transform(text, bytes.begin(), [](char character) {
    return static_cast<std::byte>(character);
  });
  return bytes;
}

void WriteBytes(const std::string& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

void DamageFile(const std::string& path) {
  Bytes bytes = ReadBytes(path);
  bytes[bytes.size() / 2] ^= std::byte{1};
  WriteBytes(path, bytes);
}

}  // namespace reprise::replays
