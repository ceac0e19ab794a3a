// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/listen_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <charconv>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace reprise::services {
namespace {

constexpr std::string_view kUnixPrefix = "unix:";

// With the zero behind it.
constexpr size_t kUnixPathBytesMax = sizeof(sockaddr_un::sun_path) - 1;

// "[::1]" without its brackets.
std::string WithoutBrackets(const std::string& host) {
  return host.substr(1, host.size() - 2);
}

bool IsAddress(const std::string& host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    in6_addr parsed;
    return inet_pton(AF_INET6, WithoutBrackets(host).c_str(), &parsed) == 1;
  }
  in_addr parsed;
  return inet_pton(AF_INET, host.c_str(), &parsed) == 1;
}

absl::StatusOr<ListenAddress> ParseUnixAddress(std::string_view address) {
  const std::string_view path = address.substr(kUnixPrefix.size());
  if (path.empty() || path.size() > kUnixPathBytesMax ||
      path.find('\0') != std::string_view::npos) {
    return absl::InvalidArgumentError(
        fmt::format("address '{}': the path of a Unix socket has 1 to {} bytes",
                    address, kUnixPathBytesMax));
  }
  return ListenAddress{.host = "", .port = 0, .path = std::string(path)};
}

}  // namespace

bool ListenAddress::IsLocal() const {
  if (is_unix()) return true;
  if (is_ipv6()) {
    in6_addr parsed;
    return inet_pton(AF_INET6, WithoutBrackets(host).c_str(), &parsed) == 1 &&
           IN6_IS_ADDR_LOOPBACK(&parsed);
  }
  in_addr parsed;
  return inet_pton(AF_INET, host.c_str(), &parsed) == 1 &&
         ntohl(parsed.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
}

std::string ListenAddress::ToString() const {
  return is_unix() ? fmt::format("{}{}", kUnixPrefix, path)
                   : fmt::format("{}:{}", host, port);
}

absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view address) {
  if (address.starts_with(kUnixPrefix)) return ParseUnixAddress(address);
  const size_t colon = address.rfind(':');
  const std::string_view digits =
      colon == std::string_view::npos ? "" : address.substr(colon + 1);
  uint16_t port = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (digits.empty() || error != std::errc() ||
      end != digits.data() + digits.size()) {
    return absl::InvalidArgumentError(fmt::format(
        "address '{}' is of neither form, host:port and unix:path", address));
  }
  std::string host(address.substr(0, colon));
  if (host == "localhost") host = "127.0.0.1";
  if (!IsAddress(host)) {
    return absl::InvalidArgumentError(fmt::format(
        "address '{}': names are not looked up; use an address of this "
        "machine such as 127.0.0.1, [::1] or 0.0.0.0",
        address));
  }
  return ListenAddress{.host = std::move(host), .port = port, .path = ""};
}

}  // namespace reprise::services
