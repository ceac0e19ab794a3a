// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/tls_files.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "services/base/small_file.h"

namespace reprise::services {
namespace {

template <auto kFree>
struct Freer {
  template <typename Object>
  void operator()(Object* object) const {
    kFree(object);
  }
};

using Bio = std::unique_ptr<BIO, Freer<BIO_free_all>>;
using Certificate = std::unique_ptr<X509, Freer<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using Context = std::unique_ptr<SSL_CTX, Freer<SSL_CTX_free>>;

// What OpenSSL said last; it forgets all it has said.
std::string TakeSslError() {
  std::string reason = "it is refused";
  while (const unsigned long error = ERR_get_error()) {
    const char* text = ERR_reason_error_string(error);
    if (text != nullptr) reason = text;
  }
  return reason;
}

absl::Status FileError(const std::string& path, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", path, what));
}

Bio OpenText(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// All certificates of a PEM text; other items are passed over.
absl::StatusOr<std::vector<Certificate>> ParseCertificates(
    const std::string& path, const std::string& text) {
  const Bio bio = OpenText(text);
  std::vector<Certificate> certificates;
  while (true) {
    Certificate certificate(
        PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
    if (certificate == nullptr) break;
    certificates.push_back(std::move(certificate));
  }
  // That no other one begins is how each text ends.
  const bool is_at_end =
      ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string reason = TakeSslError();
  if (!is_at_end) {
    return FileError(path, fmt::format("certificate {} can't be read: {}",
                                       certificates.size() + 1, reason));
  }
  if (certificates.empty()) {
    return FileError(path, "there is no certificate in it (PEM)");
  }
  return certificates;
}

// Has OpenSSL ask nobody for the password of a key.
int NoPassword(char*, int, int, void* was_asked) {
  *static_cast<bool*>(was_asked) = true;
  return -1;
}

absl::StatusOr<Key> ParseKey(const std::string& path, const std::string& text) {
  bool was_asked = false;
  Key key(PEM_read_bio_PrivateKey(OpenText(text).get(), nullptr, &NoPassword,
                                  &was_asked));
  if (key != nullptr) return key;
  const std::string reason = TakeSslError();
  if (was_asked) {
    return FileError(path,
                     "the key is encrypted, and nobody is there to type "
                     "its password");
  }
  return FileError(
      path, fmt::format("there is no private key in it (PEM): {}", reason));
}

// What is wrong with the time of a certificate; empty: nothing.
std::string TimeProblem(const X509* certificate) {
  const ASN1_TIME* end = X509_get0_notAfter(certificate);
  if (X509_cmp_current_time(end) > 0) return "";
  const Bio text(BIO_new(BIO_s_mem()));
  ASN1_TIME_print(text.get(), end);
  char* data = nullptr;
  const long size = BIO_get_mem_data(text.get(), &data);
  return fmt::format("the certificate has expired, on {}",
                     std::string_view(data, static_cast<size_t>(size)));
}

// Whether a server can be what these say it is.
absl::Status CheckIdentity(const TlsFiles& files, const TlsTexts& texts) {
  const auto certificates =
      ParseCertificates(files.certificate, texts.certificate);
  if (!certificates.ok()) return certificates.status();
  const auto key = ParseKey(files.key, texts.key);
  if (!key.ok()) return key.status();
  X509* const certificate = certificates->front().get();
  if (const std::string problem = TimeProblem(certificate); !problem.empty()) {
    return FileError(files.certificate, problem);
  }
  if (X509_check_private_key(certificate, key->get()) != 1) {
    TakeSslError();
    return FileError(files.key, fmt::format("not the key of the certificate {}",
                                            files.certificate));
  }
  // As handshakes do it, with what the system takes for too weak.
  const Context context(SSL_CTX_new(TLS_server_method()));
  if (SSL_CTX_use_certificate(context.get(), certificate) != 1 ||
      SSL_CTX_use_PrivateKey(context.get(), key->get()) != 1) {
    return FileError(files.certificate, TakeSslError());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TlsTexts> ReadTlsFiles(const TlsFiles& files) {
  if (files.certificate.empty() || files.key.empty()) {
    return absl::InvalidArgumentError(
        "TLS takes a certificate and its key, each in a file");
  }
  TlsTexts texts;
  for (const auto& [path, text] :
       {std::pair(&files.certificate, &texts.certificate),
        std::pair(&files.key, &texts.key),
        std::pair(&files.client_authority, &texts.client_authority)}) {
    if (path->empty()) continue;
    auto read = ReadSmallFile(*path);
    if (!read.ok()) return read.status();
    *text = *std::move(read);
  }
  ERR_clear_error();
  if (absl::Status fit = CheckIdentity(files, texts); !fit.ok()) return fit;
  if (!files.client_authority.empty()) {
    const auto authority =
        ParseCertificates(files.client_authority, texts.client_authority);
    if (!authority.ok()) return authority.status();
  }
  return texts;
}

}  // namespace reprise::services
