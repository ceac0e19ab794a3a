// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/sha256.h"

#include <openssl/evp.h>

#include <array>

#include "fmt/format.h"
#include "sim/base/check.h"

namespace reprise::services {

struct Sha256::State {
  struct Freer {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Freer> context{EVP_MD_CTX_new()};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  CHECK(state_->context != nullptr);
  CHECK(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::Append(std::string_view bytes) {
  CHECK(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) ==
        1);
}

std::string Sha256::HexDigest() const {
  // Of a copy: this one goes on.
  const State copy;
  CHECK(EVP_MD_CTX_copy_ex(copy.context.get(), state_->context.get()) == 1);
  std::array<unsigned char, 32> digest;
  unsigned int size = 0;
  CHECK(EVP_DigestFinal_ex(copy.context.get(), digest.data(), &size) == 1);
  CHECK(size == digest.size());
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace reprise::services
