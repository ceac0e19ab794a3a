// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Remembers which verifications passed. A verification is a function of the
// program, the replay, the pack and the options, so that the same four need no
// second run. What failed is not kept: a failure is looked at again.

#ifndef REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_CACHE_H_
#define REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_CACHE_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/reprise/verifying/verify_file.h"
#include "tools/reprise/verifying/verify_result.h"

namespace reprise::tools {

// A folder with a file a result, for any number of processes at once: files
// appear whole, and nothing is ever changed in place. Whoever may write to the
// folder is trusted.
class VerifyCache {
 public:
  // Opens the folder, which is made if it isn't there. The build is known by
  // the bytes of this program and of the libraries it runs with. Errors are
  // those of files, and of the pack of `options`.
  static absl::StatusOr<std::unique_ptr<VerifyCache>> Open(
      const std::string& folder, const VerifyFileOptions& options);

  // The key of a replay as it is now: the digests of build, pack and replay,
  // and the options, as text. nullopt: it can't be read.
  std::optional<std::string> KeyOf(const std::string& path) const;

  // The result under a key, with `path` for its path; nullopt: there is none
  // that can be read, which is no error.
  std::optional<VerifyResult> Find(const std::string& key,
                                   const std::string& path) const;

  // Keeps a result. UNAVAILABLE: it can't be written. REQUIRES: it passed.
  absl::Status Keep(const std::string& key, const VerifyResult& result) const;

 private:
  VerifyCache(std::string folder, std::string common_key)
      : folder_(std::move(folder)), common_key_(std::move(common_key)) {}

  std::string FileOf(const std::string& key) const;

  const std::string folder_;
  const std::string common_key_;  // all of a key but the replay
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_VERIFYING_VERIFY_CACHE_H_
