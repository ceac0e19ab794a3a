// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which replay of a store a file is that is known by a server's name: the
// digest that is its other name. What was looked up is remembered, and proved
// again each time.

#ifndef REPRISE_REPLAYS_STORE_STORED_FILE_INDEX_H_
#define REPRISE_REPLAYS_STORE_STORED_FILE_INDEX_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "sim/base/content_digest.h"
#include "sim/base/digest.h"

namespace reprise::replays {

// Used by one thread at a time.
class StoredFileIndex {
 public:
  // Of the store in `folder`.
  explicit StoredFileIndex(std::string folder) : folder_(std::move(folder)) {}

  // Nullopt: the store hasn't taken the file in. NOT_FOUND: there is no file at
  // `path`. FAILED_PRECONDITION: it has other names, and none is a digest.
  // UNAVAILABLE: the store's folder can't be read.
  absl::StatusOr<std::optional<sim::ContentDigest>> DigestOf(
      const std::string& path);

 private:
  // The numbers of a file's device and of its node there.
  using FileId = std::pair<uint64_t, uint64_t>;

  // The digest that was seen last, if it still is a name of this file.
  std::optional<sim::ContentDigest> Recall(const FileId& file) const;
  // Looks at all names, unless there are the same as last time.
  absl::Status Refresh();

  const std::string folder_;
  std::map<FileId, std::string> names_;
  absl::Time changed_at_ = absl::InfinitePast();  // the folder, when it looked
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_STORE_STORED_FILE_INDEX_H_
