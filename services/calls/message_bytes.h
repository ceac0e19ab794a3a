// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Messages from and to the bytes that gRPC carries. We parse them ourselves:
// gRPC answers a request that can't be parsed with INTERNAL, as if the server
// were at fault, and takes such an item of a stream for the stream's end.

#ifndef REPRISE_SERVICES_CALLS_MESSAGE_BYTES_H_
#define REPRISE_SERVICES_CALLS_MESSAGE_BYTES_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "grpcpp/impl/codegen/proto_utils.h"
#include "grpcpp/support/byte_buffer.h"
#include "services/base/status.h"
#include "sim/base/check.h"

namespace reprise::services {

// INVALID_ARGUMENT: `bytes` are no such message.
template <typename Message>
absl::Status ParseMessage(const grpc::ByteBuffer& bytes, Message& message) {
  grpc::ByteBuffer shared = bytes;  // which parsing clears
  if (grpc::SerializationTraits<Message>::Deserialize(&shared, &message).ok()) {
    return absl::OkStatus();
  }
  return WithReason(absl::InvalidArgumentError(absl::StrCat(
                        "a message is no ", Message::descriptor()->name())),
                    "MESSAGE_MALFORMED");
}

// Puts `message` in the place of what `bytes` holds.
template <typename Message>
void SerializeMessage(const Message& message, grpc::ByteBuffer& bytes) {
  bytes.Clear();
  bool owned = false;
  CHECK(grpc::SerializationTraits<Message>::Serialize(message, &bytes, &owned)
            .ok());
}

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_MESSAGE_BYTES_H_
