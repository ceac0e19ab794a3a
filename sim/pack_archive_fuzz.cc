// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what reads the archives of packs, as they come with replays, uploads
// and files, for crashes and for work without bound: each input as it is, and
// once more with right checksums in its headers, which no mutation would hit.
// An archive that is taken has to be the only one of its files, with paths that
// stay inside.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"
#include "sim/pack_archive.h"

namespace reprise::sim {
namespace {

// Of the format "ustar".
constexpr size_t kBlockBytes = 512;
constexpr size_t kSizeOffset = 124;
constexpr size_t kSizeDigits = 11;
constexpr size_t kChecksumOffset = 148;
constexpr size_t kChecksumBytes = 8;

void Decode(std::string_view archive) {
  const absl::StatusOr<PackArchive> pack =
      PackArchive::Decode(std::as_bytes(std::span(archive)));
  if (!pack.ok()) return;
  CHECK(pack->Encode() == archive);
  CHECK(pack->ComputeDigest() ==
        ContentDigestOf(std::as_bytes(std::span(archive))));
  PackArchive again;
  for (const auto& [path, contents] : pack->files()) {
    const absl::Status status = CheckPackPath(path);
    CHECK(status.ok(), "{}", status.ToString());
    CHECK(pack->Find(path) == contents);
    CHECK(again.Add(path, contents).ok());
  }
  CHECK(again.files() == pack->files());
}

// The number of a header's octal digits, up to the first other character.
uint64_t SizeOf(std::string_view header) {
  uint64_t size = 0;
  for (const char digit : header.substr(kSizeOffset, kSizeDigits)) {
    if (digit < '0' || digit > '7') break;
    size = size * 8 + static_cast<uint64_t>(digit - '0');
  }
  return size;
}

// The archive with the checksum of each header as its other bytes want it.
std::string WithChecksums(std::string archive) {
  for (size_t offset = 0;
       archive.size() - offset >= kBlockBytes && archive[offset] != '\0';) {
    archive.replace(offset + kChecksumOffset, kChecksumBytes, kChecksumBytes,
                    ' ');
    const std::string_view header =
        std::string_view(archive).substr(offset, kBlockBytes);
    const uint32_t sum =
        std::accumulate(header.begin(), header.end(), uint32_t{0},
                        [](uint32_t before, char byte) {
                          return before + static_cast<unsigned char>(byte);
                        });
    const uint64_t size = std::min<uint64_t>(SizeOf(header), archive.size());
    const std::string digits = fmt::format("{:06o}", sum) + '\0';
    archive.replace(offset + kChecksumOffset, digits.size(), digits);
    offset += kBlockBytes;
    const uint64_t padded =
        (size + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    offset += std::min<uint64_t>(padded, archive.size() - offset);
  }
  return archive;
}

}  // namespace
}  // namespace reprise::sim

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string archive(reinterpret_cast<const char*>(data), size);
  reprise::sim::Decode(archive);
  reprise::sim::Decode(reprise::sim::WithChecksums(archive));
  return 0;
}
