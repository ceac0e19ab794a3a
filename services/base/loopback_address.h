// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Addresses that nothing outside of this machine can reach.

#ifndef REPRISE_SERVICES_BASE_LOOPBACK_ADDRESS_H_
#define REPRISE_SERVICES_BASE_LOOPBACK_ADDRESS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace reprise::services {

struct LoopbackAddress {
  std::string host;  // "127.x.y.z" or "[::1]": nothing left to be looked up
  uint16_t port = 0;

  std::string ToString() const;
};

// Parses "host:port" with a host of 127.0.0.0/8, [::1] or localhost, which is
// taken as 127.0.0.1 whatever the machine says. INVALID_ARGUMENT otherwise.
absl::StatusOr<LoopbackAddress> ParseLoopbackAddress(std::string_view address);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_LOOPBACK_ADDRESS_H_
