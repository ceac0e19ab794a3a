// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verify_cache.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/base/math.h"
#include "sim/pack_archive.h"
#include "tools/reprise/pack_location.h"

namespace reprise::tools {
namespace {

// Goes up when results of earlier programs can't be taken over any more.
constexpr int kCacheRevision = 1;

absl::StatusOr<sim::ContentDigest> DigestOfFile(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
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
    return sim::ContentDigestOf({});
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
      std::span(static_cast<const std::byte*>(mapped), size));
  munmap(mapped, size);
  return digest;
}

// Called for each object that is loaded. The program's own name is empty, and
// what the kernel adds has no path.
int AddLibrary(dl_phdr_info* info, size_t, void* paths) {
  if (info->dlpi_name != nullptr && info->dlpi_name[0] == '/') {
    static_cast<std::vector<std::string>*>(paths)->push_back(info->dlpi_name);
  }
  return 0;
}

// Stands for every instruction that a verification can run.
absl::StatusOr<std::string> DescribeBuild() {
  std::vector<std::string> paths = {"/proc/self/exe"};
  dl_iterate_phdr(&AddLibrary, &paths);
  std::string digests;
  for (const std::string& path : paths) {
    const absl::StatusOr<sim::ContentDigest> digest = DigestOfFile(path);
    if (!digest.ok()) return digest.status();
    digests += sim::FormatDigest(*digest);
  }
  return fmt::format("{} math {}",
                     sim::FormatDigest(sim::ContentDigestOf(
                         std::as_bytes(std::span(digests)))),
                     sim::FormatDigest(sim::MathFingerprint()));
}

absl::Status CantWrite(const std::string& path, const std::error_code& error) {
  return absl::UnavailableError(
      fmt::format("{}: can't be written: {}", path, error.message()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<VerifyCache>> VerifyCache::Open(
    const std::string& folder, const VerifyFileOptions& options) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return CantWrite(folder, error);
  const absl::StatusOr<std::string> build = DescribeBuild();
  if (!build.ok()) return build.status();
  const absl::StatusOr<std::optional<sim::PackArchive>> pack =
      OpenPackIfNamed(options.pack);
  if (!pack.ok()) return pack.status();
  // The number of threads changes no result.
  std::string key = fmt::format(
      "revision {}\nbuild {}\npack {}\non_divergence {}\noutcome {}\n",
      kCacheRevision, *build,
      pack->has_value() ? sim::FormatDigest((*pack)->ComputeDigest())
                        : "recorded",
      options.on_divergence, options.outcome);
  return std::unique_ptr<VerifyCache>(new VerifyCache(folder, std::move(key)));
}

std::optional<std::string> VerifyCache::KeyOf(const std::string& path) const {
  const absl::StatusOr<sim::ContentDigest> digest = DigestOfFile(path);
  if (!digest.ok()) return std::nullopt;
  return fmt::format("{}replay {}\n", common_key_, sim::FormatDigest(*digest));
}

std::optional<VerifyResult> VerifyCache::Find(const std::string& key,
                                              const std::string& path) const {
  std::ifstream file(FileOf(key), std::ios::binary);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  // The name of the file is only a digest of the key.
  if (!json.is_object() || !json.contains("key") || json["key"] != key ||
      !json.contains("result")) {
    return std::nullopt;
  }
  absl::StatusOr<VerifyResult> result = ParseVerifyResult(json["result"]);
  if (!result.ok() || !result->passed()) return std::nullopt;
  result->path = path;
  result->is_cached = true;
  return *std::move(result);
}

absl::Status VerifyCache::Keep(const std::string& key,
                               const VerifyResult& result) const {
  CHECK(result.passed());
  const std::string path = FileOf(key);
  const std::string unfinished = fmt::format("{}.{}", path, getpid());
  std::error_code error(EIO, std::generic_category());
  {
    std::ofstream file(unfinished, std::ios::binary);
    file << Json{{"key", key}, {"result", ToJson(result)}}.dump(
                2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace)
         << "\n";
    if (!file.flush()) return CantWrite(unfinished, error);
  }
  std::filesystem::rename(unfinished, path, error);
  return error ? CantWrite(path, error) : absl::OkStatus();
}

std::string VerifyCache::FileOf(const std::string& key) const {
  return fmt::format(
      "{}/{}.json", folder_,
      sim::FormatDigest(sim::ContentDigestOf(std::as_bytes(std::span(key)))));
}

}  // namespace reprise::tools
