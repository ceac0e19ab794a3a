// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A function of ours that scripts may call: what it does and takes is said
// once. Its arguments are checked by that, the reference and what editors
// complete are made of it.

#ifndef REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_FUNCTION_H_
#define REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_FUNCTION_H_

#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "sim/script/functions/script_value.h"

namespace reprise::sim {

class ScriptCall;

struct ScriptParameter {
  std::string name;
  ScriptType type = ScriptType::kNumber;
  std::string help;
  std::string unit;  // "m/s"; empty for none
  // Of integers and numbers, both included. All are finite anyway.
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool is_optional = false;  // then it may be nil or left out
};

struct ScriptResult {
  ScriptType type = ScriptType::kNil;  // kNil: the function returns nothing
  std::string help;
  std::string unit;
  bool may_be_nil = false;
};

// An error that the function may return.
struct ScriptFailure {
  absl::StatusCode code = absl::StatusCode::kInvalidArgument;
  std::string when;  // "the object is gone"
};

// Does the work of a function; its arguments are right by its description. An
// error becomes the script's, with the line of the call. What it did before an
// error stays done. REQUIRES: an error is one of the description's.
using ScriptNative = absl::Status (*)(ScriptCall& call);

struct ScriptFunction {
  std::string name;  // "distance", or in a table: "body.push"
  std::string help;  // one sentence or more, with a full stop
  std::vector<ScriptParameter> parameters;  // at most kScriptParametersMax
  ScriptResult result;
  std::vector<ScriptFailure> failures;
  ScriptNative native = nullptr;
  // It works on its arguments alone, without ScriptCall::context(). A call of
  // any other while scripts are loaded is an error of the script.
  bool is_pure = false;
  // It changes nothing, or nothing but what is told: hooks may call it, as they
  // may call what is pure.
  bool is_observing = false;
};

inline constexpr int kScriptParametersMax = 16;

// Returns INVALID_ARGUMENT if a description says nothing useful or contradicts
// itself: a name that isn't one in Lua, a parameter that must be there behind
// one that needn't, a minimum above the maximum, no help.
absl::Status ValidateScriptFunction(const ScriptFunction& function);

// Words for descriptions.
ScriptParameter TextParameter(std::string name, std::string help);
ScriptParameter ObjectParameter(std::string help);
ScriptParameter VectorParameter(std::string name, std::string help,
                                std::string unit);
ScriptParameter NumberParameter(std::string name, std::string help,
                                std::string unit, double minimum,
                                double maximum);
ScriptParameter IntegerParameter(
    std::string name, std::string help, std::string unit = "",
    double minimum = -std::numeric_limits<double>::infinity(),
    double maximum = std::numeric_limits<double>::infinity());
ScriptParameter Optional(ScriptParameter parameter);
ScriptResult Gives(ScriptType type, std::string help, std::string unit = "");
ScriptResult MayGive(ScriptType type, std::string help, std::string unit = "");

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SCRIPT_FUNCTIONS_SCRIPT_FUNCTION_H_
