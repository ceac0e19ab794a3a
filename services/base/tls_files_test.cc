// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that files that no handshake would take are refused, each by its name
// and with what is wrong, with certificates that are made for the test.

#include "services/base/tls_files.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/base/resource_name.h"
#include "services/testing/test_certificates.h"

namespace reprise::services {
namespace {

using ::testing::StartsWith;

class TlsFilesTest : public testing::Test {
 protected:
  TlsFilesTest() {
    std::filesystem::create_directories(folder_);
    Write(files_.certificate, identity_.certificate);
    Write(files_.key, identity_.key);
    Write(files_.client_authority, authority_.certificate());
  }
  ~TlsFilesTest() override { std::filesystem::remove_all(folder_); }

  static void Write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  std::string Error() const {
    const auto texts = ReadTlsFiles(files_);
    EXPECT_EQ(texts.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(texts.status().message());
  }

  const std::string folder_ = testing::TempDir() + NewId(absl::Now());
  const TlsFiles files_ = {.certificate = folder_ + "/server.pem",
                           .key = folder_ + "/server.key",
                           .client_authority = folder_ + "/clients.pem"};
  const TestAuthority authority_;
  const TestIdentity identity_ = authority_.Issue("server");
};

TEST_F(TlsFilesTest, WhatFitsIsReadAsItIs) {
  const auto texts = ReadTlsFiles(files_);

  ASSERT_TRUE(texts.ok()) << texts.status();
  EXPECT_EQ(texts->certificate, identity_.certificate);
  EXPECT_EQ(texts->key, identity_.key);
  EXPECT_EQ(texts->client_authority, authority_.certificate());
}

TEST_F(TlsFilesTest, AChainIsTakenAndClientsNeedNoAuthority) {
  Write(files_.certificate, identity_.certificate + authority_.certificate());

  EXPECT_TRUE(
      ReadTlsFiles({.certificate = files_.certificate, .key = files_.key})
          .ok());
}

TEST_F(TlsFilesTest, AFileThatIsNotThereIsNamed) {
  std::filesystem::remove(files_.key);

  const absl::Status status = ReadTlsFiles(files_).status();

  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), StartsWith(files_.key));
  EXPECT_EQ(ReadTlsFiles({.certificate = files_.certificate}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(TlsFilesTest, WhatIsNoCertificateIsRefused) {
  Write(files_.certificate, "nonsense");
  EXPECT_EQ(Error(),
            files_.certificate + ": there is no certificate in it (PEM)");
  // One that is cut.
  Write(files_.certificate,
        identity_.certificate.substr(0, identity_.certificate.size() / 2));
  EXPECT_THAT(Error(), StartsWith(files_.certificate + ": certificate 1 "));
  Write(files_.certificate, identity_.certificate);
  Write(files_.client_authority, "");
  EXPECT_THAT(Error(), StartsWith(files_.client_authority));
}

TEST_F(TlsFilesTest, AnotherCertificatesKeyIsRefused) {
  Write(files_.key, authority_.Issue("another").key);

  EXPECT_EQ(Error(), files_.key + ": not the key of the certificate " +
                         files_.certificate);
}

TEST_F(TlsFilesTest, AKeyThatIsNoneOrEncryptedIsRefused) {
  Write(files_.key, identity_.certificate);
  EXPECT_THAT(Error(), StartsWith(files_.key + ": there is no private key"));

  Write(files_.key, EncryptKey(identity_.key));
  EXPECT_THAT(Error(), StartsWith(files_.key + ": the key is encrypted"));
}

TEST_F(TlsFilesTest, ACertificateThatHasExpiredIsRefused) {
  const TestIdentity old = authority_.Issue("old", /*days=*/-1);
  Write(files_.certificate, old.certificate);
  Write(files_.key, old.key);

  EXPECT_THAT(Error(), StartsWith(files_.certificate +
                                  ": the certificate has expired, on "));
}

}  // namespace
}  // namespace reprise::services
