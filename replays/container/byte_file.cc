// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/container/byte_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "fmt/format.h"
#include "replays/container/partial_file.h"
#include "sim/base/check.h"

namespace reprise::replays {
namespace {

// REQUIRES: called right after the system call that failed.
absl::Status SystemError(const std::string& path) {
  return absl::ErrnoToStatus(errno, path);
}

// REQUIRES: as above, and the call was to open the file.
absl::Status MissingError(const std::string& path) {
  const absl::Status status = SystemError(path);
  const std::string partial = PartialPath(path);
  if (!absl::IsNotFound(status) || access(partial.c_str(), F_OK) != 0) {
    return status;
  }
  return absl::NotFoundError(fmt::format("{}; what isn't finished is in {}",
                                         std::string(status.message()),
                                         partial));
}

absl::Status NotAFileError(const std::string& path) {
  return absl::InvalidArgumentError(path + ": not a file");
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

// Doesn't wait for the writer of a pipe; to files it makes no difference.
int OpenForReading(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

// The lock of a whole file by the one who has it open, not by the process.
struct flock WholeFileLock(short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

enum class LockState {
  kHeld,
  kRefused,   // Somebody else has it.
  kNotKnown,  // A device, which many may write to; a file system without locks.
};

LockState LockForWriting(int descriptor, const struct stat& opened) {
  if (!S_ISREG(opened.st_mode)) return LockState::kNotKnown;
  struct flock lock = WholeFileLock(F_WRLCK);
  if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return LockState::kHeld;
  return errno == EAGAIN || errno == EACCES ? LockState::kRefused
                                            : LockState::kNotKnown;
}

bool IsFileAt(const std::string& path, const struct stat& opened) {
  struct stat named = {};
  return stat(path.c_str(), &named) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

struct OpenFile {
  int descriptor = -1;
  LockState lock = LockState::kNotKnown;
};

// Opens and locks the file that has the name once it is locked.
absl::StatusOr<OpenFile> OpenAndLock(const std::string& path, int open_flags) {
  // One that is there already is opened without waiting for a reader, which
  // only a pipe would have.
  const bool is_to_exist = (open_flags & O_CREAT) == 0;
  if (is_to_exist) open_flags |= O_NONBLOCK;
  while (true) {
    OpenFile file;
    file.descriptor =
        open(path.c_str(), O_WRONLY | O_CLOEXEC | open_flags, 0644);
    // A pipe that nobody reads, or a socket.
    if (file.descriptor < 0 && errno == ENXIO) return NotAFileError(path);
    if (file.descriptor < 0) return SystemError(path);
    struct stat opened = {};
    if (fstat(file.descriptor, &opened) != 0) {
      const absl::Status status = SystemError(path);
      close(file.descriptor);
      return status;
    }
    file.lock = LockForWriting(file.descriptor, opened);
    if (file.lock != LockState::kHeld || IsFileAt(path, opened)) return file;
    // Who had it locked has renamed it before it let go: it is finished, and
    // the name is another file's, or nobody's.
    close(file.descriptor);
  }
}

absl::Status BeingWrittenError(const std::string& path) {
  return absl::UnavailableError(path +
                                ": somebody else is writing to this file");
}

absl::Status CutOffAt(int descriptor, uint64_t size, const std::string& path) {
  const auto end = static_cast<off_t>(size);
  if (ftruncate(descriptor, end) != 0) return SystemError(path);
  if (lseek(descriptor, end, SEEK_SET) != end) return SystemError(path);
  return absl::OkStatus();
}

// Says that the disk is full while what is to be replaced is still there. OK
// where a file system can't tell.
absl::Status CheckRoom(int descriptor, uint64_t offset, uint64_t size,
                       const std::string& path) {
  const int failed =
      fallocate(descriptor, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                static_cast<off_t>(size));
  if (failed == 0) return absl::OkStatus();
  const bool is_full = errno == ENOSPC || errno == EDQUOT;
  return is_full ? SystemError(path) : absl::OkStatus();
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
  const absl::StatusOr<OpenFile> file = OpenAndLock(path, O_CREAT);
  if (!file.ok()) return file.status();
  const int descriptor = file->descriptor;
  std::unique_ptr<FileSink> sink(new FileSink(path, descriptor, durability));
  if (file->lock == LockState::kRefused) return BeingWrittenError(path);
  absl::Status status;
  // A device has no end to cut off at.
  if (lseek(descriptor, 0, SEEK_END) > 0) {
    status = CutOffAt(descriptor, 0, path);
  }
  if (status.ok() && durability == Durability::kMachine) {
    status = SyncFolderOf(path);
  }
  if (!status.ok()) return status;
  return sink;
}

absl::StatusOr<std::unique_ptr<FileSink>> FileSink::Continue(
    const std::string& path, Durability durability) {
  const absl::StatusOr<OpenFile> file = OpenAndLock(path, /*open_flags=*/0);
  if (!file.ok()) return file.status();
  const int descriptor = file->descriptor;
  std::unique_ptr<FileSink> sink(new FileSink(path, descriptor, durability));
  if (file->lock == LockState::kRefused) return BeingWrittenError(path);
  const off_t end = lseek(descriptor, 0, SEEK_END);
  if (end < 0) return SystemError(path);
  sink->front_bytes_ = static_cast<uint64_t>(end);
  return sink;
}

FileSink::~FileSink() { close(descriptor_); }

absl::Status FileSink::KeepFront(uint64_t size) {
  CHECK(front_bytes_.has_value());
  if (size > *front_bytes_) return PastEnd(path_, 0, size, *front_bytes_);
  front_bytes_ = size;
  return absl::OkStatus();
}

absl::Status FileSink::Append(std::span<const std::byte> bytes) {
  if (front_bytes_.has_value()) {
    absl::Status status =
        CheckRoom(descriptor_, *front_bytes_, bytes.size(), path_);
    if (status.ok()) status = CutOffAt(descriptor_, *front_bytes_, path_);
    if (!status.ok()) return status;
    front_bytes_.reset();
  }
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

absl::StatusOr<std::unique_ptr<WriteLock>> WriteLock::TryAcquire(
    const std::string& path) {
  const absl::StatusOr<OpenFile> file = OpenAndLock(path, /*open_flags=*/0);
  if (!file.ok()) return file.status();
  std::unique_ptr<WriteLock> lock(new WriteLock(file->descriptor));
  if (file->lock != LockState::kHeld) return nullptr;
  return lock;
}

WriteLock::~WriteLock() { close(descriptor_); }

absl::StatusOr<std::unique_ptr<FileSource>> FileSource::Open(
    const std::string& path) {
  const int descriptor = OpenForReading(path);
  if (descriptor < 0) return MissingError(path);
  struct stat information = {};
  if (fstat(descriptor, &information) != 0) {
    const absl::Status status = SystemError(path);
    close(descriptor);
    return status;
  }
  if (!S_ISREG(information.st_mode)) {
    close(descriptor);
    return NotAFileError(path);
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

absl::StatusOr<bool> IsBeingWritten(const std::string& path) {
  const int descriptor = OpenForReading(path);
  if (descriptor < 0) return SystemError(path);
  struct flock lock = WholeFileLock(F_RDLCK);
  const bool is_told = fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
  close(descriptor);
  return !is_told || lock.l_type != F_UNLCK;
}

absl::Status RenameFile(const std::string& from, const std::string& to,
                        FileSink::Durability durability) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return SystemError(to);
  return durability == FileSink::Durability::kMachine ? SyncFolderOf(to)
                                                      : absl::OkStatus();
}

}  // namespace reprise::replays
