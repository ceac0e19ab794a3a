// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/pack_difference.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/message_differencer.h"
#include "reprise/v1/pack.pb.h"
#include "reprise/v1/value.pb.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/manifest.h"
#include "tools/reprise/terminal/escaped_text.h"

namespace reprise::tools {
namespace {

using google::protobuf::Any;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using google::protobuf::TextFormat;
using google::protobuf::util::MessageDifferencer;

// A longer value says no more to a reader.
constexpr size_t kValueBytesMax = 120;

// What tells the elements of a list apart, where each has one of its own.
constexpr std::array<const char*, 5> kKeyFields = {
    "name", "component", "property", "behaviour", "action"};

// Lists within types and objects that a path passes over: their elements' names
// say enough.
constexpr std::array<std::string_view, 2> kSilentFields = {"components", "set"};

std::string Shorten(std::string text) {
  if (text.size() <= kValueBytesMax) return text;
  text.resize(kValueBytesMax);
  return text + "...";
}

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
      return Shorten(text.substr(colon + 2));
    }
  }
  return Shorten(fmt::format("{{ {} }}", text));
}

// The `index`-th of a repeated field; -1: one that is there once.
std::string FormatField(const Message& message, const FieldDescriptor& field,
                        int index = -1) {
  std::string text;
  TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.PrintFieldValueToString(message, &field, index, &text);
  return Shorten(std::move(text));
}

std::string FormatList(const Message& message, const FieldDescriptor& field) {
  const int size = message.GetReflection()->FieldSize(message, &field);
  std::vector<std::string> values;
  for (int i = 0; i < size; ++i) {
    values.push_back(FormatField(message, field, i));
  }
  return Shorten(fmt::format("[{}]", fmt::join(values, ", ")));
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

bool IsText(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t end = 0; end != std::string_view::npos;) {
    end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? 0 : end + 1);
  }
  return lines;
}

// Where two files first differ, and with which lines.
PackChange DescribeFile(const std::string& path, std::string_view before,
                        std::string_view after) {
  if (!IsText(before) || !IsText(after)) {
    return {path, fmt::format("{} bytes", before.size()),
            fmt::format("{} bytes{}", after.size(),
                        before.size() == after.size() ? ", others" : "")};
  }
  const std::vector<std::string_view> old = LinesOf(before);
  const std::vector<std::string_view> now = LinesOf(after);
  const size_t both = std::min(old.size(), now.size());
  size_t head = 0;
  while (head < both && old[head] == now[head]) ++head;
  size_t tail = 0;
  while (tail < both - head &&
         old[old.size() - 1 - tail] == now[now.size() - 1 - tail]) {
    ++tail;
  }
  const auto describe = [head](const std::vector<std::string_view>& lines,
                               size_t count) {
    if (count == 1) return Shorten(EscapeLine(lines[head]));
    return fmt::format("{} lines", count);
  };
  return {fmt::format("{}:{}", path, head + 1),
          describe(old, old.size() - head - tail),
          describe(now, now.size() - head - tail)};
}

// Files whose contents the manifest has.
std::set<std::string, std::less<>> ManifestFilesOf(const v1::Pack& pack) {
  std::set<std::string, std::less<>> files = {
      std::string(sim::kPackManifestPath)};
  files.insert(pack.include().begin(), pack.include().end());
  for (const v1::Table& table : pack.tables()) files.insert(table.file());
  return files;
}

// All of a comparison, and the pack that one change makes.
class PackComparison {
 public:
  PackComparison(const sim::PackArchive& before, const sim::PackArchive& after,
                 std::optional<size_t> applied)
      : before_(before), after_(after), applied_(applied) {
    sim::PackReport ignored;
    old_ = sim::ParseManifest(before, ignored);
    now_ = sim::ParseManifest(after, ignored);
    if (!ignored.ok()) {
      old_.reset();
      now_.reset();
    }
    if (old_ != nullptr && now_ != nullptr) CompareManifests();
    CompareFiles();
  }

  std::vector<PackChange> TakeChanges() { return std::move(changes_); }

  // The files of `before` with the change.
  absl::StatusOr<sim::PackArchive> MakePack() {
    if (*applied_ >= changes_.size()) {
      return absl::OutOfRangeError(
          fmt::format("there are {} changes", changes_.size()));
    }
    sim::PackArchive pack;
    for (const auto& [path, contents] : before_.files()) {
      if (replaced_.contains(path)) continue;
      const absl::Status status = pack.Add(path, contents);
      if (!status.ok()) return status;
    }
    for (const auto& [path, contents] : replaced_) {
      if (!contents.has_value()) continue;
      const absl::Status status = pack.Add(path, *contents);
      if (!status.ok()) return status;
    }
    return pack;
  }

 private:
  void CompareManifests() {
    v1::Pack changed = old_->pack;
    v1::Pack now = now_->pack;
    // Which file says what is no difference of the game.
    for (v1::Pack* const pack : {&changed, &now}) {
      pack->clear_include();
      pack->clear_tables();
    }
    ManifestComparison comparison(applied_);
    comparison.Compare(changed, now, "");
    changes_ = comparison.TakeChanges();
    if (!comparison.is_applied()) return;
    TextFormat::Printer printer;
    printer.SetExpandAny(true);
    std::string text;
    printer.PrintToString(changed, &text);
    replaced_[std::string(sim::kPackManifestPath)] = std::move(text);
  }

  void CompareFiles() {
    std::set<std::string, std::less<>> manifest;
    if (old_ != nullptr) {
      manifest = ManifestFilesOf(old_->pack);
      manifest.merge(ManifestFilesOf(now_->pack));
    }
    std::vector<std::string> respelled;
    for (const auto& [path, contents] : before_.files()) {
      const auto now = after_.Find(path);
      if (now == contents) continue;
      if (manifest.contains(path)) {
        respelled.push_back(path);
      } else if (now.has_value()) {
        ChangeFile(DescribeFile(EscapeLine(path), contents, *now), path);
      } else {
        ChangeFile({EscapeLine(path), fmt::format("{} bytes", contents.size()),
                    std::nullopt},
                   path);
      }
    }
    for (const auto& [path, contents] : after_.files()) {
      if (before_.Find(path).has_value()) continue;
      if (manifest.contains(path)) {
        respelled.push_back(path);
        continue;
      }
      ChangeFile({EscapeLine(path), std::nullopt,
                  fmt::format("{} bytes", contents.size())},
                 path);
    }
    if (!changes_.empty()) return;
    for (const std::string& path : respelled) {
      ChangeFile({EscapeLine(path), "the same data", "in another text"}, path);
    }
  }

  void ChangeFile(PackChange change, const std::string& path) {
    if (applied_ == changes_.size()) {
      const auto now = after_.Find(path);
      replaced_[path] =
          now.has_value() ? std::optional(std::string(*now)) : std::nullopt;
    }
    changes_.push_back(std::move(change));
  }

  const sim::PackArchive& before_;
  const sim::PackArchive& after_;
  const std::optional<size_t> applied_;
  std::unique_ptr<const sim::Manifest> old_;  // both, or none
  std::unique_ptr<const sim::Manifest> now_;
  std::vector<PackChange> changes_;
  // What takes the place of files; nullopt: nothing.
  std::map<std::string, std::optional<std::string>> replaced_;
};

}  // namespace

std::vector<PackChange> ComparePacksAsData(const sim::PackArchive& before,
                                           const sim::PackArchive& after) {
  return PackComparison(before, after, std::nullopt).TakeChanges();
}

absl::StatusOr<sim::PackArchive> ApplyPackChange(const sim::PackArchive& before,
                                                 const sim::PackArchive& after,
                                                 size_t index) {
  return PackComparison(before, after, index).MakePack();
}

std::string FormatPackChange(const PackChange& change) {
  if (!change.before.has_value()) {
    return fmt::format("{}: added, {}", change.path, *change.after);
  }
  if (!change.after.has_value()) {
    return fmt::format("{}: removed, {}", change.path, *change.before);
  }
  return fmt::format("{}: {} -> {}", change.path, *change.before,
                     *change.after);
}

std::string FormatPackChanges(std::span<const PackChange> changes,
                              size_t lines_max) {
  std::string text;
  for (size_t i = 0; i < std::min(changes.size(), lines_max); ++i) {
    text += FormatPackChange(changes[i]) + "\n";
  }
  if (changes.size() > lines_max) {
    text += fmt::format("and {} more changes of the pack\n",
                        changes.size() - lines_max);
  }
  return text;
}

}  // namespace reprise::tools
