// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/small_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::services {
namespace {

absl::Status SystemError(const std::string& path, int error) {
  const std::string message =
      fmt::format("{}: {}", path,
                  std::error_code(error, std::generic_category()).message());
  return error == ENOENT ? absl::NotFoundError(message)
                         : absl::UnavailableError(message);
}

}  // namespace

absl::StatusOr<std::string> ReadSmallFile(const std::string& path) {
  // A pipe would keep the server until somebody writes to it.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return SystemError(path, errno);
  std::string contents;
  std::array<char, 16 << 10> piece;
  while (contents.size() <= kSmallFileBytesMax) {
    const ssize_t count = read(file, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      close(file);
      return SystemError(path, error);
    }
    if (count == 0) break;
    contents.append(piece.data(), static_cast<size_t>(count));
  }
  close(file);
  if (contents.size() > kSmallFileBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("{}: larger than {} bytes", path, kSmallFileBytesMax));
  }
  return contents;
}

}  // namespace reprise::services
