// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/read_only_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "sim/base/check.h"

namespace reprise::services {
namespace {

std::atomic<bool> is_read_only = false;

// Whether it is a file on the disk, and not a socket, a pipe or what a test
// says of itself.
bool IsOfDisk(int descriptor) {
  struct stat file = {};
  return descriptor != STDERR_FILENO && descriptor != STDOUT_FILENO &&
         fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode);
}

int Refuse() {
  errno = EROFS;
  return -1;
}

bool IsRefused(int flags) {
  constexpr int kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  return is_read_only && (flags & kWriting) != 0;
}

}  // namespace

ReadOnlyDisk::ReadOnlyDisk() { CHECK(!is_read_only.exchange(true)); }
ReadOnlyDisk::~ReadOnlyDisk() { is_read_only = false; }

}  // namespace reprise::services

// In the place of the C library's.

using reprise::services::is_read_only;
using reprise::services::IsOfDisk;
using reprise::services::IsRefused;
using reprise::services::Refuse;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const bool has_mode = (flags & (O_CREAT | O_TMPFILE)) != 0;
  const mode_t mode = has_mode ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (IsRefused(flags)) return Refuse();
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  if (is_read_only && IsOfDisk(descriptor)) return Refuse();
  return syscall(SYS_write, descriptor, bytes, count);
}

int ftruncate(int descriptor, off_t size) noexcept {
  if (is_read_only && IsOfDisk(descriptor)) return Refuse();
  return static_cast<int>(syscall(SYS_ftruncate, descriptor, size));
}

int rename(const char* from, const char* to) noexcept {
  if (is_read_only) return Refuse();
  return static_cast<int>(syscall(SYS_rename, from, to));
}

int link(const char* from, const char* to) noexcept {
  if (is_read_only) return Refuse();
  return static_cast<int>(syscall(SYS_link, from, to));
}

int unlink(const char* path) noexcept {
  if (is_read_only) return Refuse();
  return static_cast<int>(syscall(SYS_unlink, path));
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (is_read_only) return Refuse();
  return static_cast<int>(syscall(SYS_mkdir, path, mode));
}
}  // extern "C"
