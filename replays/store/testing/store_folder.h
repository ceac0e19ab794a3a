// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A store on the disk for a test, and replays to put into it.

#ifndef REPRISE_REPLAYS_STORE_TESTING_STORE_FOLDER_H_
#define REPRISE_REPLAYS_STORE_TESTING_STORE_FOLDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "replays/container/byte_stream.h"
#include "replays/store/replay_store.h"

namespace reprise::replays {

// The time at which tests take place, and one before.
inline constexpr absl::Time kTestNow = absl::FromUnixSeconds(1'700'000'000);
inline constexpr absl::Time kTestBefore = absl::FromUnixSeconds(1'699'900'000);

class StoreFolder {
 public:
  // A folder of the running test's own, empty.
  StoreFolder();

  // The store in it.
  const std::string& path() const { return path_; }
  std::unique_ptr<ReplayStore> Open() const;

  // Records a run of the tiny simulation beside the store, and returns its
  // path. Other seeds give other bytes.
  std::string Record(uint64_t seed) const;

  // Records a run and adds it, recorded at kTestBefore.
  StoredReplay Add(ReplayStore& store, uint64_t seed,
                   std::vector<std::string> tags = {}) const;

  // A path beside the store.
  std::string Beside(const std::string& name) const;

 private:
  const std::string folder_;
  const std::string path_;
};

Bytes ReadBytes(const std::string& path);
void WriteBytes(const std::string& path, const Bytes& bytes);

// Changes one byte in the middle of a file.
void DamageFile(const std::string& path);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_TESTING_STORE_FOLDER_H_
