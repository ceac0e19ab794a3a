// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The scripts of a pack, with nothing wrong in their syntax. Immutable, and
// shared by all worlds of the pack.

#ifndef REPRISE_SIM_SCRIPT_SCRIPT_PROGRAM_H_
#define REPRISE_SIM_SCRIPT_SCRIPT_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace reprise::sim {

// A script as text: bytecode is refused.
struct ScriptFile {
  std::string name;  // as in the pack: "scripts/ball.lua"
  std::string source;
};

inline constexpr uint32_t kScriptFilesMax = 1024;
inline constexpr uint32_t kScriptNameBytesMax = 200;
inline constexpr uint32_t kScriptFileBytesMax = 1 << 20;
inline constexpr uint32_t kScriptProgramBytesMax = 16 << 20;

class ScriptProgram {
 public:
  // Returns INVALID_ARGUMENT with a line "file:line: what" for every file that
  // has a mistake, RESOURCE_EXHAUSTED if there are more or longer files than
  // above.
  static absl::StatusOr<std::shared_ptr<const ScriptProgram>> Compile(
      std::vector<ScriptFile> files);

  // Sorted by name, whatever the order in which they came.
  const std::vector<ScriptFile>& files() const { return files_; }

  // Returns the index of a file, or -1.
  int Find(std::string_view name) const;

 private:
  explicit ScriptProgram(std::vector<ScriptFile> files);

  std::vector<ScriptFile> files_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_SCRIPT_PROGRAM_H_
