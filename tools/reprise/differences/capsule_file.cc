// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/differences/capsule_file.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>

#include "fmt/format.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/container/named_error.h"
#include "replays/container/partial_file.h"
#include "sim/base/content_digest.h"

namespace reprise::tools {
namespace {

constexpr int kIndent = 2;

// So many digits of a digest tell the failures of a folder apart.
constexpr size_t kDigestDigits = 16;

absl::StatusOr<replays::Bytes> EncodeCapsule(const replays::Capsule& capsule,
                                             const Json& report) {
  replays::Bytes bytes;
  replays::MemorySink sink(&bytes);
  const std::string text = report.dump(kIndent, ' ', /*ensure_ascii=*/false,
                                       Json::error_handler_t::replace);
  const absl::Status status = replays::WriteCapsule(capsule, text, &sink);
  if (!status.ok()) return status;
  return bytes;
}

absl::Status CheckSame(const std::string& path, const replays::Bytes& bytes) {
  const auto source = replays::FileSource::Open(path);
  if (!source.ok()) return source.status();
  replays::Bytes there((*source)->size());
  const absl::Status status = (*source)->ReadAt(0, there);
  if (!status.ok() || there == bytes) return status;
  return absl::AlreadyExistsError(
      fmt::format("{} is there already; nothing is overwritten", path));
}

absl::Status WriteNew(const std::string& path, const replays::Bytes& bytes) {
  // Others may keep the same failure at the same time.
  const std::string partial =
      replays::PartialPath(fmt::format("{}.{}", path, getpid()));
  {
    const auto sink = replays::FileSink::Create(partial);
    if (!sink.ok()) return sink.status();
    const absl::Status status = (*sink)->Append(bytes);
    if (!status.ok()) {
      unlink(partial.c_str());
      return status;
    }
  }
  // In contrast to a new name, a second one takes nobody's place.
  const int error = link(partial.c_str(), path.c_str()) == 0 ? 0 : errno;
  unlink(partial.c_str());
  if (error == EEXIST) return CheckSame(path, bytes);
  return error == 0 ? absl::OkStatus() : absl::ErrnoToStatus(error, path);
}

}  // namespace

absl::Status WriteCapsuleFile(const replays::Capsule& capsule,
                              const Json& report, const std::string& path) {
  const absl::StatusOr<replays::Bytes> bytes = EncodeCapsule(capsule, report);
  if (bytes.ok()) return WriteNew(path, *bytes);
  return replays::NamedError(path, bytes.status());
}

absl::StatusOr<std::string> KeepCapsule(const replays::Capsule& capsule,
                                        const Json& report,
                                        const std::string& folder,
                                        std::string_view stem) {
  const absl::StatusOr<replays::Bytes> bytes = EncodeCapsule(capsule, report);
  if (!bytes.ok()) return bytes.status();
  const std::string digest = sim::FormatDigest(sim::ContentDigestOf(*bytes));
  const std::string name =
      fmt::format("{}-{}-{}.capsule.mcap", stem, capsule.keyframe.tick,
                  digest.substr(0, kDigestDigits));
  const std::string path = (std::filesystem::path(folder) / name).string();
  std::error_code ignored;  // the file's own error says more
  std::filesystem::create_directories(folder, ignored);
  const absl::Status status = WriteNew(path, *bytes);
  if (!status.ok()) return status;
  return path;
}

}  // namespace reprise::tools
