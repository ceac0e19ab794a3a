// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/fuzzing/shared_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::tools {

absl::StatusOr<SharedFile> SharedFile::Create() {
  SharedFile file;
  file.descriptor_ = memfd_create("reprise", MFD_CLOEXEC);
  if (file.descriptor_ < 0) {
    return absl::UnavailableError(fmt::format(
        "memfd_create: {}", std::generic_category().message(errno)));
  }
  return file;
}

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void SharedFile::Append(std::string_view bytes) const {
  lseek(descriptor_, 0, SEEK_END);
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

void SharedFile::Replace(std::string_view bytes) const {
  if (ftruncate(descriptor_, 0) == 0) Append(bytes);
}

std::string SharedFile::Read() const {
  std::string bytes;
  std::array<char, size_t{1} << 16> piece;
  while (true) {
    const ssize_t count = pread(descriptor_, piece.data(), piece.size(),
                                static_cast<off_t>(bytes.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(piece.data(), static_cast<size_t>(count));
  }
}

}  // namespace reprise::tools
