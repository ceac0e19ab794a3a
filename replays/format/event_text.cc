// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/event_text.h"

#include <charconv>
#include <string_view>
#include <system_error>

#include "fmt/format.h"

namespace reprise::replays {
namespace {

// What simulations call an object that has no name any more.
constexpr std::string_view kNumbered = "object#";

std::string FormatArgument(const v1::EventArgument& argument) {
  switch (argument.value_case()) {
    case v1::EventArgument::kBoolValue:
      return argument.bool_value() ? "true" : "false";
    case v1::EventArgument::kIntValue:
      return fmt::format("{}", argument.int_value());
    case v1::EventArgument::kUintValue:
      return fmt::format("{}", argument.uint_value());
    case v1::EventArgument::kDoubleValue:
      return fmt::format("{}", argument.double_value());
    case v1::EventArgument::kIdValue:
      return argument.id_value();
    case v1::EventArgument::kObjectValue:
      return argument.object_value();
    case v1::EventArgument::VALUE_NOT_SET:
      break;
  }
  return "";
}

}  // namespace

std::string EventNames::NameOf(const std::string& text) const {
  if (!text.starts_with(kNumbered)) return text;
  const char* const end = text.data() + text.size();
  uint64_t serial = 0;
  const auto [stopped, error] =
      std::from_chars(text.data() + kNumbered.size(), end, serial);
  if (error != std::errc() || stopped != end) return text;
  const auto known = names_.find(serial);
  return known == names_.end() ? text : known->second;
}

std::string EventNames::Format(const v1::Event& event) {
  const std::string& name = event.object_name();
  if (event.object() != 0 && !name.empty() && !name.starts_with(kNumbered) &&
      (names_.size() < kNamesMax || names_.contains(event.object()))) {
    names_[event.object()] = name;
  }
  v1::Event named = event;
  named.set_object_name(NameOf(name));
  for (v1::EventArgument& argument : *named.mutable_arguments()) {
    if (argument.value_case() != v1::EventArgument::kObjectValue) continue;
    argument.set_object_value(NameOf(argument.object_value()));
  }
  return FormatEvent(named);
}

std::string FormatEvent(const v1::Event& event) {
  std::string text = event.type();
  if (!event.object_name().empty()) text += " " + event.object_name();
  for (const v1::EventArgument& argument : event.arguments()) {
    text += fmt::format(" {}={}", argument.name(), FormatArgument(argument));
  }
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

}  // namespace reprise::replays
