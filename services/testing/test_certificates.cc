// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/test_certificates.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <atomic>

#include "sim/base/check.h"

namespace reprise::services {
namespace {

constexpr long kDaySeconds = 24 * 60 * 60;

struct KeyFreer {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct CertificateFreer {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using Key = std::unique_ptr<EVP_PKEY, KeyFreer>;
using Certificate = std::unique_ptr<X509, CertificateFreer>;

Key MakeKey() {
  Key key(EVP_EC_gen("P-256"));
  CHECK(key != nullptr);
  return key;
}

// What `write` writes.
template <typename Write>
std::string ToText(Write write) {
  BIO* bio = BIO_new(BIO_s_mem());
  CHECK(write(bio) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  std::string text(data, static_cast<size_t>(size));
  BIO_free_all(bio);
  return text;
}

std::string ToPem(X509* certificate) {
  return ToText([&](BIO* bio) { return PEM_write_bio_X509(bio, certificate); });
}

std::string ToPem(EVP_PKEY* key) {
  return ToText([&](BIO* bio) {
    return PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr,
                                    nullptr);
  });
}

void AddExtension(X509* certificate, int kind, const char* value) {
  X509_EXTENSION* extension =
      X509V3_EXT_conf_nid(nullptr, nullptr, kind, value);
  CHECK(extension != nullptr);
  CHECK(X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

// A certificate for `key`, not signed yet.
Certificate MakeCertificate(EVP_PKEY* key, const std::string& name, int days) {
  static std::atomic<long> serial = 1;
  Certificate certificate(X509_new());
  CHECK(X509_set_version(certificate.get(), X509_VERSION_3) == 1);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial++);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -30 * kDaySeconds);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), days * kDaySeconds);
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  CHECK(X509_NAME_add_entry_by_txt(
            subject, "CN", MBSTRING_UTF8,
            reinterpret_cast<const unsigned char*>(name.data()),
            static_cast<int>(name.size()), -1, 0) == 1);
  CHECK(X509_set_pubkey(certificate.get(), key) == 1);
  return certificate;
}

}  // namespace

struct TestAuthority::Keys {
  Key key = MakeKey();
  Certificate certificate;
};

TestAuthority::TestAuthority() : keys_(std::make_unique<Keys>()) {
  keys_->certificate = MakeCertificate(keys_->key.get(), "test authority", 1);
  X509* const certificate = keys_->certificate.get();
  CHECK(X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) ==
        1);
  AddExtension(certificate, NID_basic_constraints, "critical,CA:TRUE");
  AddExtension(certificate, NID_key_usage, "critical,keyCertSign");
  CHECK(X509_sign(certificate, keys_->key.get(), EVP_sha256()) > 0);
  certificate_ = ToPem(certificate);
}

TestAuthority::~TestAuthority() = default;

TestIdentity TestAuthority::Issue(const std::string& name, int days) const {
  const Key key = MakeKey();
  const Certificate certificate = MakeCertificate(key.get(), name, days);
  CHECK(X509_set_issuer_name(certificate.get(),
                             X509_get_subject_name(keys_->certificate.get())) ==
        1);
  AddExtension(certificate.get(), NID_subject_alt_name,
               "DNS:localhost,IP:127.0.0.1");
  CHECK(X509_sign(certificate.get(), keys_->key.get(), EVP_sha256()) > 0);
  return {.certificate = ToPem(certificate.get()), .key = ToPem(key.get())};
}

std::string EncryptKey(const std::string& key) {
  BIO* bio = BIO_new_mem_buf(key.data(), static_cast<int>(key.size()));
  const Key parsed(PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr));
  BIO_free_all(bio);
  CHECK(parsed != nullptr);
  unsigned char password[] = "password";
  return ToText([&](BIO* text) {
    return PEM_write_bio_PrivateKey(text, parsed.get(), EVP_aes_256_cbc(),
                                    password, sizeof(password) - 1, nullptr,
                                    nullptr);
  });
}

}  // namespace reprise::services
