// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The files that TLS takes, read and checked as a whole: what passes here is
// taken by every handshake.

#ifndef REPRISE_SERVICES_BASE_TLS_FILES_H_
#define REPRISE_SERVICES_BASE_TLS_FILES_H_

#include <string>

#include "absl/status/statusor.h"

namespace reprise::services {

// Paths of PEM files.
struct TlsFiles {
  std::string certificate;  // the server's, and those up to the authority's
  std::string key;          // of the certificate, not encrypted
  // Whose certificates clients must have; empty: they need none.
  std::string client_authority;

  bool is_empty() const {
    return certificate.empty() && key.empty() && client_authority.empty();
  }
};

// What is in them.
struct TlsTexts {
  std::string certificate;
  std::string key;
  std::string client_authority;

  friend bool operator==(const TlsTexts&, const TlsTexts&) = default;
};

// Reads and checks the files; each error names one. INVALID_ARGUMENT: the
// certificate or the key is missing or no PEM, the key is encrypted or of
// another certificate, the certificate has expired or is too weak, or the
// authority is none. Others are ReadSmallFile's.
absl::StatusOr<TlsTexts> ReadTlsFiles(const TlsFiles& files);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_BASE_TLS_FILES_H_
