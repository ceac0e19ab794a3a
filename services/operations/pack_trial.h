// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Tries packs of strangers before the server makes them in its own process: a
// worker makes one and plays a tick of it, with an end to its memory and time.
// What comes of that is the pack's, whatever it does.

#ifndef REPRISE_SERVICES_OPERATIONS_PACK_TRIAL_H_
#define REPRISE_SERVICES_OPERATIONS_PACK_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/recording/resumed_recording.h"
#include "services/base/server_options.h"
#include "services/operations/worker_process.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"

namespace reprise::services {

// Safe to use from any thread.
class PackTrial {
 public:
  // `options` must remain live.
  explicit PackTrial(const ServerOptions* options) : options_(*options) {}
  PackTrial(const PackTrial&) = delete;
  PackTrial& operator=(const PackTrial&) = delete;

  // Tries `pack`, of `digest`, unless that was done, and returns how many bytes
  // of memory it took; 0: nobody knows, as of a server that has no program for
  // workers, where each is well. INVALID_ARGUMENT: mistakes, each with its
  // place. RESOURCE_EXHAUSTED: it takes more than it may, or others are being
  // tried. ABORTED: it crashed. UNAVAILABLE: there is no process. CANCELLED.
  absl::StatusOr<uint64_t> Try(const sim::ContentDigest& digest,
                               const sim::PackArchive& pack,
                               const replays::IsCancelled& is_cancelled);

  // Of packs that need none.
  void Trust(const sim::ContentDigest& digest);

  // Whether Try has nothing to do for a pack.
  bool IsKnown(const sim::ContentDigest& digest) const;

 private:
  // One of those that run, which was counted before: it goes however it ends.
  class Place {
   public:
    explicit Place(PackTrial* trial) : trial_(*trial) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
      const std::scoped_lock lock(trial_.mutex_);
      --trial_.running_count_;
    }

   private:
    PackTrial& trial_;
  };

  // How a process ended that was let be so long.
  struct End {
    std::unique_ptr<WorkerProcess> worker;
    absl::Status broken_off;
  };

  absl::StatusOr<uint64_t> Play(const sim::PackArchive& pack,
                                const replays::IsCancelled& is_cancelled) const;
  absl::StatusOr<End> Run(std::vector<std::string> arguments, int pack,
                          const replays::IsCancelled& is_cancelled) const;
  absl::Status MistakesOf(int pack,
                          const replays::IsCancelled& is_cancelled) const;
  void Remember(const sim::ContentDigest& digest, uint64_t bytes);

  const ServerOptions& options_;

  mutable std::mutex mutex_;  // guards what follows
  // By digest: those that are well.
  std::map<std::string, uint64_t> known_;
  size_t running_count_ = 0;
};

// The mistakes in what `reprise pack check --format json` prints of one pack:
// INVALID_ARGUMENT with them. OK: it names none, or isn't that.
absl::Status ParsePackCheck(std::string_view text);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATIONS_PACK_TRIAL_H_
