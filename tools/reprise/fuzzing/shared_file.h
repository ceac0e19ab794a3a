// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Bytes in memory that processes share which come from one another by fork():
// what one of them wrote is there when it is gone, whatever ended it.

#ifndef REPRISE_TOOLS_REPRISE_FUZZING_SHARED_FILE_H_
#define REPRISE_TOOLS_REPRISE_FUZZING_SHARED_FILE_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace reprise::tools {

class SharedFile {
 public:
  // UNAVAILABLE: the system gives none.
  static absl::StatusOr<SharedFile> Create();

  SharedFile() = default;
  SharedFile(SharedFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  SharedFile& operator=(SharedFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~SharedFile();

  // What can't be written is missing at the end. By one process at a time.
  void Append(std::string_view bytes) const;
  void Replace(std::string_view bytes) const;
  std::string Read() const;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_FUZZING_SHARED_FILE_H_
