// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/plot.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "fmt/format.h"
#include "replays/showing/shown_expressions.h"
#include "sim/base/math.h"
#include "sim/expression/value.h"

namespace reprise::replays {
namespace {

std::optional<double> NumberOf(const sim::ExpressionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1.0 : 0.0;
  if (const auto* number = std::get_if<double>(&value)) {
    // What lies beyond all numbers is on no scale.
    return sim::IsFinite(*number) ? std::optional(*number) : std::nullopt;
  }
  if (const auto* integer = std::get_if<sim::ExpressionInteger>(&value)) {
    return static_cast<double>(*integer);
  }
  return std::nullopt;
}

}  // namespace

Plot::Plot(std::vector<std::string> expressions) {
  for (std::string& text : expressions) {
    panels_.push_back({.text = std::move(text), .lines = {}});
  }
}

absl::Status Plot::AddRun(std::string_view name, FrameStream& stream) {
  std::vector<std::string> texts;
  for (const PlotPanel& panel : panels_) texts.push_back(panel.text);
  const absl::StatusOr<std::unique_ptr<ShownExpressions>> expressions =
      ShownExpressions::Create(&stream, texts);
  if (!expressions.ok()) return expressions.status();
  for (size_t i = 0; i < texts.size(); ++i) {
    if ((*expressions)->TypeOf(i) != sim::ExpressionType::kText) continue;
    return absl::InvalidArgumentError(fmt::format(
        "{}: a text has no place on a scale; compare it, as in {} == \"...\"",
        texts[i], texts[i]));
  }
  const size_t run = runs_.size();
  runs_.emplace_back(name);

  struct Growing {
    size_t line = 0;
    uint64_t frame = 0;  // of its last point, counted from 1
  };
  std::vector<std::map<std::vector<uint64_t>, Growing>> growing(texts.size());
  absl::Status status;
  for (uint64_t frame = 1;; ++frame) {
    const absl::StatusOr<bool> is_there = stream.Next();
    if (!is_there.ok()) return is_there.status();
    if (!*is_there) break;
    (*expressions)
        ->Visit([&](size_t index, const sim::StateSubject& subject,
                    const sim::ExpressionValue& value) {
          const std::optional<double> number = NumberOf(value);
          if (!status.ok()) return;
          if (!number.has_value()) {
            AddProblem(stream.frame().tick, index, value);
            return;
          }
          std::vector<PlotLine>& lines = panels_[index].lines;
          const auto [known, is_new] =
              growing[index].try_emplace((*expressions)->KeyOf(index, subject),
                                         Growing{.line = lines.size()});
          if (is_new && lines.size() == kLinesMax) {
            status = absl::ResourceExhaustedError(fmt::format(
                "{}: more than {} lines; ask for fewer objects, or for a count",
                panels_[index].text, kLinesMax));
            return;
          }
          if (is_new) {
            lines.push_back({.run = run,
                             .name = (*expressions)->NameOf(index, subject),
                             .points = {}});
          }
          const bool begins = is_new || known->second.frame + 1 != frame;
          known->second.frame = frame;
          lines[known->second.line].points.push_back(
              {.tick = stream.frame().tick,
               .value = *number,
               .begins = begins});
        });
    if (!status.ok()) return status;
  }
  if (problem_count_ == 0) first_problem_ = (*expressions)->first_problem();
  problem_count_ += (*expressions)->problem_count();
  return absl::OkStatus();
}

void Plot::AddProblem(sim::Tick tick, size_t panel,
                      const sim::ExpressionValue& value) {
  const auto* const number = std::get_if<double>(&value);
  if (number == nullptr) return;  // There is nothing to have a value of.
  if (problem_count_++ > 0) return;
  first_problem_ =
      fmt::format("tick {}: {} is {}", tick, panels_[panel].text, *number);
}

}  // namespace reprise::replays
