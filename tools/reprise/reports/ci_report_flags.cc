// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/ci_report_flags.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "fmt/format.h"

namespace reprise::tools {
namespace {

absl::Status CannotWrite(const std::string& path) {
  return absl::UnavailableError(fmt::format("{}: can't be written", path));
}

}  // namespace

std::vector<Flag> CiReportFlags::flags() {
  return {
      {"junit", "FILE", "Write the results as JUnit XML, too.", &junit_},
      {"sarif", "FILE", "Write the failures as SARIF 2.1.0, too.", &sarif_},
      {"markdown", "FILE",
       "Write a summary in Markdown, too, as for $GITHUB_STEP_SUMMARY.",
       &markdown_},
      {"github", "", "Print an annotation of GitHub's for each failure.",
       &github_},
  };
}

absl::Status CiReportFlags::Check(const OutputFormat& format) const {
  if (github_ && format.is_json()) {
    return absl::InvalidArgumentError(
        "--github prints lines for people's logs, --format json a document: "
        "one of these");
  }
  const std::pair<const char*, const std::string*> files[] = {
      {"--junit", &junit_}, {"--sarif", &sarif_}, {"--markdown", &markdown_}};
  for (const auto& [flag, path] : files) {
    for (const auto& [other, same] : files) {
      if (flag == other || path->empty()) continue;
      std::error_code ignored;
      if (std::filesystem::weakly_canonical(*path, ignored) ==
              std::filesystem::weakly_canonical(*same, ignored) &&
          !same->empty() && *path != "/dev/null") {
        return absl::InvalidArgumentError(
            fmt::format("{} and {} name one file", flag, other));
      }
    }
  }
  for (const std::string& name : {junit_, sarif_, markdown_}) {
    if (name.empty()) continue;
    const std::filesystem::path path(name);
    const std::string folder =
        path.has_parent_path() ? path.parent_path() : ".";
    const bool is_there = access(path.c_str(), F_OK) == 0;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored) ||
        access(is_there ? path.c_str() : folder.c_str(), W_OK) != 0) {
      return CannotWrite(name);
    }
  }
  return absl::OkStatus();
}

absl::Status CiReportFlags::Write(const CiReport& report,
                                  Console& console) const {
  if (github_) console.out() << FormatGithub(report);
  for (const auto& [path, format] :
       {std::pair(&junit_, &FormatJunit), std::pair(&sarif_, &FormatSarif),
        std::pair(&markdown_, &FormatMarkdown)}) {
    if (path->empty()) continue;
    std::ofstream file(*path, std::ios::binary);
    file << format(report);
    if (!file.flush()) return CannotWrite(*path);
  }
  return absl::OkStatus();
}

}  // namespace reprise::tools
