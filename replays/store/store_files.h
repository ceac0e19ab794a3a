// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The files of a store: one for each replay, named by the digest of its bytes.
// A file under its name is whole; what is being written has another name.
//
//   FOLDER/lock                   held while a file gets or loses its name
//   FOLDER/files/DIGEST.mcap      a replay
//   FOLDER/incoming/*.partial     what is being added, locked by whoever adds
//   FOLDER/damaged/*              what a repair put aside

#ifndef REPRISE_REPLAYS_STORE_STORE_FILES_H_
#define REPRISE_REPLAYS_STORE_STORE_FILES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "replays/container/byte_file.h"
#include "replays/store/file_lock.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {

// Errors name the path: UNAVAILABLE, what can't be read or written, as the
// system says why; other codes are named. Used by one thread at a time.
class StoreFiles {
 public:
  // A file that is being written; the destructor removes it.
  class Incoming {
   public:
    Incoming(std::string path, std::unique_ptr<FileSink> sink);
    Incoming(const Incoming&) = delete;
    Incoming& operator=(const Incoming&) = delete;
    ~Incoming();

    const std::string& path() const { return path_; }
    // Of what has been appended; once it has a name, what it is kept under.
    sim::ContentDigest digest() const {
      return kept_under_.has_value() ? *kept_under_ : hasher_.digest();
    }
    // What a former version of the store knows these bytes by.
    sim::ContentDigest old_digest() const { return old_hasher_.digest(); }
    uint64_t size_bytes() const { return size_bytes_; }

    // Errors are UNAVAILABLE; the file is of no more use. REQUIRES: it has no
    // name yet, and nothing failed.
    absl::Status Append(std::span<const std::byte> bytes);

    // Gives it the name `path`, on the same disk, once that has all of it.
    // REQUIRES: as above.
    absl::Status MoveTo(const std::string& path);

   private:
    friend class StoreFiles;
    std::string path_;                      // empty once it has its name
    const std::unique_ptr<FileSink> sink_;  // keeps it locked
    sim::ContentHasher hasher_;
    sim::ContentHasher old_hasher_{sim::ContentHash::kXxh3};
    std::optional<sim::ContentDigest> kept_under_;
    uint64_t size_bytes_ = 0;
  };

  // Makes the folders that are missing.
  static absl::StatusOr<StoreFiles> Open(const std::string& folder,
                                         absl::Duration lock_wait_max);

  // Held around whatever changes which names there are. Another process that
  // holds it is waited for, as long as Open was told.
  absl::StatusOr<std::unique_ptr<FileLock>> Lock() const;

  // An empty file under no name yet, to be written.
  absl::StatusOr<std::unique_ptr<Incoming>> Begin() const;

  // Copies the file at `path` to the disk, under no name yet. Other errors are
  // those of reading it.
  absl::StatusOr<std::unique_ptr<Incoming>> Receive(
      const std::string& path) const;

  // What the bytes of the file at `path` are kept under, whose digest is
  // `digest`: that one, unless a former version of the store has them by
  // `old_digest`, their XXH3-128. Errors are those of Name(). REQUIRES: Lock()
  // is held.
  absl::StatusOr<sim::ContentDigest> Identify(
      const std::string& path, const sim::ContentDigest& digest,
      const sim::ContentDigest& old_digest) const;

  // Gives the file its name, and `recorded_at` as the time at which it was
  // changed. Where a file has the name already, that one is kept if it has the
  // same bytes, and false returned, or put aside if its bytes aren't those of
  // its name. ALREADY_EXISTS: other bytes with the same digest. REQUIRES:
  // Lock() is held, and the file has no name yet.
  absl::StatusOr<bool> Name(Incoming& incoming, absl::Time recorded_at) const;

  // The same for a file of the store's folder that keeps the name it has, as a
  // server's recordings do: both are names of one file. REQUIRES: as above.
  absl::StatusOr<bool> Link(const std::string& path,
                            const sim::ContentDigest& digest) const;

  // Removes a file with all its names; it is no error that there is none.
  // REQUIRES: Lock() is held.
  absl::Status Remove(const sim::ContentDigest& digest) const;

  // Puts a file where no replay is looked for, by none of the names that it had
  // either, and returns its new path. REQUIRES: Lock() is held.
  absl::StatusOr<std::string> PutAside(const std::string& path) const;

  std::string PathOf(const sim::ContentDigest& digest) const;

  // The digest that the file's bytes have now. NOT_FOUND: there is no file.
  absl::StatusOr<sim::ContentDigest> Hash(
      const sim::ContentDigest& digest) const;

  // When the file was recorded, as Name() was told.
  absl::StatusOr<absl::Time> RecordedAt(const std::string& path) const;

  // The paths of what has a name, and of what is coming in, ascending.
  absl::StatusOr<std::vector<std::string>> ListNamed() const;
  absl::StatusOr<std::vector<std::string>> ListIncoming() const;

  // Where those with a name are, of the store in `folder`.
  static std::string NamedFolder(const std::string& folder);

  // What the name of a file says. INVALID_ARGUMENT: it isn't a replay's.
  static absl::StatusOr<sim::ContentDigest> DigestIn(const std::string& path);

  // Whether nobody writes this incoming file any more, though it is there.
  absl::StatusOr<bool> IsAbandoned(const std::string& path) const;

  // Removes it if that is so, and returns whether it was. REQUIRES: Lock() is
  // held.
  absl::StatusOr<bool> RemoveAbandoned(const std::string& path) const;

  const std::string& folder() const { return folder_; }

 private:
  StoreFiles(std::string folder, absl::Duration lock_wait_max)
      : folder_(std::move(folder)), lock_wait_max_(lock_wait_max) {}

  // Whether the file of the digest has the same bytes as the one at `path`.
  // False: there is none, or none any more. Errors are those of Name().
  absl::StatusOr<bool> HasSame(const sim::ContentDigest& digest,
                               const std::string& path) const;

  const std::string folder_;
  const absl::Duration lock_wait_max_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_STORE_FILES_H_
