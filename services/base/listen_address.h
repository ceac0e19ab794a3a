// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Where a server listens: a port of an address of this machine, or a Unix
// socket. Nothing in it is left to be looked up.

#ifndef REPRISE_SERVICES_BASE_LISTEN_ADDRESS_H_
#define REPRISE_SERVICES_BASE_LISTEN_ADDRESS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace reprise::services {

struct ListenAddress {
  std::string host;  // "127.0.0.1" or "[::1]"; empty for a Unix socket
  uint16_t port = 0;
  std::string path;  // of a Unix socket

  bool is_unix() const { return !path.empty(); }
  bool is_ipv6() const { return host.starts_with('['); }

  // Whether nothing outside of this machine can reach it.
  bool IsLocal() const;

  // "host:port" or "unix:path".
  std::string ToString() const;
};

// Parses "host:port" with an address for a host, or localhost, which is taken
// as 127.0.0.1 whatever the machine says; or "unix:path". INVALID_ARGUMENT
// otherwise, and for a path that the system takes for no socket's.
absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view address);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_LISTEN_ADDRESS_H_
