// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/reading/manifest_text.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "sim/base/nearest_name.h"
#include "sim/compiler/checking/system_compiler.h"

namespace reprise::sim {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;

// Deeper than the schema nests, and far from what the stack holds.
constexpr int kNestingMax = 128;

// Adds what the text parser finds to a report.
class SyntaxErrors : public google::protobuf::io::ErrorCollector {
 public:
  SyntaxErrors(const std::string& file, PackReport& report)
      : file_(file), report_(report) {}

  void AddError(int line, int column, const std::string& message) override {
    // The parser counts from 0, and says -1 for the text as a whole.
    report_.Add({.file = file_,
                 .line = static_cast<uint32_t>(line + 1),
                 .column = static_cast<uint32_t>(column + 1),
                 .field = "",
                 .message = report_.wants_details()
                                ? ExplainSyntaxError(message)
                                : message});
  }

 private:
  const std::string& file_;
  PackReport& report_;
};

// The names of the messages that the program's systems read, ascending.
std::vector<std::string_view> OwnMessageNames() {
  std::vector<std::string_view> names;
  for (const SystemModule& module : RegisteredSystems()) {
    for (const auto* own : {&module.pack_messages, &module.type_messages}) {
      names.insert(names.end(), own->begin(), own->end());
    }
  }
  // A total order: equal names are the same.
  std::ranges::sort(names);
  return names;
}

// Whether a message may hold an Any, however deep: the parser doesn't count how
// deep it goes down into those.
bool MayHoldAny(const Descriptor& message, std::set<std::string>& seen) {
  if (message.full_name() == "google.protobuf.Any") return true;
  if (!seen.insert(message.full_name()).second) return false;
  for (int i = 0; i < message.field_count(); ++i) {
    const Descriptor* const held = message.field(i)->message_type();
    if (held != nullptr && MayHoldAny(*held, seen)) return true;
  }
  return false;
}

// Finds the messages of a program's own systems, written as
// [reprise/package.Message] { ... }.
class OwnMessages : public google::protobuf::TextFormat::Finder {
 public:
  const Descriptor* FindAnyType(const google::protobuf::Message& message,
                                const std::string& prefix,
                                const std::string& name) const override {
    if (prefix != "reprise/" ||
        !std::ranges::binary_search(names_, std::string_view(name))) {
      return nullptr;
    }
    const Descriptor* const found =
        message.GetDescriptor()->file()->pool()->FindMessageTypeByName(name);
    std::set<std::string> seen;
    if (found == nullptr || MayHoldAny(*found, seen)) return nullptr;
    return found;
  }

 private:
  const std::vector<std::string_view> names_ = OwnMessageNames();
};

// What stands between `before` and `after` in `text`, and cuts `text` off
// there; empty where they don't stand there.
std::string_view Between(std::string_view before, std::string_view after,
                         std::string_view& text) {
  const size_t begin = text.find(before);
  if (begin == text.npos) return "";
  const size_t end = text.find(after, begin + before.size());
  if (end == text.npos) return "";
  const std::string_view found =
      text.substr(begin + before.size(), end - begin - before.size());
  text = text.substr(end + after.size());
  return found;
}

// Adds all enumerations of fields `name` in `message` and what it consists of.
// `seen` has the names of the messages that were looked at.
void FindEnums(const Descriptor& message, std::string_view name,
               std::set<std::string>& seen,
               std::vector<const EnumDescriptor*>& enums) {
  if (!seen.insert(message.full_name()).second) return;
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    if (field.enum_type() != nullptr && field.name() == name) {
      enums.push_back(field.enum_type());
    }
    if (field.message_type() != nullptr) {
      FindEnums(*field.message_type(), name, seen, enums);
    }
  }
}

std::string ExplainField(const Descriptor& message, std::string_view name) {
  std::vector<std::string_view> names;
  for (int i = 0; i < message.field_count(); ++i) {
    names.push_back(message.field(i)->name());
  }
  // Who leaves out the unit, or the rest of a name, is nearest to the whole.
  std::string_view meant = name;
  for (const std::string_view each : names) {
    if (each.starts_with(fmt::format("{}_", name))) {
      meant = each;
      break;
    }
  }
  return fmt::format("{} has no field '{}'{}", message.name(), name,
                     Suggestion(meant, names));
}

std::string ExplainValue(std::string_view value, std::string_view field) {
  std::set<std::string> seen;
  std::vector<const EnumDescriptor*> enums;
  FindEnums(*v1::Pack::descriptor(), field, seen, enums);
  std::vector<std::string_view> names;
  for (const EnumDescriptor* const each : enums) {
    // 0 stands for no value.
    for (int i = 1; i < each->value_count(); ++i) {
      names.push_back(each->value(i)->name());
    }
  }
  return fmt::format("'{}' has no value '{}'{}", field, value,
                     Suggestion(value, names));
}

std::string ExplainOwnMessage(std::string_view url) {
  const std::vector<std::string_view> names = OwnMessageNames();
  return fmt::format(
      "no system of this program reads the message '{}'; those that are read "
      "are: {}{}",
      url, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
      DidYouMean(url.substr(url.rfind('/') + 1), names));
}

}  // namespace

bool ParseManifestText(std::string_view text, UnknownFields unknown_fields,
                       ManifestFile& file, v1::Pack& pack, PackReport& report) {
  const auto problem = [&](std::string message) {
    report.Add({.file = file.path,
                .line = 0,
                .column = 0,
                .field = "",
                .message = std::move(message)});
    return false;
  };
  if (text.size() > kManifestBytesMax) return problem("larger than 64 MiB");

  SyntaxErrors errors(file.path, report);
  google::protobuf::TextFormat::Parser parser;
  const OwnMessages own_messages;
  parser.SetFinder(&own_messages);
  parser.RecordErrorsTo(&errors);
  parser.WriteLocationsTo(&file.locations);
  parser.SetRecursionLimit(kNestingMax);
  parser.AllowUnknownField(unknown_fields == UnknownFields::kPassOver);
  google::protobuf::io::ArrayInputStream stream(text.data(),
                                                static_cast<int>(text.size()));
  if (parser.Parse(&stream, &pack)) return true;
  return report.ok() ? problem("not a manifest") : false;
}

std::string ExplainSyntaxError(const std::string& message) {
  std::string_view rest = message;
  const std::string_view type =
      Between("Message type \"", "\" has no field named \"", rest);
  if (!type.empty()) {
    const std::string_view name = rest.substr(0, rest.find('"'));
    const Descriptor* const descriptor =
        v1::Pack::descriptor()->file()->pool()->FindMessageTypeByName(
            std::string(type));
    if (descriptor != nullptr) return ExplainField(*descriptor, name);
  }
  rest = message;
  const std::string_view own = Between("Could not find type \"", "\"", rest);
  if (!own.empty()) return ExplainOwnMessage(own);
  rest = message;
  const std::string_view value =
      Between("Unknown enumeration value of \"", "\" for field \"", rest);
  if (!value.empty())
    return ExplainValue(value, rest.substr(0, rest.find('"')));
  return message;
}

}  // namespace reprise::sim
