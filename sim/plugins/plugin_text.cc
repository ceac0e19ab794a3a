// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/plugin_text.h"

#include "sim/base/id.h"
#include "sim/base/utf8.h"

namespace reprise::sim {
namespace {

// More of a wrong name helps nobody.
constexpr size_t kPrintedBytesMax = 64;

bool IsControl(char character) {
  const auto byte = static_cast<unsigned char>(character);
  return byte < 0x20 || byte == 0x7f;
}

absl::Status CheckText(std::string_view what, std::string_view text) {
  if (text.size() > kNameBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("its {} takes more than {} bytes", what, kNameBytesMax));
  }
  if (!IsUtf8(text)) {
    return absl::InvalidArgumentError(fmt::format("its {} isn't UTF-8", what));
  }
  if (std::ranges::any_of(text, IsControl)) {
    return absl::InvalidArgumentError(
        fmt::format("its {} has control characters", what));
  }
  return absl::OkStatus();
}

// At most one byte more than a name may have.
std::string_view Bounded(const char* text) {
  return {text, strnlen(text, kNameBytesMax + 1)};
}

}  // namespace

absl::Status CheckName(const char* name) {
  if (name == nullptr || *name == '\0') {
    return absl::InvalidArgumentError("it has no name");
  }
  return CheckText("name", Bounded(name));
}

absl::Status CheckUnit(const char* unit) {
  if (unit == nullptr) return absl::OkStatus();
  return CheckText("unit", Bounded(unit));
}

std::string PrintableName(const char* name) {
  if (name == nullptr) return "";
  std::string printable(name, strnlen(name, kPrintedBytesMax));
  for (char& character : printable) {
    const auto byte = static_cast<unsigned char>(character);
    if (IsControl(character) || byte >= 0x80) character = '?';
  }
  return printable;
}

std::string PluginItem(std::string_view kind, uint32_t index,
                       const char* name) {
  const std::string printable = PrintableName(name);
  if (printable.empty()) return fmt::format("{} {}", kind, index);
  return fmt::format("{} '{}'", kind, printable);
}

std::string NamelessObject(ObjectId object, const absl::Status& why) {
  if (why.ok()) return fmt::format("object#{}", object.serial);
  return fmt::format("object#{} ({})", object.serial,
                     std::string(why.message()));
}

absl::Status CheckStructSize(std::string_view name, uint32_t size,
                             uint32_t size_min, uint32_t alignment) {
  if (size < size_min || size > kPluginStructBytesMax) {
    return absl::InvalidArgumentError(
        fmt::format("{} has a struct_size of {} bytes, not {} to {}", name,
                    size, size_min, kPluginStructBytesMax));
  }
  if (size % alignment != 0) {
    return absl::InvalidArgumentError(
        fmt::format("{} has a struct_size of {} bytes, no multiple of {}", name,
                    size, alignment));
  }
  return absl::OkStatus();
}

absl::Status At(std::string_view where, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      fmt::format("{}: {}", where, std::string(status.message())));
}

}  // namespace reprise::sim
