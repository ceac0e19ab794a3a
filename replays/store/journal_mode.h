// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a catalogue on the disk protects what is written: by a log of writes
// beside it, next to which others read, or, where the file system gives
// programs no memory in common, by a journal that they take turns for.

#ifndef REPRISE_REPLAYS_STORE_JOURNAL_MODE_H_
#define REPRISE_REPLAYS_STORE_JOURNAL_MODE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "replays/store/sqlite_connection.h"

namespace reprise::replays {

// Whether a file system of this type (statfs's f_type) lies on other machines,
// so that memory that is mapped from its files isn't common to all who use
// them.
bool IsNetworkFileSystem(int64_t type);

// What to ask SQLite for, "wal" or "delete": by where `path`, a file or the
// folder of one to come, lies. What can't be found out is taken to be local.
std::string_view ChooseJournalMode(const std::string& path);

// Whether a catalogue may be used in the mode that SQLite answers: a log of
// writes, or any journal that is a file. FAILED_PRECONDITION names the file:
// in another one a crash would damage it.
absl::Status CheckJournalMode(std::string_view answer, const std::string& path);

// Puts the connection into the mode that fits where it lies, or the nearest one
// that SQLite can give it there. Errors are SQLite's, and as above.
absl::Status SetJournalMode(const SqliteConnection& connection);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_JOURNAL_MODE_H_
