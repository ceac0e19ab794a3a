// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The ids of the finished replays of a folder, in order. They are read again
// only when the folder has changed, so the pages of a list, and what looks
// through all of them, read them once.

#ifndef REPRISE_SERVICES_STORAGE_REPLAY_IDS_H_
#define REPRISE_SERVICES_STORAGE_REPLAY_IDS_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace reprise::services {

// Safe to use from any thread. Keeps those of the folder that was asked for
// last: some 64 bytes for each.
class ReplayIds {
 public:
  using Ids = std::shared_ptr<const std::vector<std::string>>;

  ReplayIds() = default;
  ReplayIds(const ReplayIds&) = delete;
  ReplayIds& operator=(const ReplayIds&) = delete;

  // In descending order; none where there is no folder. Errors are the
  // system's, and ReadError.
  absl::StatusOr<Ids> Of(const std::string& folder);

 private:
  // What tells a folder's last change from others. The time of its names can be
  // set, as what restores files from a backup does behind them; the time of
  // what is known of it can't.
  struct Change {
    absl::Time names_at = absl::InfinitePast();
    absl::Time any_at = absl::InfinitePast();
    uint64_t device = 0;
    uint64_t inode = 0;

    friend bool operator==(const Change&, const Change&) = default;
  };

  std::mutex mutex_;  // guards what follows
  std::string folder_;
  Change change_;
  Ids ids_;  // as they were then; null: not known
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_REPLAY_IDS_H_
