// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/type_inheritance.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "reprise/v1/geometry.pb.h"
#include "reprise/v1/value.pb.h"

namespace reprise::sim {
namespace {

using google::protobuf::Any;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MessageFactory;
using google::protobuf::Reflection;

std::vector<const FieldDescriptor*> FieldsOf(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  message.GetReflection()->ListFields(message, &fields);
  return fields;
}

bool IsMessage(const FieldDescriptor& field) {
  return field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
}

// Whether a message is one value to people: its fields make no sense alone.
bool IsValue(const Descriptor& message) {
  return &message == v1::Vector2::descriptor() ||
         &message == v1::Vector3::descriptor() ||
         &message == v1::Value::descriptor();
}

bool IsSet(const Message& message, const FieldDescriptor& field) {
  const Reflection& reflection = *message.GetReflection();
  return field.is_repeated() ? reflection.FieldSize(message, &field) > 0
                             : reflection.HasField(message, &field);
}

// Clears in `base` what `own` says as a whole.
void ClearReplaced(const Message& own, Message& base) {
  for (const FieldDescriptor* const field : FieldsOf(own)) {
    if (!IsSet(base, *field)) continue;
    if (field->is_repeated() ||
        (IsMessage(*field) && IsValue(*field->message_type()))) {
      base.GetReflection()->ClearField(&base, field);
    } else if (IsMessage(*field)) {
      ClearReplaced(own.GetReflection()->GetMessage(own, field),
                    *base.GetReflection()->MutableMessage(&base, field));
    }
  }
}

void Inherit(const Message& base, Message& own) {
  const std::unique_ptr<Message> merged(base.New());
  merged->CopyFrom(base);
  ClearReplaced(own, *merged);
  merged->MergeFrom(own);
  own.GetReflection()->Swap(&own, merged.get());
}

// Of a message of a program's system; what can't be read is reported where it
// is compiled.
void InheritOwnMessage(const Any& base, Any& own) {
  const std::string_view url = own.type_url();
  const Descriptor* const descriptor =
      google::protobuf::DescriptorPool::generated_pool()->FindMessageTypeByName(
          std::string(url.substr(url.rfind('/') + 1)));
  if (descriptor == nullptr) return;
  const Message* const prototype =
      MessageFactory::generated_factory()->GetPrototype(descriptor);
  const std::unique_ptr<Message> from(prototype->New());
  const std::unique_ptr<Message> to(prototype->New());
  if (!base.UnpackTo(from.get()) || !own.UnpackTo(to.get())) return;
  Inherit(*from, *to);
  own.set_value(to->SerializeAsString());
}

const Any* FindOwnMessage(const v1::Type& type, const Any& like) {
  for (const Any& each : type.systems()) {
    if (each.type_url() == like.type_url()) return &each;
  }
  return nullptr;
}

// Whether a field of a type is a message that a type extending it inherits by
// what it says. Lists (components, behaviours, timers) have rules of their own.
bool IsInheritedMessage(const FieldDescriptor& field) {
  return IsMessage(field) && !field.is_repeated();
}

// How many types each one extends, one after the other, more than kBasesMax for
// those of a ring; each type is looked at once, however long rows are.
std::vector<size_t> CountBases(std::span<const int> bases) {
  constexpr size_t kUnknown = SIZE_MAX;
  std::vector<size_t> counts(bases.size(), kUnknown);
  std::vector<int> row;
  for (size_t i = 0; i < bases.size(); ++i) {
    row.clear();
    int next = static_cast<int>(i);
    for (; next >= 0 && counts[next] == kUnknown; next = bases[next]) {
      counts[next] = kBasesMax + 1;  // where this row leads back to it
      row.push_back(next);
    }
    size_t count = next < 0 ? 0 : std::min(counts[next], kBasesMax) + 1;
    for (size_t k = row.size(); k-- > 0; ++count) counts[row[k]] = count;
  }
  return counts;
}

}  // namespace

v1::Type CompleteMessages(const v1::Type& base, v1::Type type) {
  for (const FieldDescriptor* const field : FieldsOf(base)) {
    if (!IsInheritedMessage(*field) || !IsSet(type, *field)) continue;
    Inherit(base.GetReflection()->GetMessage(base, field),
            *type.GetReflection()->MutableMessage(&type, field));
  }
  for (Any& own : *type.mutable_systems()) {
    const Any* const inherited = FindOwnMessage(base, own);
    if (inherited != nullptr) InheritOwnMessage(*inherited, own);
  }
  return type;
}

v1::Type CompleteType(const v1::Type& base, v1::Type type) {
  for (const FieldDescriptor* const field : FieldsOf(base)) {
    if (!IsInheritedMessage(*field) || IsSet(type, *field)) continue;
    type.GetReflection()
        ->MutableMessage(&type, field)
        ->CopyFrom(base.GetReflection()->GetMessage(base, field));
  }
  for (const Any& inherited : base.systems()) {
    if (FindOwnMessage(type, inherited) == nullptr) {
      *type.add_systems() = inherited;
    }
  }
  // Inherited as they are compiled.
  type.clear_components();
  type.clear_behaviours();
  type.clear_interests();
  type.clear_timers();
  return type;
}

void CompleteTypes(v1::Pack& pack) {
  std::map<std::string_view, int> indexes;
  for (int i = 0; i < pack.types_size(); ++i) {
    indexes.emplace(pack.types(i).name(), i);
  }
  // What each type extends; -1: nothing that is there.
  std::vector<int> bases(pack.types_size(), -1);
  for (int i = 0; i < pack.types_size(); ++i) {
    const std::string& base = pack.types(i).extends();
    const auto found = indexes.find(base);
    if (!base.empty() && found != indexes.end()) bases[i] = found->second;
  }
  const std::vector<size_t> counts = CountBases(bases);
  std::map<int, v1::Type> complete;  // of those that extend others
  for (int i = 0; i < pack.types_size(); ++i) {
    if (counts[i] > kBasesMax) continue;
    // The type and those that it extends, which aren't complete yet.
    std::vector<int> row;
    for (int next = i; bases[next] >= 0 && !complete.contains(next);
         next = bases[next]) {
      row.push_back(next);
    }
    for (size_t k = row.size(); k-- > 0;) {
      v1::Type& type = *pack.mutable_types(row[k]);
      const int base = bases[row[k]];
      const auto inherited = complete.find(base);
      const v1::Type& of_base =
          inherited == complete.end() ? pack.types(base) : inherited->second;
      type = CompleteMessages(of_base, std::move(type));
      complete.emplace(row[k], CompleteType(of_base, type));
    }
  }
}

}  // namespace reprise::sim
