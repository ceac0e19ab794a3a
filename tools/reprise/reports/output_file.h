// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A file for other programs that is there when it is whole, and not before:
// until then it has another name, and what fails leaves nothing.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_OUTPUT_FILE_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_OUTPUT_FILE_H_

#include <fstream>
#include <ostream>
#include <string>

#include "absl/status/status.h"

namespace reprise::tools {

class OutputFile {
 public:
  // Begins the file at `path`, under its name with .partial; a device, a
  // pipe or a symbolic link is written to as it is. Whether that works, Finish
  // says.
  explicit OutputFile(std::string path);

  // Removes what isn't finished.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& out() { return file_; }

  // Gives the file its name, in place of what was there. UNAVAILABLE: not all
  // of it could be written; what was there is as it was, unless it was
  // written to itself.
  absl::Status Finish();

 private:
  const std::string path_;
  const std::string unfinished_;
  std::ofstream file_;
  const bool is_begun_;
  bool is_finished_ = false;
};

// Writes all of a file at once; errors are those of Finish.
absl::Status WriteOutputFile(const std::string& path, const std::string& bytes);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_OUTPUT_FILE_H_
