// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/capsule_file.h"

#include <memory>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "replays/byte_file.h"

namespace reprise::tools {
namespace {

constexpr int kIndent = 2;

}  // namespace

absl::Status WriteCapsuleFile(const replays::Capsule& capsule,
                              const Json& report, const std::string& path) {
  const absl::StatusOr<std::unique_ptr<replays::FileSink>> sink =
      replays::FileSink::Create(path);
  if (!sink.ok()) return sink.status();
  const std::string text = report.dump(kIndent, ' ', /*ensure_ascii=*/false,
                                       Json::error_handler_t::replace);
  const absl::Status status = replays::WriteCapsule(capsule, text, sink->get());
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      fmt::format("{}: {}", path, std::string(status.message())));
}

}  // namespace reprise::tools
