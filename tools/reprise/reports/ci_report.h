// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a verb tried, case by case, in the forms that CI systems and code hosts
// take from any program: JUnit XML, SARIF, a Markdown summary, and GitHub's
// annotations.

#ifndef REPRISE_TOOLS_REPRISE_REPORTS_CI_REPORT_H_
#define REPRISE_TOOLS_REPRISE_REPORTS_CI_REPORT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::tools {

struct CiCase {
  // What isn't as it should be is a failure, what couldn't be tried to its end
  // an error. What is skipped counts as neither: `message` says why.
  enum class Outcome { kPassed, kFailed, kError, kSkipped };

  std::string class_name;  // of JUnit: "reprise.test.pong"
  std::string name;
  std::string pack;  // its name; empty where it isn't known
  Outcome outcome = Outcome::kPassed;
  // The kind of failure in one word, and in a sentence for all that have it.
  std::string kind;
  std::string kind_explained;
  std::string message;  // one line
  std::string text;     // all that there is to say, each line with its end
  // Where it is wrong; line and column from 1, 0 where there is none.
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  double seconds = 0;  // of wall time

  // Nobody has to look at it.
  bool passed() const {
    return outcome == Outcome::kPassed || outcome == Outcome::kSkipped;
  }
};

struct CiReport {
  std::string tool;     // "reprise test"
  std::string subject;  // "scenario": what each case is
  std::string passed;   // "passed": what those that hold are
  std::vector<CiCase> cases;
};

// A document of XML 1.0 in UTF-8: one suite, with a test case a case.
std::string FormatJunit(const CiReport& report);

// A log of SARIF 2.1.0 with a rule for each kind of failure that there is, and
// a result for each case that failed, at its file.
std::string FormatSarif(const CiReport& report);

// How many hold and are skipped, a table of those that failed, and what each of
// them says, folded.
std::string FormatMarkdown(const CiReport& report);

// A workflow command ("::error file=...::...") a line for each that failed.
std::string FormatGithub(const CiReport& report);

// `text` between tags or quotes: what XML can't hold becomes U+FFFD.
std::string EscapeXml(std::string_view text);

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_REPORTS_CI_REPORT_H_
