// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/mcap_reader.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "fmt/format.h"
#include "replays/container/mcap_chunk.h"
#include "replays/container/mcap_encoding.h"
#include "replays/container/mcap_scan.h"
#include "replays/container/mcap_source.h"
#include "replays/container/named_error.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

// The place of the major version in the magic.
constexpr size_t kMagicVersion = 5;

absl::Status CheckMagic(const ByteSource& source) {
  const absl::Status refused = absl::InvalidArgumentError("not an MCAP file");
  std::array<std::byte, kMcapMagic.size()> magic;
  if (source.size() < magic.size()) return refused;
  if (auto status = source.ReadAt(0, magic); !status.ok()) return status;
  const std::byte version = magic[kMagicVersion];
  magic[kMagicVersion] = kMcapMagic[kMagicVersion];
  if (magic != kMcapMagic) return refused;
  if (version == kMcapMagic[kMagicVersion]) return absl::OkStatus();
  return absl::UnimplementedError(
      fmt::format("MCAP of major version {:#04x}, this reads {:#04x}",
                  std::to_integer<int>(version),
                  std::to_integer<int>(kMcapMagic[kMagicVersion])));
}

// What stands in front of the records has no checksum, but the index has one
// and says the same.
absl::Status CheckAgainstIndex(const McapChunk& chunk,
                               const McapChunkIndex& index) {
  if (chunk.message_start_time_ns == index.message_start_time_ns &&
      chunk.message_end_time_ns == index.message_end_time_ns &&
      chunk.compression == index.compression &&
      chunk.records.size() == index.compressed_size &&
      chunk.uncompressed_size == index.uncompressed_size) {
    return absl::OkStatus();
  }
  return absl::DataLossError("chunk: its head differs from the index");
}

// Whoever looks for a topic goes by the indexes, so a chunk has to hold
// messages of those channels that its index names, and of no other.
class IndexedChannels {
 public:
  explicit IndexedChannels(const McapChunkIndex& index) {
    for (const auto& [id, offset] : index.message_index_offsets) {
      has_message_.emplace(id, false);
    }
  }

  absl::Status Take(const McapChannel& channel) {
    const auto found = has_message_.find(channel.id);
    if (found == has_message_.end()) {
      return absl::DataLossError(
          fmt::format("chunk: a message of channel {} ({}), which its index "
                      "doesn't name",
                      channel.id, channel.topic));
    }
    found->second = true;
    return absl::OkStatus();
  }

  absl::Status CheckAll() const {
    for (const auto& [id, has_message] : has_message_) {
      if (has_message) continue;
      return absl::DataLossError(fmt::format(
          "chunk: no message of channel {}, which its index names", id));
    }
    return absl::OkStatus();
  }

 private:
  std::map<uint16_t, bool> has_message_;
};

// Definitions inside a chunk have to be those of the summary.
template <typename T>
absl::Status CheckDefinition(const T& definition, const T* known) {
  if (known != nullptr && *known == definition) return absl::OkStatus();
  return absl::DataLossError(fmt::format(
      "chunk: the definition {} differs from the summary's", definition.id));
}

absl::StatusOr<McapMetadata> ReadMetadata(const ByteSource& source,
                                          const McapMetadataIndex& index,
                                          uint64_t data_end) {
  const auto content =
      ReadIndexedRecord(source, McapOpcode::kMetadata, index.offset,
                        index.length, data_end, kMcapMetadataBytesMax);
  if (!content.ok()) return content.status();
  auto metadata = DecodeMetadata(*content);
  if (!metadata.ok()) return AtOffset(index.offset, metadata.status());
  if (metadata->name != index.name) {
    return AtOffset(index.offset, absl::DataLossError(fmt::format(
                                      "metadata {}, the index says {}",
                                      metadata->name, index.name)));
  }
  return metadata;
}

template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

}  // namespace

McapReader::McapReader(std::unique_ptr<const ByteSource> source,
                       std::string name)
    : source_(std::move(source)), name_(std::move(name)) {}

absl::StatusOr<std::unique_ptr<McapReader>> McapReader::Open(
    std::unique_ptr<const ByteSource> source,
    const McapReaderOptions& options) {
  CHECK(source != nullptr);
  std::unique_ptr<McapReader> reader(
      new McapReader(std::move(source), options.name));
  auto status = reader->ReadFile(options);
  if (!status.ok()) return reader->Named(status);
  return reader;
}

absl::Status McapReader::ReadFile(const McapReaderOptions& options) {
  const absl::Status front = ReadFront(options);
  if (options.mode == McapScanMode::kStrict) {
    if (!front.ok()) return front;
    auto outline = ReadSummaryOutline(*source_);
    if (outline.has_value()) {
      scan_.summary = std::move(outline->summary);
      unread_chunks_ = std::move(outline->chunks);
      return ReadIndexedMetadata(options);
    }
  }
  auto summary = ReadSummary(*source_);
  if (summary.ok()) {
    scan_.summary = *std::move(summary);
    if (!front.ok()) {
      auto status = GoOnWithoutFront(front, options);
      if (!status.ok()) return status;
    }
    return ReadIndexedMetadata(options);
  }
  // Without front and end nothing says what the file is.
  if (!front.ok()) return front;
  if (!absl::IsDataLoss(summary.status())) return summary.status();
  return Recover(summary.status(), options);
}

absl::Status McapReader::GoOnWithoutFront(const absl::Status& problem,
                                          const McapReaderOptions& options) {
  // A file of another kind is whole; a damaged one of ours isn't.
  if (!absl::IsDataLoss(CheckDataSection())) return problem;
  header_ = {.profile = options.profile, .library = ""};
  data_begin_ = kMcapMagic.size();
  if (options.on_problem) {
    options.on_problem(absl::DataLossError(
        fmt::format("the file's front: {}", std::string(problem.message()))));
  }
  return absl::OkStatus();
}

absl::Status McapReader::ReadFront(const McapReaderOptions& options) {
  if (auto status = CheckMagic(*source_); !status.ok()) return status;
  const uint64_t offset = kMcapMagic.size();
  const auto prefix = ReadRecordPrefix(*source_, offset, source_->size());
  if (!prefix.ok()) return prefix.status();
  if (prefix->opcode != McapOpcode::kHeader) {
    return AtOffset(offset, absl::DataLossError("no Header record"));
  }
  const auto content =
      ReadRecordContent(*source_, offset, *prefix, 2 * kMcapNameBytesMax);
  if (!content.ok()) return AtOffset(offset, content.status());
  auto header = DecodeHeader(*content);
  if (!header.ok()) return AtOffset(offset, header.status());
  if (!options.profile.empty() && header->profile != options.profile) {
    return absl::InvalidArgumentError(
        fmt::format("an MCAP file of profile \"{}\", not \"{}\"",
                    header->profile, options.profile));
  }
  header_ = *std::move(header);
  data_begin_ = offset + prefix->record_length();
  return absl::OkStatus();
}

absl::Status McapReader::ReadIndexedMetadata(const McapReaderOptions& options) {
  for (const McapMetadataIndex& index : scan_.summary.metadata) {
    auto metadata = ReadMetadata(*source_, index, scan_.summary.data_end);
    if (metadata.ok()) {
      scan_.metadata.push_back(*std::move(metadata));
    } else if (options.mode == McapScanMode::kStrict ||
               !absl::IsDataLoss(metadata.status())) {
      return metadata.status();
    } else if (options.on_problem) {
      options.on_problem(metadata.status());
    }
  }
  return absl::OkStatus();
}

absl::Status McapReader::Recover(absl::Status end_problem,
                                 const McapReaderOptions& options) {
  const auto report = [&](const absl::Status& problem) {
    if (options.on_problem) options.on_problem(problem);
  };
  report(end_problem);
  scan_.summary.data_end = data_begin_;
  const auto status =
      ContinueScan(*source_, source_->size(), options.mode, report, scan_);
  if (!status.ok()) return status;
  if (!scan_.stop.ok()) report(scan_.stop);
  NoteRecovery(std::move(end_problem));
  return absl::OkStatus();
}

void McapReader::NoteRecovery(absl::Status end_problem) {
  const uint64_t bytes_kept = scan_.summary.data_end;
  recovery_ = {
      .end_problem = std::move(end_problem),
      .data_problem = scan_.stop,
      .bytes_kept = bytes_kept,
      .bytes_lost = scan_.stop.ok() ? 0 : source_->size() - bytes_kept,
      .is_torn = !ReadRecordPrefix(*source_, bytes_kept, source_->size()).ok()};
}

absl::Status McapReader::Extend(std::unique_ptr<const ByteSource> source) {
  CHECK(source != nullptr);
  if (!recovery_.has_value()) return absl::OkStatus();
  if (source->size() < source_->size()) {
    return Named(absl::DataLossError(
        fmt::format("the file has shrunk from {} to {} bytes", source_->size(),
                    source->size())));
  }
  source_ = std::move(source);
  const auto status = ContinueScan(
      *source_, source_->size(), McapScanMode::kStrict, [](const auto&) {},
      scan_);
  if (!status.ok()) return Named(status);
  // A file that has its end now says the same there.
  auto summary = ReadSummary(*source_);
  if (summary.ok()) {
    recovery_.reset();
  } else {
    NoteRecovery(summary.status());
  }
  return absl::OkStatus();
}

absl::StatusOr<McapSummary> McapReader::SummaryUpTo(uint64_t end) const {
  if (end < data_begin_ || end > source_->size()) {
    return Named(absl::DataLossError(
        fmt::format("no data section ends at offset {}", end)));
  }
  McapScan scan;
  scan.summary.data_end = data_begin_;
  const auto status = ContinueScan(
      *source_, end, McapScanMode::kStrict, [](const auto&) {}, scan);
  if (!status.ok()) return Named(status);
  if (scan.summary.data_end != end || !scan.channels_to_index.empty()) {
    return Named(absl::DataLossError(
        fmt::format("no whole chunk ends at offset {}: {}", end,
                    std::string(scan.stop.message()))));
  }
  return std::move(scan.summary);
}

absl::Status McapReader::Named(const absl::Status& status) const {
  return NamedError(name_, status);
}

absl::Status McapReader::CheckSingle(std::string_view name) const {
  const auto check = [&](std::string_view kind, const auto& records) {
    bool is_known = false;
    for (const auto& record : records) {
      if (record.name != name) continue;
      if (is_known) {
        return Named(AtOffset(
            record.offset,
            absl::DataLossError(fmt::format("a second {} {}", kind, name))));
      }
      is_known = true;
    }
    return absl::OkStatus();
  };
  auto status = check("metadata record", scan_.summary.metadata);
  if (status.ok()) status = check("attachment", scan_.summary.attachments);
  return status;
}

const McapMetadata* McapReader::FindMetadata(std::string_view name) const {
  const auto found = std::find_if(
      scan_.metadata.rbegin(), scan_.metadata.rend(),
      [&](const McapMetadata& metadata) { return metadata.name == name; });
  return found == scan_.metadata.rend() ? nullptr : &*found;
}

const std::map<uint16_t, McapSchema>& McapReader::schemas() const {
  return scan_.summary.schemas;
}

const std::map<uint16_t, McapChannel>& McapReader::channels() const {
  return scan_.summary.channels;
}

const McapChannel* McapReader::FindChannel(std::string_view topic) const {
  for (const auto& [id, channel] : scan_.summary.channels) {
    if (channel.topic == topic) return &channel;
  }
  return nullptr;
}

std::span<const McapAttachmentIndex> McapReader::attachments() const {
  return scan_.summary.attachments;
}

const McapAttachmentIndex* McapReader::FindAttachment(
    std::string_view name) const {
  for (const McapAttachmentIndex& attachment : scan_.summary.attachments) {
    if (attachment.name == name) return &attachment;
  }
  return nullptr;
}

absl::StatusOr<Bytes> McapReader::ReadAttachment(
    const McapAttachmentIndex& attachment) const {
  auto content = ReadIndexedRecord(
      *source_, McapOpcode::kAttachment, attachment.offset, attachment.length,
      scan_.summary.data_end, kMcapAttachmentBytesMax);
  if (!content.ok()) return Named(content.status());
  const auto decoded = DecodeAttachment(*content);
  if (!decoded.ok()) {
    return Named(AtOffset(attachment.offset, decoded.status()));
  }
  if (decoded->name != attachment.name ||
      decoded->media_type != attachment.media_type ||
      decoded->data.size() != attachment.data_size) {
    return Named(
        AtOffset(attachment.offset,
                 absl::DataLossError("attachment: differs from the index")));
  }
  return Bytes(decoded->data.begin(), decoded->data.end());
}

McapStatistics McapReader::Statistics() const {
  return unread_chunks_.has_value() ? unread_chunks_->statistics
                                    : scan_.summary.Statistics();
}

absl::StatusOr<std::span<const McapChunkIndex>> McapReader::Chunks() const {
  if (!unread_chunks_.has_value()) return std::span(scan_.summary.chunks);
  std::call_once(chunks_read_, [this] {
    chunks_ = ReadChunkIndexes(*source_, *unread_chunks_, scan_.summary);
  });
  if (!chunks_.ok()) return Named(chunks_.status());
  return std::span(*chunks_);
}

const McapChunkIndex* McapReader::LastChunk() const {
  if (unread_chunks_.has_value()) {
    const std::optional<McapChunkIndex>& last = unread_chunks_->last_chunk;
    return last.has_value() ? &*last : nullptr;
  }
  const std::vector<McapChunkIndex>& chunks = scan_.summary.chunks;
  return chunks.empty() ? nullptr : &chunks.back();
}

absl::Status McapReader::ForEachMessageInChunk(const McapChunkIndex& index,
                                               MessageVisitor visit) const {
  const uint64_t offset = index.chunk_start_offset;
  const auto content = ReadIndexedRecord(
      *source_, McapOpcode::kChunk, offset, index.chunk_length,
      scan_.summary.data_end, kMcapChunkBytesMax);
  if (!content.ok()) return Named(content.status());
  const auto chunk = DecodeChunk(*content);
  if (!chunk.ok()) return Named(AtOffset(offset, chunk.status()));
  auto status = CheckAgainstIndex(*chunk, index);
  if (!status.ok()) return Named(AtOffset(offset, status));

  IndexedChannels indexed(index);
  // The visitor's own errors go through as they are.
  absl::Status visitor_status;
  const Overloaded take = {
      [&](const McapSchema& schema) {
        return CheckDefinition(schema, scan_.summary.FindSchema(schema.id));
      },
      [&](const McapChannel& channel) {
        return CheckDefinition(channel, scan_.summary.FindChannel(channel.id));
      },
      [&](const McapMessage& message) -> absl::Status {
        const McapChannel* channel =
            scan_.summary.FindChannel(message.channel_id);
        if (channel == nullptr) {
          return absl::DataLossError(
              fmt::format("chunk: a message of channel {}, which isn't there",
                          message.channel_id));
        }
        absl::Status taken = indexed.Take(*channel);
        if (!taken.ok()) return taken;
        return visitor_status = visit(*channel, message);
      }};
  status = ReadChunk(*chunk, [&](const McapChunkRecord& record) {
    return std::visit(take, record);
  });
  if (!visitor_status.ok()) return visitor_status;
  if (status.ok()) status = indexed.CheckAll();
  return Named(AtOffset(offset, status));
}

absl::Status McapReader::ForEachMessage(MessageVisitor visit) const {
  return VisitTopic(std::nullopt, visit);
}

absl::Status McapReader::ForEachMessage(std::string_view topic,
                                        MessageVisitor visit) const {
  return VisitTopic(topic, visit);
}

absl::Status McapReader::VisitTopic(std::optional<std::string_view> topic,
                                    MessageVisitor visit) const {
  std::map<uint16_t, uint64_t> expected_sequences;
  for (const auto& [id, channel] : scan_.summary.channels) {
    if (!topic.has_value() || channel.topic == *topic) {
      expected_sequences[id] = 0;
    }
  }
  uint64_t chunk_offset = 0;
  const auto visit_if_wanted = [&](const McapChannel& channel,
                                   const McapMessage& message) -> absl::Status {
    const auto expected = expected_sequences.find(channel.id);
    if (expected == expected_sequences.end()) return absl::OkStatus();
    if (message.sequence != expected->second++) {
      return Named(AtOffset(
          chunk_offset,
          absl::DataLossError(fmt::format(
              "chunk: message {} of {} where {} has to follow",
              message.sequence, channel.topic, expected->second - 1))));
    }
    return visit(channel, message);
  };
  const auto chunks = Chunks();
  if (!chunks.ok()) return chunks.status();
  for (const McapChunkIndex& chunk : *chunks) {
    const auto& offsets = chunk.message_index_offsets;
    const bool is_wanted = std::any_of(
        offsets.begin(), offsets.end(), [&](const auto& channel_and_offset) {
          return expected_sequences.contains(channel_and_offset.first);
        });
    if (!is_wanted) continue;
    chunk_offset = chunk.chunk_start_offset;
    auto status = ForEachMessageInChunk(chunk, visit_if_wanted);
    if (!status.ok()) return status;
  }
  for (const auto& [id, sequence] : expected_sequences) {
    const auto counted = scan_.summary.message_counts.find(id);
    const uint64_t count =
        counted == scan_.summary.message_counts.end() ? 0 : counted->second;
    if (sequence != count) {
      return Named(
          AtOffset(scan_.summary.data_end,
                   absl::DataLossError(fmt::format(
                       "{} messages of channel {}, the summary says {}",
                       sequence, id, count))));
    }
  }
  return absl::OkStatus();
}

absl::Status McapReader::VerifyWholeFile() const {
  if (recovery_.has_value()) return Named(recovery_->end_problem);
  auto status = ReadSummary(*source_).status();
  if (!status.ok()) return Named(status);
  status = CheckDataSection();
  if (!absl::IsDataLoss(status)) return Named(status);
  const auto part = FindDamagedPart();
  return Named(part.ok() ? status : part);
}

absl::Status McapReader::CheckDataSection() const {
  const auto content = ReadIndexedRecord(
      *source_, McapOpcode::kDataEnd, scan_.summary.data_end, kMcapDataEndBytes,
      scan_.summary.data_end + kMcapDataEndBytes, kMcapDataEndBytes);
  if (!content.ok()) return content.status();
  const auto data_end = DecodeDataEnd(*content);
  if (!data_end.ok()) return data_end.status();
  const auto crc = ReadCrc32(*source_, scan_.summary.data_end);
  if (!crc.ok()) return crc.status();
  if (*crc == data_end->data_section_crc) return absl::OkStatus();
  return AtOffset(scan_.summary.data_end,
                  absl::DataLossError(
                      fmt::format("data section: checksum {:08x}, says {:08x}",
                                  *crc, data_end->data_section_crc)));
}

absl::Status McapReader::FindDamagedPart() const {
  for (const McapAttachmentIndex& attachment : scan_.summary.attachments) {
    const auto data = ReadAttachment(attachment);
    if (!data.ok()) return data.status();
  }
  // Also those without messages, which hold the definitions.
  const auto chunks = Chunks();
  if (!chunks.ok()) return chunks.status();
  for (const McapChunkIndex& chunk : *chunks) {
    auto status = ForEachMessageInChunk(
        chunk, [](const McapChannel&, const McapMessage&) {
          return absl::OkStatus();
        });
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace reprise::replays
