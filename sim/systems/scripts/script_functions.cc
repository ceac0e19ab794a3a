// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_functions.h"

#include <utility>

#include "sim/base/check.h"

namespace reprise::sim {

void ScriptFunctions::Add(std::string name, std::string help,
                          std::vector<ScriptParameter> parameters,
                          ScriptResult result, ScriptNative native,
                          std::string fails_when) {
  ScriptFunction function{.name = std::move(name),
                          .help = std::move(help),
                          .parameters = std::move(parameters),
                          .result = std::move(result),
                          .failures = {},
                          .native = native};
  if (!fails_when.empty()) {
    function.failures.push_back({.code = absl::StatusCode::kInvalidArgument,
                                 .when = std::move(fails_when)});
  }
  const absl::Status status = api_->Add(std::move(function));
  CHECK(status.ok(), "{}", status.ToString());
}

ScriptParameter TextParameter(std::string name, std::string help) {
  return {.name = std::move(name),
          .type = ScriptType::kString,
          .help = std::move(help)};
}

ScriptParameter ObjectParameter(std::string help) {
  return {
      .name = "object", .type = ScriptType::kHandle, .help = std::move(help)};
}

ScriptParameter VectorParameter(std::string name, std::string help,
                                std::string unit) {
  return {.name = std::move(name),
          .type = ScriptType::kVector,
          .help = std::move(help),
          .unit = std::move(unit)};
}

ScriptParameter NumberParameter(std::string name, std::string help,
                                std::string unit, double minimum,
                                double maximum) {
  return {.name = std::move(name),
          .type = ScriptType::kNumber,
          .help = std::move(help),
          .unit = std::move(unit),
          .minimum = minimum,
          .maximum = maximum};
}

ScriptParameter IntegerParameter(std::string name, std::string help,
                                 std::string unit, double minimum,
                                 double maximum) {
  return {.name = std::move(name),
          .type = ScriptType::kInteger,
          .help = std::move(help),
          .unit = std::move(unit),
          .minimum = minimum,
          .maximum = maximum};
}

ScriptParameter Optional(ScriptParameter parameter) {
  parameter.is_optional = true;
  return parameter;
}

ScriptResult Gives(ScriptType type, std::string help, std::string unit) {
  return {.type = type, .help = std::move(help), .unit = std::move(unit)};
}

ScriptResult MayGive(ScriptType type, std::string help, std::string unit) {
  return {.type = type,
          .help = std::move(help),
          .unit = std::move(unit),
          .may_be_nil = true};
}

absl::Status Refused(const absl::Status& status) {
  if (status.ok()) return status;
  return absl::InvalidArgumentError(status.message());
}

int64_t IntegerOr(const ScriptCall& call, size_t index, int64_t otherwise) {
  return call.has(index) ? call.integer(index) : otherwise;
}

std::shared_ptr<const ScriptApi> WorldScriptApi() {
  static const auto& api = *new std::shared_ptr<const ScriptApi>([] {
    ScriptFunctions functions;
    AddObjectFunctions(functions);
    AddEventFunctions(functions);
    AddQueryFunctions(functions);
    AddLogFunctions(functions);
    AddStateFunctions(functions);
    AddSystemFunctions(functions);
    return functions.Finish();
  }());
  return api;
}

}  // namespace reprise::sim
