// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// SHA-256 (FIPS 180-4) of what comes in pieces.

#ifndef REPRISE_SERVICES_BASE_SHA256_H_
#define REPRISE_SERVICES_BASE_SHA256_H_

#include <memory>
#include <string>
#include <string_view>

namespace reprise::services {

class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void Append(std::string_view bytes);

  // Of all that was appended so far: 64 lower-case hexadecimal digits.
  std::string HexDigest() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_SHA256_H_
