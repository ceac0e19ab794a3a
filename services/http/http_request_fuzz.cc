// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the parsing of requests. Whatever comes, a request that is complete is
// within its bounds and the same when its bytes come one by one, and what is
// refused is refused with an error of HTTP.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "services/http/http_request.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

using State = ParsedHttpRequest::State;

void Try(std::string_view bytes) {
  const ParsedHttpRequest whole = ParseHttpRequest(bytes);
  // Where it was decided, nothing that follows decides otherwise.
  for (size_t size = 0; size < bytes.size(); ++size) {
    const ParsedHttpRequest part = ParseHttpRequest(bytes.substr(0, size));
    if (part.state == State::kIncomplete) continue;
    CHECK(part.state == whole.state);
    CHECK(part.status == whole.status);
    CHECK(part.request.path == whole.request.path);
    break;
  }
  switch (whole.state) {
    case State::kIncomplete:
      CHECK(bytes.size() < kHttpRequestBytesMax);
      break;
    case State::kComplete:
      CHECK(whole.request.path.starts_with('/'));
      CHECK(whole.request.path.find_first_of("\r\n ?") == std::string::npos);
      CHECK(whole.request.host.find_first_of("\r\n") == std::string::npos);
      break;
    case State::kRefused:
      CHECK(whole.status >= 400 && whole.status < 600);
      break;
  }
}

}  // namespace
}  // namespace reprise::services

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  reprise::services::Try({reinterpret_cast<const char*>(data), size});
  return 0;
}
