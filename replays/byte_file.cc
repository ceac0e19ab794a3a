// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/byte_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "fmt/format.h"

namespace reprise::replays {
namespace {

// REQUIRES: called right after the system call that failed.
absl::Status SystemError(const std::string& path) {
  return absl::ErrnoToStatus(errno, path);
}

absl::Status PastEnd(const std::string& name, uint64_t offset, uint64_t length,
                     uint64_t size) {
  return absl::OutOfRangeError(
      fmt::format("{}: {} bytes at offset {} pass the end at {}", name, length,
                  offset, size));
}

// Waits until the disk knows the file at `path` by its name.
absl::Status SyncFolderOf(const std::string& path) {
  const std::string folder =
      std::filesystem::absolute(path).parent_path().string();
  const int descriptor = open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(folder);
  absl::Status status;
  if (fsync(descriptor) != 0) status = SystemError(folder);
  close(descriptor);
  return status;
}

bool IsWithin(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

}  // namespace

absl::Status MemorySink::Append(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return absl::OkStatus();
}

absl::Status MemorySource::ReadAt(uint64_t offset,
                                  std::span<std::byte> out) const {
  if (!IsWithin(offset, out.size(), size())) {
    return PastEnd("memory", offset, out.size(), size());
  }
  if (!out.empty()) std::memcpy(out.data(), &bytes_[offset], out.size());
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<FileSink>> FileSink::Create(
    const std::string& path, Durability durability) {
  const int descriptor =
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return SystemError(path);
  std::unique_ptr<FileSink> sink(new FileSink(path, descriptor, durability));
  if (durability == Durability::kMachine) {
    const absl::Status status = SyncFolderOf(path);
    if (!status.ok()) return status;
  }
  return sink;
}

absl::StatusOr<std::unique_ptr<FileSink>> FileSink::Continue(
    const std::string& path, uint64_t size, Durability durability) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(path);
  std::unique_ptr<FileSink> sink(new FileSink(path, descriptor, durability));
  const off_t end = lseek(descriptor, 0, SEEK_END);
  if (end < 0) return SystemError(path);
  if (static_cast<uint64_t>(end) < size) {
    return PastEnd(path, 0, size, static_cast<uint64_t>(end));
  }
  const auto new_end = static_cast<off_t>(size);
  if (ftruncate(descriptor, new_end) != 0) return SystemError(path);
  if (lseek(descriptor, new_end, SEEK_SET) != new_end) return SystemError(path);
  return sink;
}

FileSink::~FileSink() { close(descriptor_); }

absl::Status FileSink::Append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError(path_);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

absl::Status FileSink::Flush() {
  if (durability_ == Durability::kProcess) return absl::OkStatus();
  if (fdatasync(descriptor_) != 0) return SystemError(path_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<FileSource>> FileSource::Open(
    const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(path);
  struct stat information = {};
  if (fstat(descriptor, &information) != 0) {
    const absl::Status status = SystemError(path);
    close(descriptor);
    return status;
  }
  if (!S_ISREG(information.st_mode)) {
    close(descriptor);
    return absl::InvalidArgumentError(path + ": not a file");
  }
  return std::unique_ptr<FileSource>(new FileSource(
      path, descriptor, static_cast<uint64_t>(information.st_size)));
}

FileSource::~FileSource() { close(descriptor_); }

absl::Status FileSource::ReadAt(uint64_t offset,
                                std::span<std::byte> out) const {
  if (!IsWithin(offset, out.size(), size_)) {
    return PastEnd(path_, offset, out.size(), size_);
  }
  while (!out.empty()) {
    const ssize_t count =
        pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError(path_);
    if (count == 0) {
      return absl::OutOfRangeError(fmt::format(
          "{}: has shrunk to {} bytes while it was read", path_, offset));
    }
    offset += static_cast<uint64_t>(count);
    out = out.subspan(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

}  // namespace reprise::replays
