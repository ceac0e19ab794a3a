// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Names of what a server holds: a collection and an id, "sessions/<id>". An id
// that passed this parser is safe as the name of a file.

#ifndef REPRISE_SERVICES_BASE_RESOURCE_NAME_H_
#define REPRISE_SERVICES_BASE_RESOURCE_NAME_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace reprise::services {

inline constexpr std::string_view kSessions = "sessions";
inline constexpr std::string_view kReplays = "replays";
inline constexpr std::string_view kSnapshots = "snapshots";
inline constexpr std::string_view kPacks = "packs";

// NewId's have 55.
inline constexpr size_t kIdBytesMax = 64;

// Whether `id` has 1 to kIdBytesMax characters, all of a-z, 0-9 and '-'.
bool IsValidId(std::string_view id);

// An id that no other call returns, in this process or another, and nobody can
// guess: 128 bits of it are from the system's random source. Ids of later
// microseconds sort behind those of earlier ones.
std::string NewId(absl::Time now);

// Whether `id` has the form of those that NewId returns.
bool IsNewId(std::string_view id);

// "<collection>/<id>".
std::string MakeName(std::string_view collection, std::string_view id);

// The id of a name in `collection`. INVALID_ARGUMENT for anything else.
absl::StatusOr<std::string> ParseName(std::string_view collection,
                                      std::string_view name);

// One of a session's snapshots.
struct SnapshotName {
  std::string session_id;
  uint64_t number = 0;

  friend bool operator==(const SnapshotName&, const SnapshotName&) = default;
};

// "sessions/<id>/snapshots/<number>".
std::string MakeName(const SnapshotName& snapshot);

// What MakeName made it of. INVALID_ARGUMENT for anything else.
absl::StatusOr<SnapshotName> ParseSnapshotName(std::string_view name);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_RESOURCE_NAME_H_
