// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the ranges of docs/pack_reference.md are those of the compiler:
// every number that a pack of the battery says is set beyond the range that the
// page gives it, and is refused at its place.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "fmt/format.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/pack_report.h"
#include "sim/compiler/manifest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"
#include "tests/packs/battery_packs.h"
#include "tools/reprise/reports/field_reference.h"

namespace reprise::sim {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// What has its range checked in other words, and why.
const std::set<std::string>& Exceptions() {
  static const std::set<std::string> exceptions = {
      "CommandArgument.list_max",  // what its event has room for
      "LinearMotor.velocity",      // of a servo from another value on
      "Character.coyote_s",        // in ticks
      "Character.jump_buffer_s",   // in ticks
      "Vector2.x",
      "Vector2.y",
      "Vector3.x",
      "Vector3.y",
      "Vector3.z",
  };
  return exceptions;
}

struct Range {
  std::optional<double> minimum;
  std::optional<double> maximum;
};

double Number(const std::string& text) {
  double number = 0.0;
  EXPECT_TRUE(absl::SimpleAtod(absl::StrReplaceAll(text, {{",", ""}}), &number))
      << text;
  return number;
}

// Of "number, kg; 1e-6 to 1e9; else ...": its second part.
Range RangeOf(const std::string& explained) {
  static const std::regex between(
      R"(; (?:above )?(-?[\d.,]+(?:e-?\d+)?) to (-?[\d.,]+(?:e-?\d+)?))");
  static const std::regex at_most(R"(; at most (-?[\d.,]+\d))");
  static const std::regex from(R"(; (?:above )?(-?\d+)(?:;|\n| or more))");
  std::smatch match;
  const std::string facts = explained.substr(0, explained.find("\n  ", 60));
  if (std::regex_search(facts, match, between)) {
    return {.minimum = Number(match[1]), .maximum = Number(match[2])};
  }
  if (std::regex_search(facts, match, at_most)) {
    return {.minimum = std::nullopt, .maximum = Number(match[1])};
  }
  if (std::regex_search(facts, match, from)) {
    return {.minimum = Number(match[1]), .maximum = std::nullopt};
  }
  return {};
}

bool IsWhole(const FieldDescriptor& field) {
  return field.cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE;
}

// False where the field's type has no such value.
bool Set(Message& message, const FieldDescriptor& field, double value) {
  const Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      reflection.SetDouble(&message, &field, value);
      return true;
    case FieldDescriptor::CPPTYPE_UINT32:
      if (value < 0) return false;
      reflection.SetUInt32(&message, &field, static_cast<uint32_t>(value));
      return true;
    default:
      return false;
  }
}

// Goes through all numbers of one pack and tries each field once.
class RangeProbe {
 public:
  RangeProbe(const PackArchive& archive, v1::Pack pack,
             std::set<std::string>& tried)
      : archive_(archive), pack_(std::move(pack)), tried_(tried) {
    pack_.clear_include();
    pack_.clear_tables();
  }

  void Run() { Walk(pack_, ""); }

 private:
  void Walk(Message& message, const std::string& path) {
    if (message.GetDescriptor()->file()->package() != "reprise.v1") return;
    const Reflection& reflection = *message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor* const field : fields) {
      const std::string place =
          (path.empty() ? "" : path + ".") + field->name();
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
        if (!field->is_repeated()) Try(message, *field, place);
      } else if (!field->is_repeated()) {
        Walk(*reflection.MutableMessage(&message, field), place);
      } else {
        for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
          Walk(*reflection.MutableRepeatedMessage(&message, field, i),
               fmt::format("{}[{}]", place, i));
        }
      }
    }
  }

  void Try(Message& message, const FieldDescriptor& field,
           const std::string& place) {
    const std::string name =
        message.GetDescriptor()->full_name().substr(sizeof("reprise.v1")) +
        "." + field.name();
    if (Exceptions().contains(name) || name.starts_with("Value.")) return;
    const auto kind = field.cpp_type();
    if (kind != FieldDescriptor::CPPTYPE_DOUBLE &&
        kind != FieldDescriptor::CPPTYPE_UINT32) {
      return;
    }
    if (!tried_.insert(name).second) return;
    const absl::StatusOr<std::string> explained =
        tools::ExplainField(tools::FieldReferencePage(), place);
    ASSERT_TRUE(explained.ok()) << explained.status();
    const Range range = RangeOf(*explained);
    const Reflection& reflection = *message.GetReflection();
    const auto backup = std::unique_ptr<Message>(message.New());
    backup->CopyFrom(message);
    if (range.maximum.has_value()) {
      const double step = IsWhole(field) ? 1.0 : 1e-4 * Scale(*range.maximum);
      ExpectRefused(message, field, place, *range.maximum + step);
    }
    // 0 stands for what isn't said, in whole numbers.
    if (range.minimum.has_value() && !IsWhole(field)) {
      ExpectRefused(message, field, place,
                    *range.minimum - 1e-4 * Scale(*range.minimum));
    }
    reflection.Swap(&message, backup.get());
  }

  static double Scale(double bound) {
    return bound == 0.0 ? 1.0 : std::max(bound, -bound);
  }

  void ExpectRefused(Message& message, const FieldDescriptor& field,
                     const std::string& place, double value) {
    if (!Set(message, field, value)) return;
    std::string text;
    ASSERT_TRUE(google::protobuf::TextFormat::PrintToString(pack_, &text));
    PackArchive changed;
    for (const auto& [path, contents] : archive_.files()) {
      const bool is_manifest = path == kPackManifestPath;
      ASSERT_TRUE(changed.Add(path, is_manifest ? text : contents).ok());
    }
    PackReport report;
    CompilePack(changed, /*seed=*/0, report);
    const bool is_told = std::ranges::any_of(
        report.problems(),
        [&](const PackProblem& problem) { return problem.field == place; });
    EXPECT_TRUE(is_told) << place << " = " << value << "\n"
                         << report.ToStatus();
  }

  const PackArchive& archive_;
  v1::Pack pack_;
  std::set<std::string>& tried_;
};

TEST(ReferenceRangesTest, WhatIsBeyondThemIsRefused) {
  std::set<std::string> tried;
  for (const char* const name : kBatteryPacks) {
    const PackArchive archive = BatteryPack(name);
    PackReport report;
    const auto manifest = ParseManifest(archive, report);
    ASSERT_TRUE(report.ok()) << report.ToStatus();
    RangeProbe(archive, manifest->pack, tried).Run();
  }
  // A walk that found nothing would refuse nothing.
  EXPECT_GT(tried.size(), 100u);
}

}  // namespace
}  // namespace reprise::sim
