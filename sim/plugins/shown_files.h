// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The files of a pack as a plug-in is shown them: copies, so that one that
// writes into them can't change the pack of the others.

#ifndef REPRISE_SIM_PLUGINS_SHOWN_FILES_H_
#define REPRISE_SIM_PLUGINS_SHOWN_FILES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "include/reprise/simulation.h"
#include "sim/pack_archive.h"
#include "sim/plugins/shown_items.h"

namespace reprise::sim {

class ShownFiles {
 public:
  // `pack` must remain live.
  explicit ShownFiles(const PackArchive* pack);

  // Valid as long as this is.
  reprise_list list() const { return list_; }

  // ABORTED: a file isn't what it was, or what is behind one.
  absl::Status Check() const;

 private:
  const PackArchive& pack_;
  // Path, zero, contents and guard of each.
  std::vector<std::string> copies_;
  ShownItems<reprise_file> files_;
  reprise_list list_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_PLUGINS_SHOWN_FILES_H_
