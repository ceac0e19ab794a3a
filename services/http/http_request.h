// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A request of HTTP/1.1 (RFC 9112) that has no body. What isn't exactly in the
// grammar is refused: no lenient reading, so no two readings.

#ifndef REPRISE_SERVICES_HTTP_HTTP_REQUEST_H_
#define REPRISE_SERVICES_HTTP_HTTP_REQUEST_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace reprise::services {

// The most that a request may have, its last empty line included.
inline constexpr size_t kHttpRequestBytesMax = 8192;

struct HttpRequest {
  bool is_head = false;  // HEAD; GET otherwise
  std::string path;      // from '/' on, without a query
  std::string host;      // with its port, as it was sent; empty: HTTP/1.0
  std::optional<std::string> authorization;
};

struct ParsedHttpRequest {
  enum class State { kIncomplete, kComplete, kRefused };

  State state = State::kIncomplete;
  HttpRequest request;  // of a complete one
  int status = 0;       // of a refused one: 400 and above
};

// What the first request of `bytes` is, as far as they have come. Refused are
// what isn't HTTP/1 (400, 505), other methods (405), bodies (413), and what is
// longer than kHttpRequestBytesMax (431).
ParsedHttpRequest ParseHttpRequest(std::string_view bytes);

// Whether both are the same but for capitals, as names and schemes of HTTP are
// compared.
bool EqualsIgnoringCase(std::string_view a, std::string_view b);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_HTTP_HTTP_REQUEST_H_
