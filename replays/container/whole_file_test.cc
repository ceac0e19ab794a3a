// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that who reads a large file whole is called on the way, by bytes and
// not by what stands in them, and that no flipped byte goes by.

#include "replays/container/whole_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_writer.h"

namespace reprise::replays {
namespace {

absl::Status GoOn() { return absl::OkStatus(); }

// One attachment of so many bytes, and nothing else.
Bytes FileOf(size_t size) {
  Bytes file;
  MemorySink sink(&file);
  const std::unique_ptr<McapWriter> writer =
      *McapWriter::Create({.profile = "test", .library = "test"}, &sink);
  Bytes data(size);
  for (size_t i = 0; i < size; ++i) data[i] = static_cast<std::byte>(i * 7);
  EXPECT_TRUE(writer
                  ->AddAttachment({.name = "data",
                                   .media_type = "application/octet-stream",
                                   .data = data})
                  .ok());
  EXPECT_TRUE(writer->Finish().ok());
  return file;
}

absl::StatusOr<std::unique_ptr<McapReader>> Open(const Bytes& file) {
  return McapReader::Open(std::make_unique<MemorySource>(file));
}

TEST(WholeFileTest, EachMebibyteIsTold) {
  const Bytes file = FileOf(9 * kBytesBetweenCalls);
  const std::unique_ptr<McapReader> reader = *Open(file);
  uint64_t calls = 0;

  const absl::Status status = CheckWholeFile(*reader, [&calls] {
    ++calls;
    return absl::OkStatus();
  });

  EXPECT_TRUE(status.ok()) << status;
  EXPECT_GE(calls, 9u);
  EXPECT_LE(calls, 10u);
}

TEST(WholeFileTest, ErrorOfTheCallerEndsTheReading) {
  const Bytes file = FileOf(3 * kBytesBetweenCalls);
  const std::unique_ptr<McapReader> reader = *Open(file);
  int calls = 0;

  const absl::Status status = CheckWholeFile(*reader, [&calls] {
    return ++calls == 2 ? absl::CancelledError("no longer wanted")
                        : absl::OkStatus();
  });

  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_EQ(calls, 2);
}

TEST(WholeFileTest, EachFlippedByteIsFoundAsByTheReaderItself) {
  const Bytes right = FileOf(300);
  EXPECT_TRUE(CheckWholeFile(**Open(right), GoOn).ok());
  for (size_t place = 0; place < right.size(); ++place) {
    Bytes file = right;
    file[place] ^= std::byte{4};
    const absl::StatusOr<std::unique_ptr<McapReader>> reader = Open(file);
    if (!reader.ok()) continue;
    const absl::Status status = CheckWholeFile(**reader, GoOn);
    EXPECT_FALSE(status.ok()) << place;
    EXPECT_EQ(status, (*reader)->VerifyWholeFile()) << place;
  }
}

}  // namespace
}  // namespace reprise::replays
