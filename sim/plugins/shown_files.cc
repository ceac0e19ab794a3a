// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/plugins/shown_files.h"

#include <string_view>

#include "fmt/format.h"
#include "sim/plugins/foreign_call.h"

namespace reprise::sim {
namespace {

// What a copy is, piece by piece, without making it again.
bool IsCopy(std::string_view copy, std::string_view path,
            std::string_view contents) {
  const auto take = [&](size_t size) {
    const std::string_view piece = copy.substr(0, size);
    copy.remove_prefix(size);
    return piece;
  };
  return take(path.size()) == path && take(1).front() == '\0' &&
         take(contents.size()) == contents &&
         copy.find_first_not_of(kPluginGuard) == std::string_view::npos;
}

}  // namespace

ShownFiles::ShownFiles(const PackArchive* pack) : pack_(*pack) {
  copies_.reserve(pack_.files().size());
  files_.Reset(pack_.files().size());
  for (const auto& [path, contents] : pack_.files()) {
    std::string& copy = copies_.emplace_back();
    copy.reserve(path.size() + 1 + contents.size() + kPluginGuardBytes);
    copy.append(path).append(1, '\0').append(contents);
    copy.append(kPluginGuardBytes, kPluginGuard);
    files_.Add({.path = copy.data(),
                .bytes = copy.data() + path.size() + 1,
                .size = contents.size()});
  }
  list_ = files_.From(0);
  files_.Seal();
}

absl::Status ShownFiles::Check() const {
  const absl::Status status = files_.Check("the list of files");
  if (!status.ok()) return status;
  auto copy = copies_.begin();
  for (const auto& [path, contents] : pack_.files()) {
    if (!IsCopy(*copy++, path, contents)) {
      return absl::AbortedError(fmt::format(
          "it wrote into or behind the file '{}' that it was shown", path));
    }
  }
  return absl::OkStatus();
}

}  // namespace reprise::sim
