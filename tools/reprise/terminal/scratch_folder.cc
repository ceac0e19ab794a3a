// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/terminal/scratch_folder.h"

#include <stdlib.h>

#include <filesystem>
#include <system_error>

namespace reprise::tools {

ScratchFolder::ScratchFolder() {
  std::error_code error;
  std::string path =
      (std::filesystem::temp_directory_path(error) / "reprise-XXXXXX").string();
  if (!error && mkdtemp(path.data()) != nullptr) path_ = path;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace reprise::tools
