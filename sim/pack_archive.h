// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A pack in memory: the files of its folder by path. Its encoding is one
// deterministic archive (ustar, so any tar program opens it), and the digest of
// that archive is the pack's identity.

#ifndef REPRISE_SIM_PACK_ARCHIVE_H_
#define REPRISE_SIM_PACK_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/content_digest.h"

namespace reprise::sim {

// Packs hold data and scripts; a larger one is refused when it is read.
inline constexpr uint64_t kPackBytesMax = 256u << 20;
inline constexpr uint32_t kPackFilesMax = 10000;

// The file that every pack has: its name, rate, types, objects and actions.
inline constexpr std::string_view kPackManifestPath = "pack.txtpb";

// INVALID_ARGUMENT when a path is empty, absolute, longer than 100 bytes (the
// archive's limit), or has a ".", a ".." or an empty part.
absl::Status CheckPackPath(std::string_view path);

class PackArchive {
 public:
  // Adds a file. INVALID_ARGUMENT as above, and when the path is there already;
  // RESOURCE_EXHAUSTED past a limit.
  absl::Status Add(std::string path, std::string contents);

  // The contents of a file; nullopt where there is none. Valid while the
  // archive lives.
  std::optional<std::string_view> Find(std::string_view path) const;

  const std::map<std::string, std::string, std::less<>>& files() const {
    return files_;
  }

  // The archive: files in order of their paths, every other header field
  // constant.
  std::string Encode() const;

  // Reads what Encode wrote. DATA_LOSS with the offset otherwise.
  static absl::StatusOr<PackArchive> Decode(std::span<const std::byte> bytes);

  // ContentDigestOf(Encode(), hash).
  ContentDigest ComputeDigest(ContentHash hash = ContentHash::kSha256) const;

 private:
  std::map<std::string, std::string, std::less<>> files_;
  uint64_t byte_count_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PACK_ARCHIVE_H_
