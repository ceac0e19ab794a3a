// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_shard.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::tools {
namespace {

// Where a system says which of its parallel jobs this is.
struct ShardVariables {
  const char* system;
  const char* index;
  const char* count;
  // The index of the first job, as a number or as the name of a variable.
  uint64_t first;
  const char* first_name;
  const char* step_name;
};

constexpr std::array<ShardVariables, 5> kSystems = {{
    {"Bazel", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0, nullptr, nullptr},
    {"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1, nullptr, nullptr},
    {"Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0,
     nullptr, nullptr},
    {"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0,
     "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP"},
    {"Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", 0, nullptr,
     nullptr},
}};

std::optional<uint64_t> ParseCount(std::string_view text) {
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

// The number in a variable; `otherwise` where it isn't set.
absl::StatusOr<uint64_t> ReadVariable(const EnvironmentReader& environment,
                                      const char* name,
                                      std::optional<uint64_t> otherwise) {
  const std::optional<std::string> text =
      name == nullptr ? std::nullopt : environment(name);
  if (!text.has_value() && otherwise.has_value()) return *otherwise;
  const std::optional<uint64_t> value = ParseCount(text.value_or(""));
  if (value.has_value()) return *value;
  return absl::InvalidArgumentError(
      fmt::format("${} is '{}', not a number", name, text.value_or("")));
}

absl::StatusOr<Shard> ReadShard(const ShardVariables& system,
                                const EnvironmentReader& environment,
                                std::optional<uint64_t> asked_count) {
  const absl::StatusOr<uint64_t> index =
      ReadVariable(environment, system.index, std::nullopt);
  if (!index.ok()) return index.status();
  const absl::StatusOr<uint64_t> first =
      ReadVariable(environment, system.first_name, system.first);
  if (!first.ok()) return first.status();
  const absl::StatusOr<uint64_t> step =
      ReadVariable(environment, system.step_name, 1);
  if (!step.ok()) return step.status();
  uint64_t count = 0;
  if (asked_count.has_value()) {
    count = *asked_count;
  } else if (environment(system.count).has_value()) {
    const absl::StatusOr<uint64_t> read =
        ReadVariable(environment, system.count, std::nullopt);
    if (!read.ok()) return read.status();
    count = *read;
  } else {
    return absl::InvalidArgumentError(
        fmt::format("${} says which shard this is, but ${} doesn't say of how "
                    "many: --shard auto/N does, --shard 1/1 takes all",
                    system.index, system.count));
  }
  if (*index < *first || *step == 0 || (*index - *first) % *step != 0 ||
      (*index - *first) / *step >= count) {
    return absl::InvalidArgumentError(fmt::format(
        "${} is {}, which is none of {} shards", system.index, *index, count));
  }
  return Shard{.number = (*index - *first) / *step + 1,
               .count = count,
               .origin = system.system};
}

}  // namespace

absl::StatusOr<std::optional<Shard>> ChooseShard(
    std::string_view flag, const EnvironmentReader& environment) {
  const size_t slash = std::min(flag.find('/'), flag.size());
  const std::string_view number = flag.substr(0, slash);
  std::optional<uint64_t> count;
  if (slash < flag.size()) count = ParseCount(flag.substr(slash + 1));
  const bool is_automatic = number == "auto" || flag.empty();
  const std::optional<uint64_t> explicit_number = ParseCount(number);
  const bool is_right =
      slash < flag.size()
          ? count.value_or(0) > 0 &&
                (is_automatic || (explicit_number.value_or(0) > 0 &&
                                  *explicit_number <= *count))
          : is_automatic;
  if (!is_right) {
    return absl::InvalidArgumentError(fmt::format(
        "--shard is I/N with I from 1 to N, auto/N or auto, not '{}'", flag));
  }
  if (!is_automatic) {
    return Shard{
        .number = *explicit_number, .count = *count, .origin = "--shard"};
  }
  for (const ShardVariables& system : kSystems) {
    if (!environment(system.index).has_value()) continue;
    absl::StatusOr<Shard> shard = ReadShard(system, environment, count);
    if (!shard.ok()) return shard.status();
    return *std::move(shard);
  }
  if (!flag.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "--shard {}: no variable of the environment says which shard this is",
        flag));
  }
  return std::nullopt;
}

std::vector<std::string> PathsOfShard(std::vector<std::string> paths,
                                      const Shard& shard) {
  std::ranges::sort(paths);
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::vector<std::string> chosen;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (i % shard.count + 1 == shard.number) {
      chosen.push_back(std::move(paths[i]));
    }
  }
  return chosen;
}

}  // namespace reprise::tools
