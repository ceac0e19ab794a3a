// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Text from outside: whether bytes are UTF-8, and where its characters end.

#ifndef REPRISE_SIM_BASE_UTF8_H_
#define REPRISE_SIM_BASE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace reprise::sim {

// The number of bytes of the UTF-8 character that `text` begins with; 0 where
// it begins with none (Unicode 15, table 3-7). REQUIRES: `text` isn't empty.
size_t Utf8CharacterSize(std::string_view text);

// Whether all of `text` is UTF-8; the empty text is.
bool IsUtf8(std::string_view text);

// The most whole characters of `text` that `bytes_max` bytes hold. REQUIRES:
// `text` is UTF-8.
std::string_view Utf8Prefix(std::string_view text, size_t bytes_max);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_BASE_UTF8_H_
