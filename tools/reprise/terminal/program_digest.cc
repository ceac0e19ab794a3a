// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/program_digest.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <span>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/content_digest.h"

namespace reprise::tools {
namespace {

// Called for each object that is loaded. The program's own name is empty, and
// what the kernel adds has no path.
int AddLibrary(dl_phdr_info* info, size_t, void* paths) {
  if (info->dlpi_name != nullptr && info->dlpi_name[0] == '/') {
    static_cast<std::vector<std::string>*>(paths)->push_back(info->dlpi_name);
  }
  return 0;
}

}  // namespace

absl::StatusOr<sim::ContentDigest> DigestOfFile(const std::string& path,
                                                sim::ContentHash hash) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info = {};
  if (descriptor < 0 || fstat(descriptor, &info) != 0 ||
      !S_ISREG(info.st_mode)) {
    const int reason = errno;
    if (descriptor >= 0) close(descriptor);
    return absl::UnavailableError(
        fmt::format("{}: can't be read: {}", path,
                    std::generic_category().message(reason)));
  }
  const size_t size = static_cast<size_t>(info.st_size);
  if (size == 0) {
    close(descriptor);
    return sim::ContentDigestOf({}, hash);
  }
  void* const mapped =
      mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int reason = errno;
  close(descriptor);
  if (mapped == MAP_FAILED) {
    return absl::UnavailableError(
        fmt::format("{}: can't be mapped: {}", path,
                    std::generic_category().message(reason)));
  }
  const sim::ContentDigest digest = sim::ContentDigestOf(
      std::span(static_cast<const std::byte*>(mapped), size), hash);
  munmap(mapped, size);
  return digest;
}

absl::StatusOr<sim::ContentDigest> DigestOfProgram(sim::ContentHash hash) {
  std::vector<std::string> paths = {"/proc/self/exe"};
  dl_iterate_phdr(&AddLibrary, &paths);
  std::string digests;
  for (const std::string& path : paths) {
    const absl::StatusOr<sim::ContentDigest> digest = DigestOfFile(path, hash);
    if (!digest.ok()) return digest.status();
    digests += sim::FormatDigest(*digest);
  }
  return sim::ContentDigestOf(std::as_bytes(std::span(digests)), hash);
}

}  // namespace reprise::tools
