// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/store/journal_mode.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "absl/status/statusor.h"
#include "fmt/format.h"

namespace reprise::replays {
namespace {

// As linux/magic.h and statfs(2) have them; not all are in every header.
constexpr auto kNetworkFileSystems = std::to_array<uint32_t>({
    0x6969,      // NFS
    0x517B,      // SMB, of old
    0xFF534D42,  // CIFS
    0xFE534D42,  // SMB 2 and later
    0x5346414F,  // AFS
    0x73757245,  // Coda
    0x00C36400,  // Ceph
    0x0BD00BD0,  // Lustre
    0x47504653,  // GPFS
});

constexpr std::string_view kLogOfWrites = "wal";
constexpr std::string_view kJournal = "delete";

}  // namespace

bool IsNetworkFileSystem(int64_t type) {
  // Of the type's bits 32 count; it has a sign on some machines.
  return std::ranges::count(kNetworkFileSystems, static_cast<uint32_t>(type)) >
         0;
}

std::string_view ChooseJournalMode(const std::string& path) {
  struct statfs found = {};
  const std::filesystem::path folder =
      std::filesystem::path(path).parent_path();
  if (statfs(path.c_str(), &found) != 0 &&
      statfs(folder.empty() ? "." : folder.c_str(), &found) != 0) {
    return kLogOfWrites;
  }
  return IsNetworkFileSystem(static_cast<int64_t>(found.f_type)) ? kJournal
                                                                 : kLogOfWrites;
}

absl::Status CheckJournalMode(std::string_view answer,
                              const std::string& path) {
  for (const std::string_view mode :
       {kLogOfWrites, kJournal, std::string_view("truncate"),
        std::string_view("persist")}) {
    if (answer == mode) return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      fmt::format("{}: SQLite keeps its journal in mode '{}', by which a crash "
                  "would damage the catalogue",
                  path, answer));
}

absl::Status SetJournalMode(const SqliteConnection& connection) {
  if (!connection.HasFile()) return absl::OkStatus();
  absl::StatusOr<SqliteStatement> pragma = connection.Prepare(fmt::format(
      "PRAGMA journal_mode = {}", ChooseJournalMode(connection.path())));
  if (!pragma.ok()) return pragma.status();
  const absl::StatusOr<bool> has_answer = pragma->Step();
  if (!has_answer.ok()) return has_answer.status();
  return CheckJournalMode(*has_answer ? pragma->Text(0) : std::string(),
                          connection.path());
}

}  // namespace reprise::replays
