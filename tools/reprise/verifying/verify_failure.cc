// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_failure.h"

#include <vector>

#include "fmt/format.h"
#include "tools/reprise/terminal/console.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

// A member that is a text, or "".
std::string TextOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : std::string();
}

// The member `key` of a run, if it is an object.
const Json* ObjectIn(const Json& run, const char* key) {
  const auto found = run.find(key);
  return found != run.end() && found->is_object() ? &*found : nullptr;
}

void AddLine(const char* name, const std::string& value, std::string& text) {
  if (!value.empty()) text += fmt::format("{}: {}\n", name, value);
}

std::string FormatValues(const Json& field) {
  const std::string unit = TextOf(field, "unit");
  return fmt::format("{} | {}{}", TextOf(field, "expected"),
                     TextOf(field, "actual"),
                     unit.empty() ? "" : fmt::format(" [{}]", unit));
}

}  // namespace

std::string FormatFirstDifference(const VerifyResult& result) {
  const Json* const divergence = ObjectIn(result.run, "divergence");
  if (divergence == nullptr) return "";
  std::string text;
  const auto first = divergence->find("first_different_tick");
  const auto last = divergence->find("last_equal_tick");
  if (last != divergence->end() && last->is_number_unsigned()) {
    const uint64_t from = *last;
    const uint64_t to = first->get<uint64_t>();
    AddLine("first tick",
            to <= from + 1 ? std::to_string(from)
                           : fmt::format("{} to {}", from, to - 1),
            text);
  } else if (first != divergence->end() && first->is_number_unsigned()) {
    AddLine("first tick", std::to_string(first->get<uint64_t>()), text);
  }
  AddLine("phase", TextOf(*divergence, "phase"), text);
  const auto fields = divergence->find("fields");
  if (fields == divergence->end() || !fields->is_array() || fields->empty()) {
    return text;
  }
  const Json& field = fields->front();
  const std::string name = TextOf(field, "field");
  AddLine("object", TextOf(field, "object"), text);
  AddLine("field", TextOf(field, "table") + (name.empty() ? "" : "." + name),
          text);
  AddLine("values", FormatValues(field), text);
  return text;
}

std::string DiffCommand(const VerifyResult& result) {
  const std::string pack = TextOf(result.run, "pack_path");
  const std::string capsule = TextOf(result.run, "capsule");
  if (ObjectIn(result.run, "divergence") == nullptr) return "";
  if (!pack.empty()) {
    return FormatCommandLine(
        std::vector<std::string>{"diff", result.path, "--pack", pack});
  }
  if (capsule.empty()) return "";
  return FormatCommandLine(std::vector<std::string>{"diff", capsule});
}

std::string FormatFailure(const VerifyResult& result,
                          const Reproducer& reproduction) {
  std::string text = fmt::format("{}\n{}{}", result.summary, result.report,
                                 FormatFirstDifference(result));
  AddLine("diff", DiffCommand(result), text);
  AddLine("reproduce", reproduction(result), text);
  return text;
}

}  // namespace reprise::tools
