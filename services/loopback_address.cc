// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/loopback_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <charconv>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::services {
namespace {

// Whether `host` is a dotted address of the network 127.0.0.0/8.
bool IsLoopbackIpv4(const std::string& host) {
  in_addr parsed;
  return inet_pton(AF_INET, host.c_str(), &parsed) == 1 &&
         ntohl(parsed.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
}

}  // namespace

std::string LoopbackAddress::ToString() const {
  return fmt::format("{}:{}", host, port);
}

absl::StatusOr<LoopbackAddress> ParseLoopbackAddress(std::string_view address) {
  const size_t colon = address.rfind(':');
  const std::string_view digits =
      colon == std::string_view::npos ? "" : address.substr(colon + 1);
  uint16_t port = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (digits.empty() || error != std::errc() ||
      end != digits.data() + digits.size()) {
    return absl::InvalidArgumentError(
        fmt::format("address '{}' is not of the form host:port", address));
  }
  std::string host(address.substr(0, colon));
  if (host == "localhost") host = "127.0.0.1";
  if (host != "[::1]" && !IsLoopbackIpv4(host)) {
    return absl::InvalidArgumentError(fmt::format(
        "address '{}': the server listens on loopback addresses only, because "
        "it cannot tell yet who calls; use 127.0.0.1, [::1] or localhost",
        address));
  }
  return LoopbackAddress{.host = std::move(host), .port = port};
}

}  // namespace reprise::services
