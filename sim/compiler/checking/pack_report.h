// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The mistakes found in a pack, each with its file, line and field.

#ifndef REPRISE_SIM_COMPILER_CHECKING_PACK_REPORT_H_
#define REPRISE_SIM_COMPILER_CHECKING_PACK_REPORT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "sim/compiler/checking/manifest_places.h"

namespace reprise::sim {

struct PackProblem {
  std::string file;
  uint32_t line = 0;    // from 1; 0: the file as a whole
  uint32_t column = 0;  // from 1
  std::string field;    // "objects[3].type"; empty: none in particular
  std::string message;
};

// "pack.txtpb:12:3: objects[3].type: no type is called 'crate'".
std::string FormatProblem(const PackProblem& problem);

// A message within the manifest, and where it stands in which file.
class PackPlace {
 public:
  // The manifest itself. `places` outlives this.
  explicit PackPlace(const ManifestPlaces& places) : places_(&places) {}

  // The message in the field `name` of `parent`, which is at this place; the
  // `index`-th of a repeated field.
  PackPlace In(const google::protobuf::Message& parent, std::string_view name,
               int index = -1) const;

  // Where the message itself begins.
  FixedPlace Place() const;

  // A problem with the field `name` of `message`, which is at this place.
  PackProblem ProblemWith(const google::protobuf::Message& message,
                          std::string_view name, std::string text) const;

  // The whole manifest; null where it isn't known.
  const v1::Pack* manifest() const { return places_->manifest(); }

 private:
  // The message as its file has it: "types[0]" where it is the first type
  // there.
  std::string PathInFile() const;

  const ManifestPlaces* places_;
  // Null for the manifest itself.
  const ManifestFile* file_ = nullptr;
  // Where the message is in the whole manifest, and in its file: they differ in
  // their beginnings alone, which have these lengths.
  std::string path_;
  std::string beginning_in_file_;
  size_t beginning_size_ = 0;
  // Where the message itself begins, for fields that it lacks.
  uint32_t line_ = 0;
  uint32_t column_ = 0;
  const google::protobuf::TextFormat::ParseInfoTree* locations_ = nullptr;
  const FixedPlace* fixed_ = nullptr;
};

// How strict one is with a pack.
struct PackPolicy {
  // Names that lead nowhere are problems, as for whoever writes the pack.
  // Otherwise those that were let through once are warnings, so that packs from
  // before still run.
  bool is_author = false;
  // What is baked is about to be baked: files of it that aren't there, or are
  // of another level, are no problems, and taken for empty ones.
  bool is_baking = false;
};

// Collects problems, so that one look at a pack finds them all, and warnings:
// what can be run, but hardly meant.
class PackReport {
 public:
  explicit PackReport(PackPolicy policy = {}) : policy_(policy) {}

  // Of either kind; more are counted, not kept.
  static constexpr size_t kProblemsMax = 100;

  // Looking through what there is for what was meant takes time.
  static constexpr uint64_t kDetailedProblemsMax = 20;

  void Add(PackProblem problem);
  void AddWarning(PackProblem warning);

  const PackPolicy& policy() const { return policy_; }
  bool ok() const { return problem_count_ == 0; }
  std::span<const PackProblem> problems() const { return problems_; }
  std::span<const PackProblem> warnings() const { return warnings_; }
  // Those that aren't kept included.
  uint64_t warning_count() const { return warning_count_; }
  // Whether a problem is still worth saying more of it than what it is.
  bool wants_details() const {
    return problem_count_ + warning_count_ < kDetailedProblemsMax;
  }

  // OK, or INVALID_ARGUMENT with a line for each problem.
  absl::Status ToStatus() const;

 private:
  PackPolicy policy_;
  std::vector<PackProblem> problems_;
  uint64_t problem_count_ = 0;
  std::vector<PackProblem> warnings_;
  uint64_t warning_count_ = 0;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_CHECKING_PACK_REPORT_H_
