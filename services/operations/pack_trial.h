// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Tries packs of strangers before the server makes them in its own process: a
// worker makes one and plays a tick of it, with an end to its memory and time.
// What comes of that is the pack's, whatever it does.

#ifndef REPRISE_SERVICES_OPERATIONS_PACK_TRIAL_H_
#define REPRISE_SERVICES_OPERATIONS_PACK_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/recording/resumed_recording.h"
#include "services/base/server_options.h"
#include "services/base/tenant.h"
#include "services/operations/worker_process.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"

namespace reprise::services {

// Whose thread waits for a trial.
enum class TrialWaiter {
  kUpload,  // one that does nothing else
  kLoad,    // one of those that load: some are left for packs that need none
};

// What is known of a pack that is well.
struct TriedPack {
  // That it took of memory; 0: nobody knows.
  uint64_t bytes = 0;
  // What it calls itself; empty: nobody knows.
  std::string name;

  friend bool operator==(const TriedPack&, const TriedPack&) = default;
};

// Safe to use from any thread.
class PackTrial {
 public:
  // `options` must remain live.
  explicit PackTrial(const ServerOptions* options) : options_(*options) {}
  PackTrial(const PackTrial&) = delete;
  PackTrial& operator=(const PackTrial&) = delete;

  // Tries `pack`, of `digest`, for `tenant`, which has one tried at a time,
  // unless that was done. Nothing is known where the server has no program for
  // workers: there each is well. INVALID_ARGUMENT: mistakes, each with its
  // place. RESOURCE_EXHAUSTED: it takes more than it may, or another one of the
  // tenant, or as many for who loads as there may be, are being tried. ABORTED:
  // it crashed. UNAVAILABLE: there is no process. CANCELLED.
  absl::StatusOr<TriedPack> Try(const Tenant& tenant, TrialWaiter waiter,
                                const sim::ContentDigest& digest,
                                const sim::PackArchive& pack,
                                const replays::IsCancelled& is_cancelled);

  // Of packs that need none, and call themselves `name`.
  void Trust(const sim::ContentDigest& digest, std::string_view name);

  // Whether Try has nothing to do for a pack.
  bool IsKnown(const sim::ContentDigest& digest) const;

 private:
  // One of those that run, which was counted before: it goes however it ends.
  class Place {
   public:
    Place(PackTrial* trial, std::string tenant, TrialWaiter waiter)
        : trial_(*trial), tenant_(std::move(tenant)), waiter_(waiter) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() {
      const std::scoped_lock lock(trial_.mutex_);
      trial_.tenants_.erase(tenant_);
      if (waiter_ == TrialWaiter::kLoad) --trial_.loads_count_;
    }

   private:
    PackTrial& trial_;
    const std::string tenant_;
    const TrialWaiter waiter_;
  };

  // How a process ended that was let be so long.
  struct End {
    std::unique_ptr<WorkerProcess> worker;
    absl::Status broken_off;
  };

  absl::StatusOr<TriedPack> Play(
      const sim::PackArchive& pack,
      const replays::IsCancelled& is_cancelled) const;
  absl::StatusOr<End> Run(std::vector<std::string> arguments, int pack,
                          const replays::IsCancelled& is_cancelled) const;
  absl::Status MistakesOf(int pack,
                          const replays::IsCancelled& is_cancelled) const;
  void Remember(const sim::ContentDigest& digest, const TriedPack& tried);

  const ServerOptions& options_;

  mutable std::mutex mutex_;  // guards what follows
  // By digest: those that are well.
  std::map<std::string, TriedPack> known_;
  std::set<std::string, std::less<>> tenants_;  // that have one running
  size_t loads_count_ = 0;                      // of those that run
};

// The mistakes in what `reprise pack check --format json` prints of one pack:
// INVALID_ARGUMENT with them. OK: it names none, or isn't that.
absl::Status ParsePackCheck(std::string_view text);

// What a pack calls itself, in what `reprise run --format json` prints of it;
// empty where that doesn't say.
std::string ParsePackName(std::string_view text);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATIONS_PACK_TRIAL_H_
