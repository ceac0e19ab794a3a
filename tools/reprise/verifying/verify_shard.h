// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which part of a list of replays this process verifies, where several machines
// share the list. CI systems and schedulers say it in variables of their own.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_SHARD_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_SHARD_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace reprise::tools {

struct Shard {
  uint64_t number = 1;  // from 1 to `count`
  uint64_t count = 1;
  std::string origin;  // who said so: "--shard", "Slurm"

  friend bool operator==(const Shard&, const Shard&) = default;
};

// The value of an environment variable; nullopt where it isn't set.
using EnvironmentReader =
    std::function<std::optional<std::string>(const char* name)>;

// The shard that --shard names: "I/N", I from 1; "auto/N", I from the
// environment; or all of it, "auto" or an empty text, from the environment,
// which is read in this order: tests of Bazel, GitLab, Buildkite, arrays of
// Slurm, indexed jobs of Kubernetes. These say their index but not how many
// they are, so "auto/N" or the variable JOB_COMPLETIONS has to. nullopt: nobody
// says anything. INVALID_ARGUMENT names the flag or variable that makes no
// sense.
absl::StatusOr<std::optional<Shard>> ChooseShard(
    std::string_view flag, const EnvironmentReader& environment);

// The part of `paths` that is the shard's: sorted, each once, dealt out one by
// one, so that neighbours in a folder spread over the shards.
std::vector<std::string> PathsOfShard(std::vector<std::string> paths,
                                      const Shard& shard);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_SHARD_H_
