// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Whether a store holds what its catalogue says: every file is hashed, and
// every name is looked up. What crashes and disks leave behind is put right on
// demand, and nothing that might be of use is deleted by that.

#ifndef REPRISE_REPLAYS_STORE_STORE_CHECK_H_
#define REPRISE_REPLAYS_STORE_STORE_CHECK_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/store/replay_store.h"
#include "replays/store/stored_replay.h"

namespace reprise::replays {

struct StoreProblem {
  enum class Kind {
    // A file without a row: its process died between the two. Repair adds it
    // to the catalogue again, without its tags.
    kUncatalogued,
    // What a process that died was adding. Repair deletes it.
    kAbandoned,
    // A file whose bytes aren't those of its name. Repair puts it aside, for
    // `reprise recover`, and takes its row away.
    kDamaged,
    // A row without a file. Repair takes the row away.
    kMissing,
    // What isn't a replay of the store. Repair leaves it alone.
    kForeign,
  };

  Kind kind = Kind::kForeign;
  std::string path;
  // The row, where there is one.
  std::optional<StoredReplay> replay;
  bool is_repaired = false;
  // Where a damaged file lies now.
  std::string aside;

  // A replay that was kept isn't any more.
  bool is_loss() const {
    return kind == Kind::kDamaged || kind == Kind::kMissing;
  }
};

// "uncatalogued", "abandoned", "damaged", "missing", "foreign".
std::string_view StoreProblemName(StoreProblem::Kind kind);

struct StoreCheckOptions {
  bool repair = false;
  // What repair notes as the time at which a replay was added.
  absl::Time now;
  // Told of each replay that has been hashed; may be empty.
  std::function<void(const StoredReplay&)> progress;
};

struct StoreReport {
  uint64_t replay_count = 0;  // rows looked at
  uint64_t size_bytes = 0;    // of their files
  std::vector<StoreProblem> problems;

  bool is_clean() const { return problems.empty(); }
};

// The store may be in use meanwhile; what others are about to finish is no
// problem. DATA_LOSS: the catalogue is damaged. Other errors are those of the
// store; what was repaired before stays so.
absl::StatusOr<StoreReport> CheckStore(ReplayStore& store,
                                       const StoreCheckOptions& options);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_STORE_CHECK_H_
