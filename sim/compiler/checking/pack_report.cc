// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/compiler/checking/pack_report.h"

#include <utility>

#include "fmt/format.h"
#include "google/protobuf/descriptor.h"
#include "sim/base/check.h"

namespace reprise::sim {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::TextFormat;

const FieldDescriptor* FieldOf(const Message& message, std::string_view name) {
  const FieldDescriptor* const field =
      message.GetDescriptor()->FindFieldByName(std::string(name));
  CHECK(field != nullptr, "{} has no field {}",
        message.GetDescriptor()->full_name(), name);
  return field;
}

std::string Join(std::string_view path, std::string_view name, int index) {
  std::string joined =
      fmt::format("{}{}{}", path, path.empty() ? "" : ".", name);
  if (index >= 0) joined += fmt::format("[{}]", index);
  return joined;
}

}  // namespace

std::string FormatProblem(const PackProblem& problem) {
  std::string text = problem.file;
  if (problem.line > 0) {
    text += fmt::format(":{}", problem.line);
    if (problem.column > 0) text += fmt::format(":{}", problem.column);
  }
  if (!problem.field.empty()) text += fmt::format(": {}", problem.field);
  return fmt::format("{}: {}", text, problem.message);
}

PackPlace PackPlace::In(const Message& parent, std::string_view name,
                        int index) const {
  const FieldDescriptor* const field = FieldOf(parent, name);
  PackPlace place = *this;
  place.path_ = Join(path_, name, index);
  int index_in_file = index;
  if (file_ == nullptr) {
    const ManifestField found = places_->Find(field, index);
    index_in_file = found.index;
    place.file_ = found.file;
    place.locations_ = &found.file->locations;
    place.beginning_in_file_ = Join("", name, index_in_file);
    place.beginning_size_ = place.path_.size();
  }
  if (places_->has_fixed()) {
    const FixedPlace* const fixed = places_->FindFixed(place.path_);
    if (fixed != nullptr) place.fixed_ = fixed;
  }
  if (place.locations_ == nullptr) return place;
  const TextFormat::ParseLocation location =
      place.locations_->GetLocation(field, index_in_file);
  if (location.line >= 0) {
    place.line_ = static_cast<uint32_t>(location.line) + 1;
    place.column_ = static_cast<uint32_t>(location.column) + 1;
  }
  place.locations_ = place.locations_->GetTreeForNested(field, index_in_file);
  return place;
}

PackProblem PackPlace::ProblemWith(const Message& message,
                                   std::string_view name,
                                   std::string text) const {
  const FieldDescriptor* const field = FieldOf(message, name);
  if (fixed_ != nullptr) {
    return {.file = fixed_->file,
            .line = fixed_->line,
            .column = fixed_->column,
            .field = fixed_->field,
            .message = std::move(text)};
  }
  const int first = field->is_repeated() ? 0 : -1;
  const ManifestFile* const file =
      file_ == nullptr ? places_->Find(field, first).file : file_;
  PackProblem problem{.file = file->path,
                      .line = line_,
                      .column = column_,
                      .field = Join(PathInFile(), name, -1),
                      .message = std::move(text)};
  const TextFormat::ParseInfoTree* const locations =
      file_ == nullptr ? &file->locations : locations_;
  if (locations == nullptr) return problem;
  const TextFormat::ParseLocation location =
      locations->GetLocation(field, first);
  if (location.line >= 0) {
    problem.line = static_cast<uint32_t>(location.line) + 1;
    problem.column = static_cast<uint32_t>(location.column) + 1;
  }
  return problem;
}

FixedPlace PackPlace::Place() const {
  if (fixed_ != nullptr) return *fixed_;
  return {.file = file_ == nullptr ? "" : file_->path,
          .line = line_,
          .column = column_,
          .field = PathInFile()};
}

std::string PackPlace::PathInFile() const {
  return beginning_in_file_ + path_.substr(beginning_size_);
}

void PackReport::Add(PackProblem problem) {
  ++problem_count_;
  if (problems_.size() < kProblemsMax) problems_.push_back(std::move(problem));
}

void PackReport::AddWarning(PackProblem warning) {
  ++warning_count_;
  if (warnings_.size() < kProblemsMax) warnings_.push_back(std::move(warning));
}

absl::Status PackReport::ToStatus() const {
  if (ok()) return absl::OkStatus();
  std::string text;
  for (const PackProblem& problem : problems_) {
    text +=
        fmt::format("{}{}", text.empty() ? "" : "\n", FormatProblem(problem));
  }
  if (problem_count_ > problems_.size()) {
    text += fmt::format("\nand {} more problems",
                        problem_count_ - problems_.size());
  }
  return absl::InvalidArgumentError(text);
}

}  // namespace reprise::sim
