// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A disk that has stopped answering, as one does that is far away or fails:
// whoever asks it for something waits.

#ifndef REPRISE_SERVICES_TESTING_SLOW_DISK_H_
#define REPRISE_SERVICES_TESTING_SLOW_DISK_H_

#include <string>

namespace reprise::services {

// What isn't answered: bytes written into files, or names of a folder's files.
enum class DiskWork { kWriting, kListing };

// Of all that lies below a folder, until it goes: then each gets its answer.
// One at a time.
class SlowDisk {
 public:
  SlowDisk(const std::string& folder, DiskWork work);
  SlowDisk(const SlowDisk&) = delete;
  SlowDisk& operator=(const SlowDisk&) = delete;
  ~SlowDisk();

  // How many threads wait now.
  int waiting_count() const;

  // Waits until one waits, or so many.
  void AwaitSomebody() const { Await(1); }
  void Await(int waiting_count) const;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_SLOW_DISK_H_
