// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/messages/bounded_message.h"

#include <climits>
#include <map>
#include <memory>
#include <optional>

#include "fmt/format.h"
#include "google/protobuf/descriptor.h"

namespace reprise::replays {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::MessageFactory;

// No message of ours takes as many bytes for one of its own: what is shorter
// than this stays below the bound, whatever it holds.
constexpr uint64_t kExpansionMax = 512;
constexpr uint64_t kAlwaysFits = kMessageMemoryBytes / kExpansionMax;

// What a part costs beside its own bytes: the allocation's, and its place in a
// list that grows by doubling.
constexpr uint64_t kAllocationBytes = 16;
constexpr uint64_t kPlaceBytes = 2 * sizeof(void*);
constexpr uint64_t kStringBytes = 32 + 2 * kAllocationBytes + kPlaceBytes;
constexpr uint64_t kUnknownFieldBytes = 2 * 16 + kStringBytes;
constexpr uint64_t kScalarBytes = 2 * sizeof(uint64_t);

// As protobuf's own parser.
constexpr int kNestingMax = 100;

// The wire types of the encoding.
enum WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

std::optional<uint64_t> TakeVarint(std::span<const std::byte>& data) {
  uint64_t value = 0;
  for (size_t i = 0; i < data.size() && i < 10; ++i) {
    const auto byte = std::to_integer<uint64_t>(data[i]);
    value |= (byte & 0x7F) << (7 * i);
    if (byte >= 0x80) continue;
    data = data.subspan(i + 1);
    return value;
  }
  return std::nullopt;
}

// The wire type that a number of this field has outside of packed lists.
WireType WireTypeOf(const FieldDescriptor& field) {
  switch (field.type()) {
    case FieldDescriptor::TYPE_FIXED64:
    case FieldDescriptor::TYPE_SFIXED64:
    case FieldDescriptor::TYPE_DOUBLE:
      return kFixed64;
    case FieldDescriptor::TYPE_FIXED32:
    case FieldDescriptor::TYPE_SFIXED32:
    case FieldDescriptor::TYPE_FLOAT:
      return kFixed32;
    case FieldDescriptor::TYPE_MESSAGE:
    case FieldDescriptor::TYPE_STRING:
    case FieldDescriptor::TYPE_BYTES:
      return kBytes;
    default:
      return kVarint;
  }
}

// What the parser takes for a field of ours; it keeps all others as unknown.
bool IsKnown(const FieldDescriptor* field, uint64_t wire_type) {
  if (field == nullptr) return false;
  return WireTypeOf(*field) == wire_type ||
         (wire_type == kBytes && field->is_packable());
}

class MemoryMeasure {
 public:
  explicit MemoryMeasure(uint64_t bytes_max) : bytes_max_(bytes_max) {}

  // False: `data` is no message, or passes the bound.
  bool Add(std::span<const std::byte> data, const Descriptor& type,
           int nesting = 0) {
    while (!data.empty()) {
      const std::optional<uint64_t> tag = TakeVarint(data);
      if (!tag.has_value() || *tag >> 3 > FieldDescriptor::kMaxNumber) {
        return false;
      }
      const FieldDescriptor* const field =
          type.FindFieldByNumber(static_cast<int>(*tag >> 3));
      if (!AddField(data, field, *tag & 7, nesting)) return false;
      if (bytes_ > bytes_max_) return false;
    }
    return true;
  }

  uint64_t bytes() const { return bytes_; }

 private:
  bool AddField(std::span<const std::byte>& data, const FieldDescriptor* field,
                uint64_t wire_type, int nesting) {
    if (!IsKnown(field, wire_type)) {
      bytes_ += kUnknownFieldBytes;
      field = nullptr;
    }
    switch (wire_type) {
      case kVarint:
        bytes_ += kScalarBytes;
        return TakeVarint(data).has_value();
      case kFixed64:
        return Skip(data, sizeof(uint64_t));
      case kFixed32:
        return Skip(data, sizeof(uint32_t));
      case kBytes:
        return AddBytes(data, field, nesting);
      default:  // groups, which nothing of ours has
        return false;
    }
  }

  bool Skip(std::span<const std::byte>& data, uint64_t size) {
    bytes_ += kScalarBytes;
    if (size > data.size()) return false;
    data = data.subspan(size);
    return true;
  }

  bool AddBytes(std::span<const std::byte>& data, const FieldDescriptor* field,
                int nesting) {
    const std::optional<uint64_t> size = TakeVarint(data);
    if (!size.has_value() || *size > data.size()) return false;
    const std::span<const std::byte> content = data.first(*size);
    data = data.subspan(*size);
    if (field == nullptr) {
      bytes_ += content.size();
      return true;
    }
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        bytes_ += SizeOf(*field->message_type());
        return nesting < kNestingMax &&
               Add(content, *field->message_type(), nesting + 1);
      case FieldDescriptor::CPPTYPE_STRING:
        bytes_ += kStringBytes + content.size();
        return true;
      default:
        bytes_ += PackedExpansion(*field) * content.size();
        return true;
    }
  }

  // Of a packed list, which grows by doubling.
  static uint64_t PackedExpansion(const FieldDescriptor& field) {
    // Of the others, a number may be a byte.
    return WireTypeOf(field) == kVarint ? kScalarBytes : 2;
  }

  uint64_t SizeOf(const Descriptor& type) {
    const auto [size, is_new] = sizes_.try_emplace(&type);
    if (is_new) {
      size->second = kAllocationBytes + kPlaceBytes +
                     MessageFactory::generated_factory()
                         ->GetPrototype(&type)
                         ->SpaceUsedLong();
    }
    return size->second;
  }

  const uint64_t bytes_max_;
  uint64_t bytes_ = 0;
  std::map<const Descriptor*, uint64_t> sizes_;  // only looked up
};

}  // namespace

absl::Status ParseBounded(std::span<const std::byte> data,
                          google::protobuf::Message& message) {
  // A message that is cleared keeps what it had for the next.
  const std::unique_ptr<google::protobuf::Message> fresh(message.New());
  message.GetReflection()->Swap(&message, fresh.get());
  const uint64_t bytes_max =
      kMessageMemoryBytes + kMessageMemoryFactor * data.size();
  if (data.size() > kAlwaysFits) {
    MemoryMeasure measure(bytes_max);
    const bool fits = measure.Add(data, *message.GetDescriptor());
    if (!fits && measure.bytes() > bytes_max) {
      return absl::DataLossError(
          fmt::format("its {} bytes would unpack into more than {}",
                      data.size(), bytes_max));
    }
  }
  if (data.size() <= INT_MAX &&
      message.ParseFromArray(data.data(), static_cast<int>(data.size()))) {
    return absl::OkStatus();
  }
  message.Clear();
  return absl::DataLossError("no message of the topic's type");
}

}  // namespace reprise::replays
