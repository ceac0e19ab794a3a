// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A new folder for temporary files, which goes with all that is in it.

#ifndef REPRISE_TOOLS_REPRISE_TERMINAL_SCRATCH_FOLDER_H_
#define REPRISE_TOOLS_REPRISE_TERMINAL_SCRATCH_FOLDER_H_

#include <string>

namespace reprise::tools {

class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  // Empty: the system gives none.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_TERMINAL_SCRATCH_FOLDER_H_
