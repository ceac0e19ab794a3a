// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Replays that are kept: a folder of files, each under the digest of its bytes,
// and a catalogue in which they are found. The same bytes are kept once.
//
// A replay that was added is whole on the disk, under its name, before its row
// is in the catalogue, and loses its row before its file. So a process that
// dies in between leaves a file too many, never a row without a file, and
// CheckStore finds it. What a server records in the same folder is a file
// already, and gets its row first; see TakeIn. Any number of processes may use
// a store at once.

#ifndef REPRISE_REPLAYS_STORE_REPLAY_STORE_H_
#define REPRISE_REPLAYS_STORE_REPLAY_STORE_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/container/byte_stream.h"
#include "replays/store/catalogue.h"
#include "replays/store/store_files.h"
#include "replays/store/stored_file_index.h"
#include "replays/store/stored_replay.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {

// Besides the errors named, all calls have those of Catalogue and StoreFiles.
// Knows no clock: whoever calls says what time it is. Used by one thread at a
// time.
class ReplayStore {
 public:
  // Opens or makes the catalogue of a store, while no other process does.
  using CatalogueOpener =
      std::function<absl::StatusOr<std::unique_ptr<Catalogue>>(
          const std::string& folder)>;

  struct AddOptions {
    absl::Time recorded_at;
    absl::Time now;
    std::vector<std::string> tags;
  };

  struct Added {
    StoredReplay replay;
    bool is_new = false;  // false: the store had these bytes
  };

  // Others hold a lock for milliseconds; a disk that is busy, for a second.
  static constexpr absl::Duration kWaitMax = absl::Seconds(10);

  // Makes the folder where it is missing. Another process that holds a lock is
  // waited for, `wait_max` at most.
  static absl::StatusOr<std::unique_ptr<ReplayStore>> Open(
      const std::string& folder, const CatalogueOpener& open_catalogue,
      absl::Duration wait_max = kWaitMax);

  // As above, with the catalogue `catalogue.sqlite` in the folder.
  static absl::StatusOr<std::unique_ptr<ReplayStore>> Open(
      const std::string& folder, absl::Duration wait_max = kWaitMax);

  // Copies the replay at `path` into the store, once every checksum in it was
  // found right. A recording that was cut off is taken as it is. Of a replay
  // that is there already only the tags are added. INVALID_ARGUMENT: not a
  // replay, or not a tag. DATA_LOSS: damaged; `reprise recover` may help.
  absl::StatusOr<Added> Add(const std::string& path, const AddOptions& options);

  // Takes in a finished recording that a server has in this folder, at `path`:
  // it keeps its name. One that is there no more is no error. Errors are those
  // of Add(); the recording stays as it is.
  absl::Status TakeIn(const std::string& path, absl::Time now);

  // All that nobody has taken in yet. `report` is told of each that can't be.
  // An error says that none could be looked for.
  absl::Status TakeInNew(absl::Time now,
                         absl::FunctionRef<void(const absl::Status&)> report);

  // The one replay whose digest begins with `prefix`. INVALID_ARGUMENT: it
  // isn't hexadecimal, or several begin with it. NOT_FOUND: none does.
  absl::StatusOr<StoredReplay> Resolve(std::string_view prefix) const;

  // Forgets a replay and deletes its file, under all its names. NOT_FOUND:
  // there is none.
  absl::Status Remove(const sim::ContentDigest& digest);

  // Takes away the name `path` that a server gave to a finished recording. The
  // replay goes with the last of these names, unless it was added, too; its row
  // is called by another one that it has. NOT_FOUND: there is no such file.
  // FAILED_PRECONDITION: the file has a name more, and `files` doesn't know
  // which. REQUIRES: `files` is of this store.
  absl::Status RemoveRecording(const std::string& path, StoredFileIndex& files);

  // Writes the replay's bytes to `path`, whole or not at all. DATA_LOSS: they
  // aren't those of the digest any more. NOT_FOUND: there is no file.
  // ALREADY_EXISTS: there is one at `path`, which is left alone.
  absl::Status CopyTo(const sim::ContentDigest& digest,
                      const std::string& path) const;

  Catalogue& catalogue() { return *catalogue_; }
  const Catalogue& catalogue() const { return *catalogue_; }
  const StoreFiles& files() const { return files_; }

 private:
  ReplayStore(StoreFiles files, std::unique_ptr<Catalogue> catalogue)
      : files_(std::move(files)), catalogue_(std::move(catalogue)) {}

  // Adds the row, or only its tags where there is one.
  // Where a former version has a row of these bytes, by `old_digest`, and has
  // lost its file: the replay takes its tags, and the row goes.
  absl::Status TakeOverRow(const sim::ContentDigest& old_digest,
                           StoredReplay& replay);
  absl::StatusOr<Added> Register(const StoredReplay& replay);

  const StoreFiles files_;
  const std::unique_ptr<Catalogue> catalogue_;
};

// Opens a replay file and looks at every byte of it. Errors are the reader's.
absl::StatusOr<StoredReplay> ReadWholeReplay(
    std::unique_ptr<const ByteSource> source);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_REPLAY_STORE_H_
