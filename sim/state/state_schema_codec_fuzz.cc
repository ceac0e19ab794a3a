// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what reads the schemas of states, for crashes and for work without
// bound. An input is the size of a schema (2 bytes, little-endian), the schema,
// and what a snapshot of its tables holds behind the shape digest. A schema
// that is taken has to be written as the same bytes again.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/base/digest.h"
#include "sim/state/state.h"
#include "sim/state/state_codec.h"
#include "sim/state/state_schema_codec.h"

namespace reprise::sim {
namespace {

constexpr size_t kSizeBytes = 2;
// In front of the rows of a snapshot: what it is, and the shape digest.
constexpr size_t kSnapshotHeadBytes = 16;

void Decode(std::span<const std::byte> schema,
            std::span<const std::byte> rows) {
  const absl::StatusOr<State> shape = DecodeStateSchema(schema);
  if (!shape.ok()) return;
  const absl::StatusOr<std::string> again = EncodeStateSchema(*shape);
  CHECK(again.ok(), "{}", again.status().ToString());
  CHECK(std::ranges::equal(std::as_bytes(std::span(*again)), schema));
  std::string snapshot = EncodeState(*shape).substr(0, kSnapshotHeadBytes);
  snapshot.append(reinterpret_cast<const char*>(rows.data()), rows.size());
  const absl::StatusOr<State> state =
      DecodeState(std::as_bytes(std::span(snapshot)), *shape);
  CHECK(!state.ok() || EncodeState(*state) == snapshot);
}

}  // namespace
}  // namespace reprise::sim

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using reprise::sim::kSizeBytes;
  const auto bytes = std::as_bytes(std::span(data, size));
  if (size < kSizeBytes) return 0;
  const size_t schema_size =
      std::min<size_t>(data[0] | data[1] << 8, size - kSizeBytes);
  const auto rest = bytes.subspan(kSizeBytes);
  reprise::sim::Decode(rest.first(schema_size), rest.subspan(schema_size));
  return 0;
}
