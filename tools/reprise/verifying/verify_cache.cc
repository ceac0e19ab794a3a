// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_cache.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <vector>

#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/content_digest.h"
#include "sim/base/math.h"
#include "sim/pack_archive.h"
#include "tools/reprise/inputs/file_search.h"
#include "tools/reprise/inputs/pack_location.h"
#include "tools/reprise/terminal/program_digest.h"

namespace reprise::tools {
namespace {

// Goes up when results of earlier programs can't be taken over any more.
constexpr int kCacheRevision = 3;

// Stands for every instruction that a verification can run.
absl::StatusOr<std::string> DescribeBuild() {
  const absl::StatusOr<sim::ContentDigest> program = DigestOfProgram();
  if (!program.ok()) return program.status();
  return fmt::format("{} math {}", sim::FormatDigest(*program),
                     sim::FormatDigest(sim::MathFingerprint()));
}

// A line for each pack in the folders: any of them may be the one of a replay.
absl::StatusOr<std::string> DescribePacks(
    const std::vector<std::string>& folders) {
  std::string text;
  if (folders.empty()) return text;
  const absl::StatusOr<std::vector<std::string>> paths = FindPacks(folders);
  if (!paths.ok()) return paths.status();
  for (const std::string& path : *paths) {
    const absl::StatusOr<sim::PackArchive> pack = OpenPack(path);
    // One that can't be read fails what is to be run on it, and that isn't
    // kept.
    if (!pack.ok()) continue;
    text += fmt::format("packs {}\n", sim::FormatDigest(pack->ComputeDigest()));
  }
  return text;
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
  const absl::StatusOr<std::string> packs = DescribePacks(options.packs);
  if (!packs.ok()) return packs.status();
  // The number of threads changes no result.
  std::string key = fmt::format(
      "revision {}\nbuild {}\npack {}\n{}on_divergence {}\noutcome {}\n"
      "allow_partial {}\n",
      kCacheRevision, *build,
      pack->has_value() ? sim::FormatDigest((*pack)->ComputeDigest())
                        : "recorded",
      *packs, options.on_divergence, options.outcome, options.allow_partial);
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
