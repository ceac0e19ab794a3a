// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/conforming/comma_language.h"

#include <langinfo.h>
#include <locale.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "fmt/format.h"

namespace reprise::tools {
namespace {

namespace fs = std::filesystem;

// A category's file, as glibc's locale/localeinfo.h has it: this number and
// that of the category, how many items there are, where each begins, the items.
constexpr uint32_t kMagic = 0x20031115;

void Append(std::string& bytes, uint32_t word) {
  std::array<char, sizeof(word)> copy;
  std::memcpy(copy.data(), &word, sizeof(word));
  bytes.append(copy.data(), copy.size());
}

std::string NumericCategory() {
  // In order: the decimal sign; what stands between thousands; how many digits
  // stand together; both signs again as wide characters; the character set.
  const std::string wide_comma("\x2c\0\0\0", 4);
  const std::string wide_none(4, '\0');
  const std::vector<std::string> items = {std::string(",\0", 2),
                                          std::string(1, '\0'),
                                          std::string("\x7f\0\0\0", 4),
                                          wide_comma,
                                          wide_none,
                                          std::string("UTF-8\0", 6)};
  constexpr size_t kAlignment = 4;  // of words
  std::string bytes;
  Append(bytes, kMagic ^ LC_NUMERIC);
  Append(bytes, static_cast<uint32_t>(items.size()));
  size_t offset = sizeof(uint32_t) * (2 + items.size());
  std::string texts;
  for (const std::string& item : items) {
    Append(bytes, static_cast<uint32_t>(offset + texts.size()));
    texts += item;
    texts.resize((texts.size() + kAlignment - 1) / kAlignment * kAlignment);
  }
  return bytes + texts;
}

}  // namespace

absl::Status WriteCommaLanguage(const std::string& folder) {
  const fs::path place = fs::path(folder) / kCommaLanguage;
  std::error_code error;
  fs::create_directories(place, error);
  const std::string bytes = NumericCategory();
  std::ofstream file(place / "LC_NUMERIC", std::ios::binary);
  file << bytes;
  file.close();
  if (error || !file) {
    return absl::UnavailableError(
        fmt::format("{}: it can't be written", place.string()));
  }
  return absl::OkStatus();
}

bool HasCommaLanguage() {
  return std::strcmp(nl_langinfo(RADIXCHAR), ",") == 0;
}

}  // namespace reprise::tools
