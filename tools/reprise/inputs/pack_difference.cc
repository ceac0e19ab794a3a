// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/inputs/pack_difference.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "google/protobuf/text_format.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/manifest.h"
#include "tools/reprise/inputs/line_changes.h"
#include "tools/reprise/inputs/manifest_comparison.h"
#include "tools/reprise/terminal/escaped_text.h"

namespace reprise::tools {
namespace {

bool IsText(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos;
}

// Where two texts differ in one place, and with which lines.
PackChange DescribeLines(const std::string& path,
                         std::span<const std::string_view> before,
                         std::span<const std::string_view> after,
                         const LineChange& change) {
  const auto describe = [](std::span<const std::string_view> lines) {
    if (lines.size() == 1) return ShortenValue(EscapeLine(lines[0]));
    return fmt::format("{} lines", lines.size());
  };
  return {fmt::format("{}:{}", path, change.after_begin + 1),
          describe(before.subspan(change.before_begin, change.before_count)),
          describe(after.subspan(change.after_begin, change.after_count))};
}

// Files whose contents the manifest has.
std::set<std::string, std::less<>> ManifestFilesOf(const v1::Pack& pack) {
  std::set<std::string, std::less<>> files = {
      std::string(sim::kPackManifestPath)};
  files.insert(pack.include().begin(), pack.include().end());
  for (const v1::Table& table : pack.tables()) files.insert(table.file());
  return files;
}

// All of a comparison, and the pack that one change makes.
class PackComparison {
 public:
  PackComparison(const sim::PackArchive& before, const sim::PackArchive& after,
                 std::optional<size_t> applied)
      : before_(before), after_(after), applied_(applied) {
    sim::PackReport ignored;
    old_ = sim::ParseManifest(before, ignored);
    now_ = sim::ParseManifest(after, ignored);
    if (!ignored.ok()) {
      old_.reset();
      now_.reset();
    }
    if (old_ != nullptr && now_ != nullptr) CompareManifests();
    CompareFiles();
  }

  std::vector<PackChange> TakeChanges() { return std::move(changes_); }

  // The files of `before` with the change.
  absl::StatusOr<sim::PackArchive> MakePack() {
    if (*applied_ >= changes_.size()) {
      return absl::OutOfRangeError(
          fmt::format("there are {} changes", changes_.size()));
    }
    sim::PackArchive pack;
    for (const auto& [path, contents] : before_.files()) {
      if (replaced_.contains(path)) continue;
      const absl::Status status = pack.Add(path, contents);
      if (!status.ok()) return status;
    }
    for (const auto& [path, contents] : replaced_) {
      if (!contents.has_value()) continue;
      const absl::Status status = pack.Add(path, *contents);
      if (!status.ok()) return status;
    }
    return pack;
  }

 private:
  void CompareManifests() {
    v1::Pack changed = old_->pack;
    v1::Pack now = now_->pack;
    // Which file says what is no difference of the game.
    for (v1::Pack* const pack : {&changed, &now}) {
      pack->clear_include();
      pack->clear_tables();
    }
    ManifestChanges found = tools::CompareManifests(changed, now, applied_);
    changes_ = std::move(found.changes);
    if (!found.is_applied) return;
    google::protobuf::TextFormat::Printer printer;
    printer.SetExpandAny(true);
    std::string text;
    printer.PrintToString(changed, &text);
    replaced_[std::string(sim::kPackManifestPath)] = std::move(text);
  }

  void CompareFiles() {
    std::set<std::string, std::less<>> manifest;
    if (old_ != nullptr) {
      manifest = ManifestFilesOf(old_->pack);
      manifest.merge(ManifestFilesOf(now_->pack));
    }
    std::vector<std::string> respelled;
    for (const auto& [path, contents] : before_.files()) {
      const auto now = after_.Find(path);
      if (now == contents) continue;
      if (manifest.contains(path)) {
        respelled.push_back(path);
      } else if (now.has_value()) {
        ChangeContents(path, contents, *now);
      } else {
        ChangeFile({EscapeLine(path), fmt::format("{} bytes", contents.size()),
                    std::nullopt},
                   path);
      }
    }
    for (const auto& [path, contents] : after_.files()) {
      if (before_.Find(path).has_value()) continue;
      if (manifest.contains(path)) {
        respelled.push_back(path);
        continue;
      }
      ChangeFile({EscapeLine(path), std::nullopt,
                  fmt::format("{} bytes", contents.size())},
                 path);
    }
    if (!changes_.empty()) return;
    for (const std::string& path : respelled) {
      ChangeFile({EscapeLine(path), "the same data", "in another text"}, path);
    }
  }

  // Of text each place where it differs is a change of its own.
  void ChangeContents(const std::string& path, const std::string& contents,
                      std::string_view now) {
    if (!IsText(contents) || !IsText(now)) {
      ChangeFile({EscapeLine(path), fmt::format("{} bytes", contents.size()),
                  fmt::format("{} bytes{}", now.size(),
                              contents.size() == now.size() ? ", others" : "")},
                 path);
      return;
    }
    const std::vector<std::string_view> old_lines = SplitLines(contents);
    const std::vector<std::string_view> new_lines = SplitLines(now);
    for (const LineChange& change : CompareLines(old_lines, new_lines)) {
      if (applied_ == changes_.size()) {
        replaced_[path] = ApplyLineChange(old_lines, new_lines, change);
      }
      changes_.push_back(
          DescribeLines(EscapeLine(path), old_lines, new_lines, change));
    }
  }

  void ChangeFile(PackChange change, const std::string& path) {
    if (applied_ == changes_.size()) {
      const auto now = after_.Find(path);
      replaced_[path] =
          now.has_value() ? std::optional(std::string(*now)) : std::nullopt;
    }
    changes_.push_back(std::move(change));
  }

  const sim::PackArchive& before_;
  const sim::PackArchive& after_;
  const std::optional<size_t> applied_;
  std::unique_ptr<const sim::Manifest> old_;  // both, or none
  std::unique_ptr<const sim::Manifest> now_;
  std::vector<PackChange> changes_;
  // What takes the place of files; nullopt: nothing.
  std::map<std::string, std::optional<std::string>> replaced_;
};

}  // namespace

std::vector<PackChange> ComparePacksAsData(const sim::PackArchive& before,
                                           const sim::PackArchive& after) {
  return PackComparison(before, after, std::nullopt).TakeChanges();
}

absl::StatusOr<sim::PackArchive> ApplyPackChange(const sim::PackArchive& before,
                                                 const sim::PackArchive& after,
                                                 size_t index) {
  return PackComparison(before, after, index).MakePack();
}

std::string FormatPackChange(const PackChange& change) {
  if (!change.before.has_value()) {
    return fmt::format("{}: added, {}", change.path, *change.after);
  }
  if (!change.after.has_value()) {
    return fmt::format("{}: removed, {}", change.path, *change.before);
  }
  return fmt::format("{}: {} -> {}", change.path, *change.before,
                     *change.after);
}

std::string FormatPackChanges(std::span<const PackChange> changes,
                              size_t lines_max) {
  std::string text;
  for (size_t i = 0; i < std::min(changes.size(), lines_max); ++i) {
    text += FormatPackChange(changes[i]) + "\n";
  }
  if (changes.size() > lines_max) {
    text += fmt::format("and {} more changes of the pack\n",
                        changes.size() - lines_max);
  }
  return text;
}

}  // namespace reprise::tools
