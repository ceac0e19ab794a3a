// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/escaped_text.h"

#include <cstddef>
#include <cstdint>

#include "fmt/format.h"

namespace reprise::tools {
namespace {

// One character of a text, or a byte that begins none.
struct Character {
  size_t size = 1;
  uint32_t code = 0;
  bool is_valid = false;
  bool is_cut_off = false;  // all there is of it is right
};

// Of at least one byte, by the table of well-formed sequences in the Unicode
// standard (3.9, table 3-7).
Character FirstOf(std::string_view text) {
  const auto byte_at = [text](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char first = byte_at(0);
  if (first < 0x80) return {.code = first, .is_valid = true};
  size_t size = 0;
  if (first >= 0xC2 && first <= 0xDF) size = 2;
  if (first >= 0xE0 && first <= 0xEF) size = 3;
  if (first >= 0xF0 && first <= 0xF4) size = 4;
  if (size == 0) return {};
  Character character = {.size = size, .code = first & (0x7FU >> size)};
  for (size_t i = 1; i < size; ++i) {
    if (i == text.size()) return {.is_cut_off = true};
    if ((byte_at(i) & 0xC0) != 0x80) return {};
    // Too long for its code, half of a pair, or beyond the last one.
    if (i == 1 && ((first == 0xE0 && byte_at(1) < 0xA0) ||
                   (first == 0xED && byte_at(1) > 0x9F) ||
                   (first == 0xF0 && byte_at(1) < 0x90) ||
                   (first == 0xF4 && byte_at(1) > 0x8F))) {
      return {};
    }
    character.code = character.code << 6 | (byte_at(i) & 0x3FU);
  }
  character.is_valid = true;
  return character;
}

// Whether a terminal does something other than to show it: control characters
// (C0, DEL, C1), and the marks that turn text around or end lines (UAX #9).
bool IsObeyed(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C ||
         code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool IsEndOrTab(uint32_t code) { return code == '\n' || code == '\t'; }

// Appends `text` to `escaped`, up to a character at its end that is cut off,
// and returns that. `escape` is given each that is to be escaped, with its
// bytes.
template <typename IsShown, typename Escape>
std::string_view AppendEscaped(std::string_view text, std::string& escaped,
                               const IsShown& is_shown, const Escape& escape) {
  while (!text.empty()) {
    const Character character = FirstOf(text);
    if (character.is_cut_off) break;
    const std::string_view bytes = text.substr(0, character.size);
    if (character.is_valid && is_shown(character.code)) {
      escaped += bytes;
    } else {
      escape(character.code, bytes);
    }
    text.remove_prefix(bytes.size());
  }
  return text;
}

void AppendBytes(std::string_view bytes, std::string& escaped) {
  for (const char byte : bytes) {
    escaped += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
}

template <typename IsShown>
std::string EscapeWhole(std::string_view text, const IsShown& is_shown) {
  std::string escaped;
  escaped.reserve(text.size());
  const std::string_view rest = AppendEscaped(
      text, escaped, is_shown, [&escaped](uint32_t, std::string_view bytes) {
        AppendBytes(bytes, escaped);
      });
  AppendBytes(rest, escaped);
  return escaped;
}

bool IsShownInText(uint32_t code) {
  return IsEndOrTab(code) || !IsObeyed(code);
}

}  // namespace

std::string EscapeText(std::string_view text) {
  return EscapeWhole(text, &IsShownInText);
}

std::string EscapeLine(std::string_view text) {
  return EscapeWhole(text, [](uint32_t code) { return !IsObeyed(code); });
}

std::string EscapeJson(std::string_view json) {
  std::string escaped;
  escaped.reserve(json.size());
  AppendEscaped(json, escaped, &IsShownInText,
                [&escaped](uint32_t code, std::string_view) {
                  escaped += fmt::format("\\u{:04x}", code);
                });
  return escaped;
}

EscapingBuffer::~EscapingBuffer() {
  // Nothing completes it any more.
  std::string escaped;
  AppendBytes(pending_, escaped);
  target_ << escaped;
}

EscapingBuffer::int_type EscapingBuffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) {
    return traits_type::not_eof(character);
  }
  const char byte = traits_type::to_char_type(character);
  Write(std::string_view(&byte, 1));
  return target_ ? character : traits_type::eof();
}

std::streamsize EscapingBuffer::xsputn(const char* text, std::streamsize size) {
  Write(std::string_view(text, static_cast<size_t>(size)));
  return target_ ? size : 0;
}

int EscapingBuffer::sync() {
  target_.flush();
  return target_ ? 0 : -1;
}

void EscapingBuffer::Write(std::string_view text) {
  std::string joined;
  if (!pending_.empty()) {
    joined = pending_ + std::string(text);
    text = joined;
  }
  std::string escaped;
  escaped.reserve(text.size());
  const std::string_view rest =
      AppendEscaped(text, escaped, &IsShownInText,
                    [&escaped](uint32_t, std::string_view bytes) {
                      AppendBytes(bytes, escaped);
                    });
  pending_ = std::string(rest);
  target_.write(escaped.data(), static_cast<std::streamsize>(escaped.size()));
}

}  // namespace reprise::tools
