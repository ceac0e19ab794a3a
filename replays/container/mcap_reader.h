// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Reads an MCAP file of our profile (FORMAT.md). A damaged file is refused, or
// gives exactly what was written, or, cut off, a prefix of it and says so:
// never silently something else. Memory stays bounded whatever the bytes are.

#ifndef REPRISE_REPLAYS_CONTAINER_MCAP_READER_H_
#define REPRISE_REPLAYS_CONTAINER_MCAP_READER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"
#include "replays/container/mcap_records.h"
#include "replays/container/mcap_scan.h"
#include "replays/container/mcap_summary.h"

namespace reprise::replays {

struct McapReaderOptions {
  // The profile that the file must have; empty for any.
  std::string profile;

  // Stands before the message of every error; empty: nothing does.
  std::string name = "";

  // Opens even where metadata or an attachment is damaged, without it, and
  // where the front is, if the file has a good end.
  McapScanMode mode = McapScanMode::kStrict;

  // Called while opening, for oddities that don't stop it.
  std::function<void(const absl::Status&)> on_problem;
};

// How a file without a usable end was read.
struct McapRecovery {
  absl::Status end_problem;   // What is wrong with the file's end.
  absl::Status data_problem;  // What ended the data, or OK if all is there.
  uint64_t bytes_kept = 0;
  uint64_t bytes_lost = 0;  // Behind them; 0 if all the data is there.
  // What is lost is a record that was begun, as a writer that dies leaves it,
  // and not one that is there and wrong.
  bool is_torn = false;
};

// Safe for concurrent access without external synchronization, once opened.
class McapReader {
 public:
  // An error ends the iteration and is its result.
  using MessageVisitor = absl::FunctionRef<absl::Status(
      const McapChannel& channel, const McapMessage& message)>;

  // Opens by the summary at the file's end, at a cost that doesn't grow with
  // the messages, and with a SummaryFront not with the file either; without a
  // summary by reading everything before, and then recovery() says so.
  // INVALID_ARGUMENT for what isn't MCAP or has another profile, UNIMPLEMENTED
  // for another major version, DATA_LOSS for damage.
  static absl::StatusOr<std::unique_ptr<McapReader>> Open(
      std::unique_ptr<const ByteSource> source,
      const McapReaderOptions& options = {});

  McapReader(const McapReader&) = delete;
  McapReader& operator=(const McapReader&) = delete;

  // Takes over what was appended to the file since. `source` replaces the one
  // before and begins with the same bytes. What was read stays as it is; more
  // chunks may follow. Nothing happens to a file that has its end. DATA_LOSS:
  // it has shrunk, or its end contradicts it. Not safe beside any other call.
  absl::Status Extend(std::unique_ptr<const ByteSource> source);

  const McapHeader& header() const { return header_; }
  const std::optional<McapRecovery>& recovery() const { return recovery_; }

  // The error with this file's name before its message, once.
  absl::Status Named(const absl::Status& status) const;

  // DATA_LOSS with the place of the second, if two metadata records or two
  // attachments have that name.
  absl::Status CheckSingle(std::string_view name) const;

  // In the file's order. FindMetadata gives the last of that name, or nullptr.
  std::span<const McapMetadata> metadata() const { return scan_.metadata; }
  const McapMetadata* FindMetadata(std::string_view name) const;

  // By id. FindChannel gives the first channel of that topic, or nullptr.
  const std::map<uint16_t, McapSchema>& schemas() const;
  const std::map<uint16_t, McapChannel>& channels() const;
  const McapChannel* FindChannel(std::string_view topic) const;

  // In the file's order. FindAttachment gives the first of that name, or
  // nullptr; ReadAttachment its data. REQUIRES: `attachment` is one of ours.
  std::span<const McapAttachmentIndex> attachments() const;
  const McapAttachmentIndex* FindAttachment(std::string_view name) const;
  absl::StatusOr<Bytes> ReadAttachment(
      const McapAttachmentIndex& attachment) const;

  // Counts, and times over all messages.
  McapStatistics Statistics() const;

  // Chunks in the file's order, each with the times of its first and last
  // message and the channels that have messages in it. Valid until Extend. A
  // file that was opened by its end reads them when they are first asked for;
  // an error, DATA_LOSS if they are damaged, stays.
  absl::StatusOr<std::span<const McapChunkIndex>> Chunks() const;

  // The last of them, or nullptr; for it the others aren't read.
  const McapChunkIndex* LastChunk() const;

  // Visits messages in the file's order: of one chunk, of all, or of one topic,
  // for which chunks without it are not even read. A visitor may have seen
  // messages before DATA_LOSS is found behind them, but only right ones.
  // REQUIRES: `chunk` is one of ours.
  absl::Status ForEachMessageInChunk(const McapChunkIndex& chunk,
                                     MessageVisitor visit) const;
  absl::Status ForEachMessage(MessageVisitor visit) const;
  absl::Status ForEachMessage(std::string_view topic,
                              MessageVisitor visit) const;

  // What the writer of the bytes before `end` knew when it had written them.
  // They are read again and checked. DATA_LOSS unless whole chunks end there.
  absl::StatusOr<McapSummary> SummaryUpTo(uint64_t end) const;

  // The bytes underneath. They live as long as this reader, or until Extend.
  const ByteSource& source() const { return *source_; }

  // Reads every byte and holds it against the checksums, those included that
  // reading messages doesn't need. DATA_LOSS if one doesn't fit, with the place
  // of the smallest part that shows it, or if the file has no usable end.
  absl::Status VerifyWholeFile() const;

 private:
  McapReader(std::unique_ptr<const ByteSource> source, std::string name);

  absl::Status ReadFile(const McapReaderOptions& options);
  absl::Status ReadFront(const McapReaderOptions& options);
  absl::Status GoOnWithoutFront(const absl::Status& problem,
                                const McapReaderOptions& options);
  absl::Status ReadIndexedMetadata(const McapReaderOptions& options);
  absl::Status Recover(absl::Status end_problem,
                       const McapReaderOptions& options);
  void NoteRecovery(absl::Status end_problem);
  absl::Status CheckDataSection() const;
  absl::Status FindDamagedPart() const;
  absl::Status VisitTopic(std::optional<std::string_view> topic,
                          MessageVisitor visit) const;

  std::unique_ptr<const ByteSource> source_;
  const std::string name_;
  McapHeader header_;
  uint64_t data_begin_ = 0;  // Behind the header.
  McapScan scan_;            // Of a file with a good end: what that end says.
  std::optional<McapRecovery> recovery_;

  // Where there is this, scan_ has no chunks; they are in chunks_, once read.
  std::optional<McapUnreadChunks> unread_chunks_;
  mutable std::once_flag chunks_read_;
  mutable absl::StatusOr<std::vector<McapChunkIndex>> chunks_;
};

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_MCAP_READER_H_
