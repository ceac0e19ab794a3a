// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/store_location.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "fmt/format.h"
#include "replays/store/recording_names.h"
#include "sim/base/digest.h"
#include "tools/reprise/terminal/used_variables.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kReference = "store:";

absl::StatusOr<std::string> StoreFolder(const std::string& folder) {
  if (!folder.empty()) return folder;
  std::string named = UseVariable(kStoreVariable);
  if (!named.empty()) return named;
  return absl::InvalidArgumentError(fmt::format(
      "which store? --store or ${} names its folder", kStoreVariable));
}

// What can't be looked at isn't there.
bool HasFolder(std::string_view store, std::string_view name) {
  std::error_code ignored;
  return std::filesystem::is_directory(fmt::format("{}/{}", store, name),
                                       ignored);
}

// Where the reference in `argument` begins; npos where there is none.
size_t FindReference(std::string_view argument) {
  if (argument.starts_with(kReference)) return 0;
  const size_t equals = argument.find('=');
  if (argument.starts_with("--") && equals != std::string_view::npos &&
      argument.substr(equals + 1).starts_with(kReference)) {
    return equals + 1;
  }
  return std::string_view::npos;
}

}  // namespace

Flag StoreFlag(std::string* target) {
  return {"store", "DIR", "The folder of the store. $REPRISE_STORE if unset.",
          target};
}

absl::StatusOr<std::unique_ptr<replays::ReplayStore>> OpenStore(
    const std::string& folder, RecordingReport report) {
  const absl::StatusOr<std::string> found = StoreFolder(folder);
  if (!found.ok()) return found.status();
  if (!HasFolder(*found, "files") &&
      !HasFolder(*found, replays::kRecordingsFolder)) {
    return absl::NotFoundError(
        fmt::format("{}: is no store; `reprise store add` makes one", *found));
  }
  return OpenOrMakeStore(*found, report);
}

absl::StatusOr<std::unique_ptr<replays::ReplayStore>> OpenOrMakeStore(
    const std::string& folder, RecordingReport report) {
  const absl::StatusOr<std::string> found = StoreFolder(folder);
  if (!found.ok()) return found.status();
  auto store = replays::ReplayStore::Open(*found);
  if (!store.ok()) return store.status();
  const absl::Status status = (*store)->TakeInNew(absl::Now(), report);
  if (!status.ok()) return status;
  return store;
}

std::string WithoutStorePrefix(const std::string& name) {
  return name.starts_with(kReference) ? name.substr(kReference.size()) : name;
}

absl::StatusOr<std::vector<std::string>> ResolveStoreReferences(
    std::span<const std::string> arguments) {
  std::vector<std::string> resolved(arguments.begin(), arguments.end());
  std::unique_ptr<replays::ReplayStore> store;
  for (std::string& argument : resolved) {
    const size_t begin = FindReference(argument);
    if (begin == std::string_view::npos) continue;
    if (store == nullptr) {
      absl::StatusOr<std::unique_ptr<replays::ReplayStore>> opened =
          OpenStore("", [](const absl::Status&) {});
      if (!opened.ok()) return opened.status();
      store = *std::move(opened);
    }
    const absl::StatusOr<replays::StoredReplay> replay =
        store->Resolve(WithoutStorePrefix(argument.substr(begin)));
    if (!replay.ok()) return replay.status();
    argument.replace(begin, std::string::npos,
                     store->files().PathOf(replay->digest));
  }
  return resolved;
}

}  // namespace reprise::tools
