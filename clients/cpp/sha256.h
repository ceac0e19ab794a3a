// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// SHA-256, by which a server knows the bytes of a replay. Its own, so that the
// client takes nothing but gRPC.

#ifndef REPRISE_CLIENTS_CPP_SHA256_H_
#define REPRISE_CLIENTS_CPP_SHA256_H_

#include <string>
#include <string_view>

namespace reprise::client {

// 64 lower-case hexadecimal digits.
std::string Sha256Of(std::string_view bytes);

}  // namespace reprise::client

#endif  // REPRISE_CLIENTS_CPP_SHA256_H_
