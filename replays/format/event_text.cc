// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/format/event_text.h"

#include "fmt/format.h"

namespace reprise::replays {
namespace {

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
