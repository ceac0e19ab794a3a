// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/pack_bisection.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "replays/fuzzing/checks/run_check.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "sim/simulation_registry.h"
#include "tools/reprise/inputs/pack_difference.h"

namespace reprise::tools {
namespace {

using Indices = std::vector<size_t>;

class PackBisection {
 public:
  PackBisection(const FailingRun& run, const sim::PackArchive& good)
      : run_(run), good_(good), changes_(ComparePacksAsData(good, run.pack)) {}

  absl::StatusOr<PackCulprits> Find() {
    const auto failure =
        replays::FindFailure(*run_.start, run_.rules, run_.inputs, &shadow_);
    if (!failure.ok()) {
      return absl::FailedPreconditionError(
          "the run doesn't fail on the bad pack");
    }
    culprits_.signature = failure->signature;
    culprits_.change_count = changes_.size();
    const absl::StatusOr<bool> fails = FailsOn(good_);
    if (!fails.ok()) return fails.status();
    if (*fails) {
      return absl::FailedPreconditionError(fmt::format(
          "the run fails on the good pack, too: {}", failure->signature));
    }
    Indices left(changes_.size());
    for (size_t i = 0; i < left.size(); ++i) left[i] = i;
    Reduce(left);
    for (const size_t index : left) {
      culprits_.changes.push_back(changes_[index]);
    }
    return std::move(culprits_);
  }

 private:
  // Leaves out halves, then ever fewer, until none can be spared.
  void Reduce(Indices& left) {
    bool has_helped = true;
    while (has_helped) {
      has_helped = false;
      for (size_t size = std::max<size_t>(left.size() / 2, 1);; size /= 2) {
        for (size_t begin = 0; begin < left.size() && left.size() > 1;) {
          Indices fewer = left;
          const size_t end = std::min(begin + size, left.size());
          fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(begin),
                      fewer.begin() + static_cast<std::ptrdiff_t>(end));
          if (!fewer.empty() && FailsWith(fewer)) {
            left = std::move(fewer);
            has_helped = true;
          } else {
            begin = end;
          }
        }
        if (size <= 1) break;
      }
    }
  }

  // A pack that can't be made or run says nothing.
  bool FailsWith(const Indices& indices) {
    std::set<std::string> paths;
    for (const size_t index : indices) paths.insert(changes_[index].path);
    sim::PackArchive pack = good_;
    for (size_t made = 0; made < changes_.size(); ++made) {
      const std::vector<PackChange> left = ComparePacksAsData(pack, run_.pack);
      const auto next = std::ranges::find_if(left, [&](const PackChange& one) {
        return paths.contains(one.path);
      });
      if (next == left.end()) break;
      auto changed = ApplyPackChange(pack, run_.pack,
                                     static_cast<size_t>(next - left.begin()));
      if (!changed.ok()) return false;
      pack = *std::move(changed);
    }
    return FailsOn(pack).value_or(false);
  }

  absl::StatusOr<bool> FailsOn(const sim::PackArchive& pack) {
    ++culprits_.packs_tried;
    const sim::SimulationInfo& info = run_.start->info();
    const auto start = sim::CreateSimulation(info.simulation, pack, info.seed);
    if (!start.ok()) return start.status();
    const auto rules =
        replays::FuzzRules::Create(run_.rules.description, **start);
    if (!rules.ok()) return rules.status();
    const auto failure =
        replays::FindFailure(**start, *rules, run_.inputs, /*shadow=*/nullptr,
                             std::span(&shadow_, 1));
    return failure.ok() && failure->signature == culprits_.signature;
  }

  const FailingRun& run_;
  const sim::PackArchive& good_;
  const std::vector<PackChange> changes_;
  replays::RunShadow shadow_;  // with which the run fails
  PackCulprits culprits_;
};

}  // namespace

absl::StatusOr<PackCulprits> BisectPacks(const FailingRun& run,
                                         const sim::PackArchive& good) {
  return PackBisection(run, good).Find();
}

}  // namespace reprise::tools
