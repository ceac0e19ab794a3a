// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/pack_archive.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "fmt/format.h"
#include "sim/base/content_digest.h"

namespace reprise::sim {
namespace {

// POSIX.1-1988 "ustar": headers and contents in blocks of 512 bytes, two blocks
// of zeros at the end.
constexpr size_t kBlockSize = 512;
constexpr size_t kPathBytesMax = 100;

// Where the fields of a header lie.
constexpr size_t kModeOffset = 100;
constexpr size_t kUserOffset = 108;
constexpr size_t kGroupOffset = 116;
constexpr size_t kSizeOffset = 124;
constexpr size_t kTimeOffset = 136;
constexpr size_t kChecksumOffset = 148;
constexpr size_t kTypeOffset = 156;
constexpr size_t kMagicOffset = 257;

constexpr std::string_view kMagic(
    "ustar\0"
    "00",
    8);

size_t PaddedSize(size_t size) {
  return (size + kBlockSize - 1) / kBlockSize * kBlockSize;
}

// The header of one file. Everything but path and size is constant, so that the
// archive depends on the files alone.
std::string EncodeHeader(std::string_view path, size_t size) {
  std::string header(kBlockSize, '\0');
  const auto put = [&header](size_t offset, std::string_view text) {
    header.replace(offset, text.size(), text);
  };
  put(0, path);
  put(kModeOffset, "0000644");
  put(kUserOffset, "0000000");
  put(kGroupOffset, "0000000");
  put(kSizeOffset, fmt::format("{:011o}", size));
  put(kTimeOffset, "00000000000");
  put(kTypeOffset, "0");
  put(kMagicOffset, kMagic);

  // The checksum is the sum of the bytes with its own field as spaces.
  put(kChecksumOffset, "        ");
  uint32_t sum = 0;
  for (const char byte : header) sum += static_cast<unsigned char>(byte);
  put(kChecksumOffset, fmt::format("{:06o}", sum));
  header[kChecksumOffset + 6] = '\0';
  return header;
}

absl::Status Damaged(size_t offset, std::string_view what) {
  return absl::DataLossError(
      fmt::format("pack archive: {} at byte {}", what, offset));
}

// The size that a header states: eleven octal digits. False for anything else.
bool ParseSize(std::string_view header, uint64_t* size) {
  *size = 0;
  for (const char digit : header.substr(kSizeOffset, 11)) {
    if (digit < '0' || digit > '7') return false;
    *size = *size * 8 + static_cast<uint64_t>(digit - '0');
  }
  return true;
}

}  // namespace

absl::Status CheckPackPath(std::string_view path) {
  if (path.empty() || path.size() > kPathBytesMax) {
    return absl::InvalidArgumentError(fmt::format(
        "a path in a pack has 1 to {} bytes: '{}'", kPathBytesMax, path));
  }
  const absl::string_view whole(path.data(), path.size());
  for (const absl::string_view part : absl::StrSplit(whole, '/')) {
    if (part.empty() || part == "." || part == ".." ||
        part.find('\0') != part.npos) {
      return absl::InvalidArgumentError(
          fmt::format("not a path within a pack: '{}'", path));
    }
  }
  return absl::OkStatus();
}

absl::Status PackArchive::Add(std::string path, std::string contents) {
  if (absl::Status status = CheckPackPath(path); !status.ok()) return status;
  if (files_.contains(path)) {
    return absl::InvalidArgumentError(
        fmt::format("the pack has two files '{}'", path));
  }
  if (files_.size() >= kPackFilesMax ||
      contents.size() > kPackBytesMax - byte_count_) {
    return absl::ResourceExhaustedError(fmt::format(
        "a pack has at most {} files and {} bytes; '{}' is too much",
        kPackFilesMax, kPackBytesMax, path));
  }
  byte_count_ += contents.size();
  files_.emplace(std::move(path), std::move(contents));
  return absl::OkStatus();
}

std::optional<std::string_view> PackArchive::Find(std::string_view path) const {
  const auto found = files_.find(path);
  if (found == files_.end()) return std::nullopt;
  return found->second;
}

std::string PackArchive::Encode() const {
  std::string archive;
  for (const auto& [path, contents] : files_) {
    archive += EncodeHeader(path, contents.size());
    archive += contents;
    archive.resize(PaddedSize(archive.size()), '\0');
  }
  archive.append(2 * kBlockSize, '\0');
  return archive;
}

absl::StatusOr<PackArchive> PackArchive::Decode(
    std::span<const std::byte> bytes) {
  const std::string_view archive(reinterpret_cast<const char*>(bytes.data()),
                                 bytes.size());
  PackArchive pack;
  size_t offset = 0;
  while (archive.size() - offset >= kBlockSize && archive[offset] != '\0') {
    const std::string_view header = archive.substr(offset, kBlockSize);
    uint64_t size = 0;
    const std::string path(header.substr(0, header.find('\0')));
    if (!ParseSize(header, &size) || path.size() > kPathBytesMax ||
        EncodeHeader(path, size) != header) {
      return Damaged(offset, "a header that is not the archive's");
    }
    offset += kBlockSize;
    if (size > archive.size() - offset) {
      return Damaged(archive.size(), "cut off");
    }
    absl::Status status =
        pack.Add(path, std::string(archive.substr(offset, size)));
    if (!status.ok()) return status;
    offset += PaddedSize(size);
    if (offset > archive.size()) return Damaged(archive.size(), "cut off");
  }
  // Only one byte string stands for a pack: order, padding and end as written.
  const std::string whole = pack.Encode();
  const auto [own, written] =
      std::mismatch(archive.begin(), archive.end(), whole.begin(), whole.end());
  if (own != archive.end()) {
    return Damaged(own - archive.begin(), "bytes that are not the archive's");
  }
  if (written != whole.end()) return Damaged(archive.size(), "cut off");
  return pack;
}

ContentDigest PackArchive::ComputeDigest(ContentHash hash) const {
  const std::string archive = Encode();
  return ContentDigestOf(std::as_bytes(std::span(archive)), hash);
}

}  // namespace reprise::sim
