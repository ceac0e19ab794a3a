// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/tls_credentials.h"

#include <string>

#include "grpc/grpc.h"
#include "grpc/grpc_security.h"
#include "sim/base/check.h"

namespace reprise::services {

// gRPC asks for the certificates at each handshake; its C++ interface has no
// name for that, its C interface has.
class TlsCredentials final : public grpc::ServerCredentials {
 public:
  explicit TlsCredentials(TlsCertificates* certificates)
      : certificates_(*certificates) {}

  // Tokens are looked at call by call, with TLS or without.
  void SetAuthMetadataProcessor(
      const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {
    CHECK(false);
  }

 private:
  int AddPortToServer(const std::string& address,
                      grpc_server* server) override {
    const auto request_type =
        certificates_.files_.client_authority.empty()
            ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
            : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY;
    grpc_server_credentials* credentials =
        grpc_ssl_server_credentials_create_with_options(
            grpc_ssl_server_credentials_create_options_using_config_fetcher(
                request_type, &Fetch, &certificates_));
    const int port =
        grpc_server_add_http2_port(server, address.c_str(), credentials);
    grpc_server_credentials_release(credentials);
    return port;
  }

  static grpc_ssl_certificate_config_reload_status Fetch(
      void* user_data, grpc_ssl_server_certificate_config** config) {
    auto& certificates = *static_cast<TlsCertificates*>(user_data);
    const std::scoped_lock lock(certificates.mutex_);
    if (!certificates.is_new_) {
      return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    }
    const TlsTexts& texts = certificates.texts_;
    const grpc_ssl_pem_key_cert_pair pair = {
        .private_key = texts.key.c_str(),
        .cert_chain = texts.certificate.c_str()};
    // gRPC aborts without an authority, also where no client is asked for a
    // certificate.
    const std::string& authority = texts.client_authority.empty()
                                       ? texts.certificate
                                       : texts.client_authority;
    *config =
        grpc_ssl_server_certificate_config_create(authority.c_str(), &pair, 1);
    certificates.is_new_ = false;
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  TlsCertificates& certificates_;
};

absl::StatusOr<std::unique_ptr<TlsCertificates>> TlsCertificates::Open(
    TlsFiles files) {
  auto texts = ReadTlsFiles(files);
  if (!texts.ok()) return texts.status();
  return std::unique_ptr<TlsCertificates>(
      new TlsCertificates(std::move(files), *std::move(texts)));
}

absl::StatusOr<bool> TlsCertificates::Reload() {
  auto texts = ReadTlsFiles(files_);
  if (!texts.ok()) return texts.status();
  const std::scoped_lock lock(mutex_);
  if (*texts == texts_) return false;
  texts_ = *std::move(texts);
  is_new_ = true;
  return true;
}

std::shared_ptr<grpc::ServerCredentials> TlsCertificates::MakeCredentials() {
  return std::make_shared<TlsCredentials>(this);
}

}  // namespace reprise::services
