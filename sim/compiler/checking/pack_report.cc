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
    text += fmt::format(":{}:{}", problem.line, problem.column);
  }
  if (!problem.field.empty()) text += fmt::format(": {}", problem.field);
  return fmt::format("{}: {}", text, problem.message);
}

PackPlace PackPlace::In(const Message& parent, std::string_view name,
                        int index) const {
  const FieldDescriptor* const field = FieldOf(parent, name);
  PackPlace place = *this;
  place.path_ = Join(path_, name, index);
  if (locations_ == nullptr) return place;
  const TextFormat::ParseLocation location =
      locations_->GetLocation(field, index);
  if (location.line >= 0) {
    place.line_ = static_cast<uint32_t>(location.line) + 1;
    place.column_ = static_cast<uint32_t>(location.column) + 1;
  }
  place.locations_ = locations_->GetTreeForNested(field, index);
  return place;
}

PackProblem PackPlace::ProblemWith(const Message& message,
                                   std::string_view name,
                                   std::string text) const {
  const FieldDescriptor* const field = FieldOf(message, name);
  PackProblem problem{.file = file_,
                      .line = line_,
                      .column = column_,
                      .field = Join(path_, name, -1),
                      .message = std::move(text)};
  if (locations_ == nullptr) return problem;
  const TextFormat::ParseLocation location =
      locations_->GetLocation(field, field->is_repeated() ? 0 : -1);
  if (location.line >= 0) {
    problem.line = static_cast<uint32_t>(location.line) + 1;
    problem.column = static_cast<uint32_t>(location.column) + 1;
  }
  return problem;
}

void PackReport::Add(PackProblem problem) {
  ++problem_count_;
  if (problems_.size() < kProblemsMax) problems_.push_back(std::move(problem));
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
