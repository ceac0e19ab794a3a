// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/descriptor_limit.h"

#include <sys/resource.h>

#include <string>

#include "fmt/format.h"
#include "services/base/status.h"
#include "sim/base/check.h"

namespace reprise::services {

absl::Status RequireDescriptors(uint64_t needed) {
  rlimit limit = {};
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  if (limit.rlim_cur >= needed) return absl::OkStatus();
  const rlim_t allowed = limit.rlim_max;
  limit.rlim_cur = needed;
  if (allowed >= needed && setrlimit(RLIMIT_NOFILE, &limit) == 0) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(fmt::format(
      "this server may need {} file descriptors, and the system allows it {} "
      "(ulimit -Hn): allow more, or fewer connections and sessions",
      needed, allowed));
}

bool IsOutOfDescriptors(const std::error_code& error) {
  return error == std::errc::too_many_files_open ||
         error == std::errc::too_many_files_open_in_system;
}

absl::Status ReadError(std::string_view what, const std::error_code& error) {
  CHECK(error);
  const std::string message = fmt::format("{}: {}", what, error.message());
  if (!IsOutOfDescriptors(error)) return absl::UnavailableError(message);
  return WithReason(absl::ResourceExhaustedError(message),
                    "DESCRIPTORS_EXHAUSTED");
}

std::string SystemTextOf(const absl::Status& cause) {
  std::string text(cause.message());
  const size_t end = text.rfind(": ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

absl::Status StoreError(const absl::Status& cause) {
  const std::string text = SystemTextOf(cause);
  const std::string message =
      fmt::format("the store can't be read or written now: {}", text);
  for (const std::errc code : {std::errc::too_many_files_open,
                               std::errc::too_many_files_open_in_system}) {
    if (text != std::make_error_code(code).message()) continue;
    return WithReason(absl::ResourceExhaustedError(message),
                      "DESCRIPTORS_EXHAUSTED");
  }
  return WithReason(absl::UnavailableError(message), "STORE_UNAVAILABLE");
}

}  // namespace reprise::services
