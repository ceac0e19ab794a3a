// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/base/json_line.h"

#include "fmt/format.h"
#include "sim/base/utf8.h"

namespace reprise::services {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// `text` in quotes. U+007F and above stand as they are, which JSON allows; a
// terminal's controls among them don't, as some logs are looked at in one.
std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const size_t size = sim::Utf8CharacterSize(text);
    const std::string_view character = text.substr(0, size == 0 ? 1 : size);
    text.remove_prefix(character.size());
    const auto first = static_cast<unsigned char>(character.front());
    const bool is_c1 = character.size() == 2 && first == 0xC2 &&
                       static_cast<unsigned char>(character[1]) < 0xA0;
    if (size == 0) {
      quoted += kReplacement;
    } else if (first == '"' || first == '\\') {
      quoted += '\\';
      quoted += character;
    } else if (first < ' ' || first == 0x7F) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(first));
    } else if (is_c1) {
      quoted += fmt::format(
          "\\u{:04x}",
          static_cast<unsigned>(static_cast<unsigned char>(character[1])));
    } else {
      quoted += character;
    }
  }
  return quoted + "\"";
}

}  // namespace

void JsonLine::Add(std::string_view name, std::string_view value) {
  AddRaw(name, Quote(value));
}

void JsonLine::AddUnlessEmpty(std::string_view name, std::string_view value) {
  if (!value.empty()) Add(name, value);
}

void JsonLine::Add(std::string_view name, uint64_t value) {
  AddRaw(name, fmt::to_string(value));
}

void JsonLine::Add(std::string_view name, absl::Duration value) {
  AddRaw(name, fmt::format("{:.6f}", absl::ToDoubleSeconds(value)));
}

void JsonLine::Add(std::string_view name, absl::Time value) {
  Add(name,
      absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", value, absl::UTCTimeZone()));
}

void JsonLine::AddRaw(std::string_view name, std::string_view value) {
  members_ +=
      fmt::format("{}\"{}\":{}", members_.empty() ? "" : ",", name, value);
}

}  // namespace reprise::services
