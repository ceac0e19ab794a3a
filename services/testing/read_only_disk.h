// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A disk that has become read-only under a running process, as a system makes
// one that has failed: what is open for writing can't be written to either.

#ifndef REPRISE_SERVICES_TESTING_READ_ONLY_DISK_H_
#define REPRISE_SERVICES_TESTING_READ_ONLY_DISK_H_

namespace reprise::services {

// Of all files of this process but its standard error, until it goes. Calls of
// the C library that would write, make, rename or remove one fail with EROFS.
class ReadOnlyDisk {
 public:
  ReadOnlyDisk();
  ReadOnlyDisk(const ReadOnlyDisk&) = delete;
  ReadOnlyDisk& operator=(const ReadOnlyDisk&) = delete;
  ~ReadOnlyDisk();
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_READ_ONLY_DISK_H_
