// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Byte sinks and sources in memory and in files. Every error of a file names
// its path and the system's reason.

#ifndef REPRISE_REPLAYS_CONTAINER_BYTE_FILE_H_
#define REPRISE_REPLAYS_CONTAINER_BYTE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "replays/container/byte_stream.h"

namespace reprise::replays {

// Appends to `bytes`, which must remain live while this sink is in use.
class MemorySink final : public ByteSink {
 public:
  explicit MemorySink(Bytes* bytes) : bytes_(*bytes) {}

  absl::Status Append(std::span<const std::byte> bytes) override;
  absl::Status Flush() override { return absl::OkStatus(); }

 private:
  Bytes& bytes_;
};

// Reads `bytes`, which must remain live and unchanged while this source is in
// use.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}
  // What dies at the end of the statement isn't live while it is read.
  explicit MemorySource(Bytes&& bytes) = delete;

  uint64_t size() const override { return bytes_.size(); }
  absl::Status ReadAt(uint64_t offset, std::span<std::byte> out) const override;

 private:
  std::span<const std::byte> bytes_;
};

// Keeps no buffer: what was appended survives the death of the process. While
// it lives the file is locked, so that no other sink writes to it and
// IsBeingWritten tells it from one whose process has died.
class FileSink final : public ByteSink {
 public:
  enum class Durability {
    kProcess,  // Flush costs nothing; a power cut may lose the file's end.
    kMachine,  // Flush waits until the disk has it, the file's name included.
  };

  // Creates the file, or empties the one that is there. UNAVAILABLE: another
  // sink writes to it.
  static absl::StatusOr<std::unique_ptr<FileSink>> Create(
      const std::string& path, Durability durability = Durability::kProcess);

  // Appends to the file that is there. It is kept from other writers, and as it
  // is until the first Append. UNAVAILABLE: another sink writes to it.
  static absl::StatusOr<std::unique_ptr<FileSink>> Continue(
      const std::string& path, Durability durability = Durability::kProcess);

  // The first Append cuts off what the file has behind `size` bytes.
  // OUT_OF_RANGE if it is shorter. REQUIRES: of Continue, nothing appended yet.
  absl::Status KeepFront(uint64_t size);

  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
  ~FileSink() override;

  absl::Status Append(std::span<const std::byte> bytes) override;
  absl::Status Flush() override;

 private:
  FileSink(std::string path, int descriptor, Durability durability)
      : path_(std::move(path)),
        descriptor_(descriptor),
        durability_(durability) {}

  const std::string path_;
  const int descriptor_;
  const Durability durability_;
  // Where the first Append goes, in a file that was there before.
  std::optional<uint64_t> front_bytes_;
};

// Keeps FileSinks and other locks away from a file, and leaves what is in it as
// it is. Held until its destruction.
class WriteLock {
 public:
  // Null where a FileSink or another lock has the file, and where the file
  // system knows no locks and nobody can tell. INVALID_ARGUMENT: a pipe or a
  // socket; other errors are the system's.
  static absl::StatusOr<std::unique_ptr<WriteLock>> TryAcquire(
      const std::string& path);

  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;
  ~WriteLock();

 private:
  explicit WriteLock(int descriptor) : descriptor_(descriptor) {}

  const int descriptor_;
};

// Its size is the one the file had when it was opened; a file that shrinks
// under it gives OUT_OF_RANGE.
class FileSource final : public ByteSource {
 public:
  // NOT_FOUND, PERMISSION_DENIED and so on as the system says, and where there
  // is an unfinished file in its place (partial_file.h), that; INVALID_ARGUMENT
  // for what isn't a regular file.
  static absl::StatusOr<std::unique_ptr<FileSource>> Open(
      const std::string& path);

  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override;

  uint64_t size() const override { return size_; }
  absl::Status ReadAt(uint64_t offset, std::span<std::byte> out) const override;

 private:
  FileSource(std::string path, int descriptor, uint64_t size)
      : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

  const std::string path_;
  const int descriptor_;
  const uint64_t size_;
};

// Whether a FileSink or a WriteLock, of this process or another, has the file.
// True, too, where the file system knows no locks and nobody can tell. Errors
// are the system's.
absl::StatusOr<bool> IsBeingWritten(const std::string& path);

// Gives a file another name, in place of what may have it. With kMachine,
// waits until the disk knows it.
absl::Status RenameFile(const std::string& from, const std::string& to,
                        FileSink::Durability durability);

}  // namespace reprise::replays

#endif  // REPRISE_REPLAYS_CONTAINER_BYTE_FILE_H_
