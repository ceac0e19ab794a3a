// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Certificates for tests, made on the spot: none is kept anywhere that could
// run out, or be trusted.

#ifndef REPRISE_SERVICES_TESTING_TEST_CERTIFICATES_H_
#define REPRISE_SERVICES_TESTING_TEST_CERTIFICATES_H_

#include <memory>
#include <string>

namespace reprise::services {

// What a server or a client says who it is by, as PEM.
struct TestIdentity {
  std::string certificate;
  std::string key;
};

class TestAuthority {
 public:
  TestAuthority();
  TestAuthority(const TestAuthority&) = delete;
  TestAuthority& operator=(const TestAuthority&) = delete;
  ~TestAuthority();

  // The certificate to trust, as PEM.
  const std::string& certificate() const { return certificate_; }

  // One for the machine "localhost" and the address 127.0.0.1, called `name`,
  // until `days` from now, which may be a time that has passed.
  TestIdentity Issue(const std::string& name, int days = 1) const;

 private:
  struct Keys;

  const std::unique_ptr<Keys> keys_;
  std::string certificate_;
};

// `key` of an identity, encrypted with a password.
std::string EncryptKey(const std::string& key);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_TEST_CERTIFICATES_H_
