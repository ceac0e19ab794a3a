// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that with TLS a server is known to its clients, and they to it, that
// new certificates are taken while it runs and bad ones are not. Certificates
// are made by the test; what must not hang fails by a call's own deadline.

#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "services/testing/test_certificates.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ServerTlsTest : public testing::Test {
 protected:
  ServerTlsTest() { WriteIdentity(authority_.Issue("server")); }

  void WriteIdentity(const TestIdentity& identity) const {
    files_.Write("server.pem", identity.certificate);
    files_.Write("server.key", identity.key);
  }

  TlsFiles Tls() const {
    return {.certificate = files_.PathOf("server.pem"),
            .key = files_.PathOf("server.key")};
  }

  void Start(const TlsFiles& tls) {
    server_ = std::make_unique<RunningServer>([&](ServerOptions& options) {
      options.tls = tls;
      options.log = [this](const LogEntry& entry) {
        const std::scoped_lock lock(mutex_);
        reports_.push_back(entry.message);
      };
    });
  }

  // A client that trusts an authority and shows what it is by, if anything.
  TestClient ClientOf(const TestAuthority& trusted,
                      const TestIdentity& identity = {}) const {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = trusted.certificate();
    options.pem_cert_chain = identity.certificate;
    options.pem_private_key = identity.key;
    return TestClient(server_->server().address(), /*token=*/"",
                      grpc::SslCredentials(options));
  }

  static void ExpectRefused(TestClient client) {
    v1::CreateSessionRequest request;
    request.set_pack("tiny");
    EXPECT_EQ(client.TryCreateSession(request).error_code(),
              grpc::StatusCode::UNAVAILABLE);
  }

  std::vector<std::string> reports() {
    const std::scoped_lock lock(mutex_);
    return reports_;
  }

  const TestFolders files_;
  const TestAuthority authority_;
  const TestAuthority another_;
  std::mutex mutex_;
  std::vector<std::string> reports_;
  std::unique_ptr<RunningServer> server_;
};

TEST_F(ServerTlsTest, WhoTrustsItsAuthorityPlays) {
  Start(Tls());

  ClientOf(authority_).ExpectGoodService();
}

TEST_F(ServerTlsTest, WhoTrustsAnotherOrSpeaksPlainlyDoesNot) {
  Start(Tls());

  ExpectRefused(ClientOf(another_));
  ExpectRefused(TestClient(server_->server().address()));
  ClientOf(authority_).ExpectGoodService();
}

TEST_F(ServerTlsTest, ClientsShowACertificateOfTheirAuthority) {
  const TestAuthority clients;
  files_.Write("clients.pem", clients.certificate());
  TlsFiles tls = Tls();
  tls.client_authority = files_.PathOf("clients.pem");
  Start(tls);

  ClientOf(authority_, clients.Issue("client")).ExpectGoodService();
  ExpectRefused(ClientOf(authority_));
  ExpectRefused(ClientOf(authority_, another_.Issue("client")));
}

TEST_F(ServerTlsTest, NewCertificatesAreForNewConnections) {
  Start(Tls());
  TestClient before = ClientOf(authority_);
  before.ExpectGoodService();

  WriteIdentity(another_.Issue("server"));
  server_->server().Reload();

  ClientOf(another_).ExpectGoodService();
  ExpectRefused(ClientOf(authority_));
  before.ExpectGoodService();
  EXPECT_THAT(reports(), ElementsAre("new certificates are in use"));
}

TEST_F(ServerTlsTest, WithdrawnAuthoritiesLetNobodyNewIn) {
  const TestAuthority clients;
  files_.Write("clients.pem", clients.certificate());
  TlsFiles tls = Tls();
  tls.client_authority = files_.PathOf("clients.pem");
  Start(tls);
  const TestIdentity client = clients.Issue("client");
  ClientOf(authority_, client).ExpectGoodService();

  files_.Write("clients.pem", another_.certificate());
  server_->server().Reload();

  ExpectRefused(ClientOf(authority_, client));
  ClientOf(authority_, another_.Issue("client")).ExpectGoodService();
}

TEST_F(ServerTlsTest, BadFilesChangeNothingAndAreReportedOnce) {
  Start(Tls());
  const std::string key = files_.PathOf("server.key");
  for (const std::string& text : {another_.Issue("x").key, std::string("x")}) {
    files_.Write("server.key", text);
    server_->server().Reload();
    server_->server().Reload();
    ClientOf(authority_).ExpectGoodService();
  }
  std::filesystem::remove(key);
  server_->server().Reload();

  ClientOf(authority_).ExpectGoodService();
  EXPECT_THAT(reports(), ElementsAre(StartsWith(key + ": not the key of"),
                                     StartsWith(key + ": there is no private"),
                                     StartsWith(key + ": No such file")));
  EXPECT_THAT(reports().front(),
              HasSubstr("the certificates before stay in use"));

  WriteIdentity(another_.Issue("server"));
  server_->server().Reload();
  ClientOf(another_).ExpectGoodService();
}

TEST_F(ServerTlsTest, AServerWithABadFileDoesNotStartAndNamesIt) {
  files_.Write("server.pem", "nonsense");
  ServerOptions options;
  options.address = "127.0.0.1:0";
  options.packs_folder = files_.packs();
  options.store_folder = files_.store();
  options.tls = Tls();

  const absl::Status status = Server::Start(options).status();

  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      std::string(status.message()),
      StartsWith(options.tls.certificate + ": there is no certificate"));
}

}  // namespace
}  // namespace reprise::services
