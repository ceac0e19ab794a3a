// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// TLS with certificates that may be replaced while a server runs. gRPC's own
// watcher of files takes what it finds, and a handshake after a bad one fails;
// here only files that were checked come to gRPC, so the ones before stay.

#ifndef REPRISE_SERVICES_CALLS_TLS_CREDENTIALS_H_
#define REPRISE_SERVICES_CALLS_TLS_CREDENTIALS_H_

#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "grpcpp/security/server_credentials.h"
#include "services/base/tls_files.h"

namespace reprise::services {

// The certificates that are in use. Safe to use from any thread.
class TlsCertificates {
 public:
  // Errors are ReadTlsFiles'.
  static absl::StatusOr<std::unique_ptr<TlsCertificates>> Open(TlsFiles files);

  // Reads the files again. True: they hold others now, which new connections
  // get. After an error, which is Open's, those before stay.
  absl::StatusOr<bool> Reload();

  // Of a server's only port, on which clients need a certificate if there is an
  // authority. This must remain live as long as the server.
  std::shared_ptr<grpc::ServerCredentials> MakeCredentials();

 private:
  friend class TlsCredentials;

  TlsCertificates(TlsFiles files, TlsTexts texts)
      : files_(std::move(files)), texts_(std::move(texts)) {}

  const TlsFiles files_;

  std::mutex mutex_;  // guards what follows
  TlsTexts texts_;
  bool is_new_ = true;  // to gRPC
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_TLS_CREDENTIALS_H_
