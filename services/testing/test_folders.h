// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What tests of the server need on a disk: a folder of their own with a pack of
// the tiny simulation and an empty store.

#ifndef REPRISE_SERVICES_TESTING_TEST_FOLDERS_H_
#define REPRISE_SERVICES_TESTING_TEST_FOLDERS_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::services {

// Makes the folders and removes them again.
class TestFolders {
 public:
  TestFolders();
  TestFolders(const TestFolders&) = delete;
  TestFolders& operator=(const TestFolders&) = delete;
  ~TestFolders();

  // Holds one pack, "tiny".
  std::string packs() const { return folder_ / "packs"; }
  std::string store() const { return folder_ / "store"; }

  // The names of the recordings in the store, and of what else lies there but
  // its catalogue and the files of that, in order.
  std::vector<std::string> StoredFiles() const;

  // Of a file below the folder.
  std::string PathOf(std::string_view path) const { return folder_ / path; }

  // Adds a file below the folder, and the folders it lies in.
  void Write(std::string_view path, std::string_view contents) const;

 private:
  const std::filesystem::path folder_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_TEST_FOLDERS_H_
