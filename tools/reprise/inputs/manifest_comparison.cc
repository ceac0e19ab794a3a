// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/manifest_comparison.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/message_differencer.h"
#include "reprise/v1/value.pb.h"
#include "tools/reprise/terminal/escaped_text.h"

namespace reprise::tools {
namespace {

using google::protobuf::Any;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using google::protobuf::TextFormat;
using google::protobuf::util::MessageDifferencer;

// What tells the elements of a list apart, where each has one of its own.
constexpr std::array<const char*, 5> kKeyFields = {
    "name", "component", "property", "behaviour", "action"};

// Lists within types and objects that a path passes over: their elements' names
// say enough.
constexpr std::array<std::string_view, 2> kSilentFields = {"components", "set"};

std::string FormatMessage(const Message& message) {
  TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.SetExpandAny(true);
  std::string text;
  printer.PrintToString(message, &text);
  while (text.ends_with(' ')) text.pop_back();
  if (message.GetDescriptor() == v1::Value::descriptor()) {
    // "number: 0.5" is told as 0.5.
    const size_t colon = text.find(": ");
    if (colon != std::string::npos && text.find_first_of("{ ") > colon &&
        text.find(' ', colon + 2) == std::string::npos) {
      return ShortenValue(text.substr(colon + 2));
    }
  }
  return ShortenValue(fmt::format("{{ {} }}", text));
}

// The `index`-th of a repeated field; -1: one that is there once.
std::string FormatField(const Message& message, const FieldDescriptor& field,
                        int index = -1) {
  std::string text;
  TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.PrintFieldValueToString(message, &field, index, &text);
  return ShortenValue(std::move(text));
}

std::string FormatList(const Message& message, const FieldDescriptor& field) {
  const int size = message.GetReflection()->FieldSize(message, &field);
  std::vector<std::string> values;
  for (int i = 0; i < size; ++i) {
    values.push_back(FormatField(message, field, i));
  }
  return ShortenValue(fmt::format("[{}]", fmt::join(values, ", ")));
}

std::string ShortTypeName(const Any& any) {
  const size_t dot = any.type_url().find_last_of("./");
  return any.type_url().substr(dot == std::string::npos ? 0 : dot + 1);
}

std::string KeyOf(const Message& element, const char* name) {
  const FieldDescriptor* const field =
      element.GetDescriptor()->FindFieldByName(name);
  if (field == nullptr || field->is_repeated() ||
      field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) {
    return "";
  }
  return element.GetReflection()->GetString(element, field);
}

// The elements of a list by name and index.
using Elements = std::vector<std::pair<std::string, int>>;

// The elements under the names that `key` gives; nullopt where one has none, or
// two have the same.
std::optional<Elements> ElementsBy(
    const Message& message, const FieldDescriptor& field,
    const std::function<std::string(const Message&)>& key) {
  Elements elements;
  std::set<std::string> names;
  const Reflection& reflection = *message.GetReflection();
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    std::string name = key(reflection.GetRepeatedMessage(message, &field, i));
    if (name.empty() || !names.insert(name).second) return std::nullopt;
    elements.emplace_back(std::move(name), i);
  }
  return elements;
}

// Walks two manifests. With an index, makes that change in the first of them,
// and no other.
class ManifestComparison {
 public:
  explicit ManifestComparison(std::optional<size_t> applied)
      : applied_(applied) {}

  void Compare(Message& before, const Message& after, const std::string& path) {
    if (before.GetDescriptor() == Any::descriptor()) {
      CompareAny(static_cast<Any&>(before), static_cast<const Any&>(after),
                 path);
      return;
    }
    for (int i = 0; i < before.GetDescriptor()->field_count(); ++i) {
      const FieldDescriptor& field = *before.GetDescriptor()->field(i);
      if (is_applied_) return;
      std::string place = path.empty()
                              ? field.name()
                              : fmt::format("{}.{}", path, field.name());
      if (field.is_repeated()) {
        CompareList(
            before, after, field,
            !path.empty() && std::ranges::find(kSilentFields, field.name()) !=
                                 kSilentFields.end()
                ? path
                : place,
            place);
      } else {
        CompareOne(before, after, field, place);
      }
    }
  }

  std::vector<PackChange> TakeChanges() { return std::move(changes_); }
  bool is_applied() const { return is_applied_; }

 private:
  // Notes a change, and makes it if it is the one.
  void Change(PackChange change, const std::function<void()>& apply) {
    const size_t index = changes_.size();
    changes_.push_back(std::move(change));
    if (applied_ != index) return;
    apply();
    is_applied_ = true;
  }

  void CompareOne(Message& before, const Message& after,
                  const FieldDescriptor& field, const std::string& path) {
    const Reflection& reflection = *before.GetReflection();
    const bool is_message =
        field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    const bool had =
        !field.has_presence() || reflection.HasField(before, &field);
    const bool has =
        !field.has_presence() || reflection.HasField(after, &field);
    if (!had && !has) return;
    if (had && has && is_message &&
        field.message_type() != v1::Value::descriptor()) {
      Compare(*reflection.MutableMessage(&before, &field),
              reflection.GetMessage(after, &field), path);
      return;
    }
    const auto format = [&](const Message& message, bool is_there) {
      if (!is_there) return std::optional<std::string>();
      return std::optional(
          is_message ? FormatMessage(reflection.GetMessage(message, &field))
                     : FormatField(message, field));
    };
    PackChange change = {path, format(before, had), format(after, has)};
    // A property's setting is its value.
    if (field.name() == "value" && path.ends_with(".value") && is_message) {
      change.path.resize(path.size() - std::string_view(".value").size());
    }
    if (had == has && IsSame(before, after, field)) return;
    Change(std::move(change), [&] { CopyField(after, field, before); });
  }

  static bool IsSame(const Message& before, const Message& after,
                     const FieldDescriptor& field) {
    MessageDifferencer differencer;
    std::vector<const FieldDescriptor*> fields = {&field};
    return differencer.CompareWithFields(before, after, fields, fields);
  }

  static void CopyField(const Message& from, const FieldDescriptor& field,
                        Message& to) {
    const std::unique_ptr<Message> only(from.New());
    only->CopyFrom(from);
    std::vector<const FieldDescriptor*> set;
    only->GetReflection()->ListFields(*only, &set);
    for (const FieldDescriptor* other : set) {
      if (other != &field) only->GetReflection()->ClearField(only.get(), other);
    }
    to.GetReflection()->ClearField(&to, &field);
    to.MergeFrom(*only);
  }

  void CompareAny(Any& before, const Any& after, const std::string& path) {
    const google::protobuf::Descriptor* const type =
        google::protobuf::DescriptorPool::generated_pool()
            ->FindMessageTypeByName(
                after.type_url().substr(after.type_url().rfind('/') + 1));
    const Message* const prototype =
        type == nullptr ? nullptr
                        : google::protobuf::MessageFactory::generated_factory()
                              ->GetPrototype(type);
    if (prototype != nullptr && before.type_url() == after.type_url()) {
      const std::unique_ptr<Message> old(prototype->New());
      const std::unique_ptr<Message> now(prototype->New());
      if (old->ParseFromString(before.value()) &&
          now->ParseFromString(after.value())) {
        const bool was_applied = is_applied_;
        Compare(*old, *now, path);
        if (is_applied_ && !was_applied) before.PackFrom(*old);
        return;
      }
    }
    if (MessageDifferencer::Equals(before, after)) return;
    Change({path, FormatMessage(before), FormatMessage(after)},
           [&] { before.CopyFrom(after); });
  }

  // `path`: of its elements by name; `list`: of the list itself.
  void CompareList(Message& before, const Message& after,
                   const FieldDescriptor& field, const std::string& path,
                   const std::string& list) {
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      if (IsSame(before, after, field)) return;
      Change({list, FormatList(before, field), FormatList(after, field)},
             [&] { CopyField(after, field, before); });
      return;
    }
    if (CompareByName(before, after, field, path)) return;
    const Reflection& reflection = *before.GetReflection();
    const int old_size = reflection.FieldSize(before, &field);
    const int size = reflection.FieldSize(after, &field);
    if (old_size != size) {
      Change({list, fmt::format("{} of them", old_size),
              fmt::format("{} of them", size)},
             [&] { CopyField(after, field, before); });
      return;
    }
    for (int i = 0; i < size; ++i) {
      if (is_applied_) return;
      Compare(*reflection.MutableRepeatedMessage(&before, &field, i),
              reflection.GetRepeatedMessage(after, &field, i),
              fmt::format("{}[{}]", list, i));
    }
  }

  // False where the elements have no names of their own.
  bool CompareByName(Message& before, const Message& after,
                     const FieldDescriptor& field, const std::string& path) {
    std::optional<Elements> old;
    std::optional<Elements> now;
    const auto take =
        [&](const std::function<std::string(const Message&)>& key) {
          old = ElementsBy(before, field, key);
          now = ElementsBy(after, field, key);
          return old.has_value() && now.has_value();
        };
    bool has_names = false;
    if (field.message_type() == Any::descriptor()) {
      has_names = take([](const Message& element) {
        return ShortTypeName(static_cast<const Any&>(element));
      });
    } else {
      for (const char* const name : kKeyFields) {
        has_names = take(
            [name](const Message& element) { return KeyOf(element, name); });
        if (has_names) break;
      }
    }
    if (has_names) CompareElements(before, after, field, path, *old, *now);
    return has_names;
  }

  void CompareElements(Message& before, const Message& after,
                       const FieldDescriptor& field, const std::string& path,
                       const Elements& old, const Elements& now) {
    const Reflection& reflection = *before.GetReflection();
    const std::map<std::string, int> places(old.begin(), old.end());
    const std::map<std::string, int> places_now(now.begin(), now.end());
    for (const auto& [name, index] : old) {
      if (is_applied_) return;
      const std::string place = fmt::format("{}.{}", path, EscapeLine(name));
      const auto found = places_now.find(name);
      if (found != places_now.end()) {
        Compare(*reflection.MutableRepeatedMessage(&before, &field, index),
                reflection.GetRepeatedMessage(after, &field, found->second),
                place);
        continue;
      }
      Change(
          {place,
           FormatMessage(reflection.GetRepeatedMessage(before, &field, index)),
           std::nullopt},
          [&, at = index] {
            for (int i = at + 1; i < reflection.FieldSize(before, &field);
                 ++i) {
              reflection.SwapElements(&before, &field, i - 1, i);
            }
            reflection.RemoveLast(&before, &field);
          });
    }
    for (const auto& [name, index] : now) {
      if (is_applied_) return;
      if (places.contains(name)) continue;
      const Message& added =
          reflection.GetRepeatedMessage(after, &field, index);
      Change({fmt::format("{}.{}", path, EscapeLine(name)), std::nullopt,
              FormatMessage(added)},
             [&] { reflection.AddMessage(&before, &field)->CopyFrom(added); });
    }
  }

  const std::optional<size_t> applied_;
  std::vector<PackChange> changes_;
  bool is_applied_ = false;
};

// A longer value says no more to a reader.
constexpr size_t kValueBytesMax = 120;

}  // namespace

std::string ShortenValue(std::string text) {
  if (text.size() <= kValueBytesMax) return text;
  text.resize(kValueBytesMax);
  return text + "...";
}

ManifestChanges CompareManifests(Message& before, const Message& after,
                                 std::optional<size_t> applied) {
  ManifestComparison comparison(applied);
  comparison.Compare(before, after, "");
  ManifestChanges found;
  found.is_applied = comparison.is_applied();
  found.changes = comparison.TakeChanges();
  return found;
}

}  // namespace reprise::tools
