// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Finds the store that people mean, and the replays that they name in it.

#ifndef REPRISE_TOOLS_REPRISE_INPUTS_STORE_LOCATION_H_
#define REPRISE_TOOLS_REPRISE_INPUTS_STORE_LOCATION_H_

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/store/replay_store.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/flags.h"

namespace reprise::tools {

// The environment variable that names the store where no flag does.
inline constexpr char kStoreVariable[] = "REPRISE_STORE";

// The flag --store of every verb that uses one; `target` holds its value.
Flag StoreFlag(std::string* target);

// Hears why a recording of a server can't be taken in.
using RecordingReport = absl::FunctionRef<void(const absl::Status&)>;

// Opens the store in `folder` or, where that is empty, the one that
// $REPRISE_STORE names, and takes in what a server has recorded there.
// INVALID_ARGUMENT: neither names one. NOT_FOUND: there is no store. Others:
// ReplayStore::Open and TakeInNew.
absl::StatusOr<std::unique_ptr<replays::ReplayStore>> OpenStore(
    const std::string& folder, RecordingReport report);

// As above, but makes the store where there is none.
absl::StatusOr<std::unique_ptr<replays::ReplayStore>> OpenOrMakeStore(
    const std::string& folder, RecordingReport report);

// Warns of recordings that can't be taken in. `console` must outlive it.
inline auto WarnOfRecordings(Console& console) {
  return [&console](const absl::Status& status) {
    console.Warning(fmt::format("not taken into the store: {}",
                                std::string(status.message())));
  };
}

// The digest in "3fa9" or "store:3fa9".
std::string WithoutStorePrefix(const std::string& name);

// The command line with the path of the file in place of each "store:DIGEST",
// where a beginning of the digest is enough, and of each "--flag=store:DIGEST".
// The store is $REPRISE_STORE, and isn't opened where nothing asks for it.
absl::StatusOr<std::vector<std::string>> ResolveStoreReferences(
    std::span<const std::string> arguments);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_INPUTS_STORE_LOCATION_H_
