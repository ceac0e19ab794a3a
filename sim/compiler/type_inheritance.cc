// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/type_inheritance.h"

#include <map>
#include <memory>
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
  std::map<int, v1::Type> complete;  // of those that extend others
  for (int i = 0; i < pack.types_size(); ++i) {
    // The type and those that it extends, which aren't complete yet.
    std::vector<int> row;
    for (int next = i; !complete.contains(next);) {
      const std::string& base = pack.types(next).extends();
      const auto found = indexes.find(base);
      if (base.empty() || found == indexes.end()) break;
      row.push_back(next);
      if (row.size() > kBasesMax) break;
      next = found->second;
    }
    if (row.size() > kBasesMax) continue;
    for (size_t k = row.size(); k-- > 0;) {
      v1::Type& type = *pack.mutable_types(row[k]);
      const int base = indexes.find(type.extends())->second;
      const auto inherited = complete.find(base);
      const v1::Type& of_base =
          inherited == complete.end() ? pack.types(base) : inherited->second;
      type = CompleteMessages(of_base, std::move(type));
      complete.emplace(row[k], CompleteType(of_base, type));
    }
  }
}

}  // namespace reprise::sim
