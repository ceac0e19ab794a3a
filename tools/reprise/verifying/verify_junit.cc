// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_junit.h"

#include <algorithm>

#include "fmt/format.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

// U+FFFD, and the two of the basic plane that XML leaves out (XML 1.0, 2.2).
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kNoncharacters[] = {"\xEF\xBF\xBE", "\xEF\xBF\xBF"};

// Well-formed UTF-8 of any bytes.
std::string ToUtf8(std::string_view bytes) {
  const std::string quoted = Json(bytes).dump(-1, ' ', /*ensure_ascii=*/false,
                                              Json::error_handler_t::replace);
  return Json::parse(quoted).get<std::string>();
}

bool IsFailure(const VerifyResult& result) {
  return ExitCodeOf(result.verdict) == ExitCode::kDifferent;
}

std::string FormatCase(const VerifyResult& result,
                       const Reproducer& reproduction) {
  std::string text = fmt::format(
      "    <testcase classname=\"reprise.verify{}\" name=\"{}\" "
      "time=\"{:.3f}\"",
      result.pack.empty() ? "" : "." + EscapeXml(result.pack),
      EscapeXml(result.path), result.seconds);
  if (result.passed()) {
    return text + fmt::format(
                      ">\n      <system-out>{}{}</system-out>\n"
                      "    </testcase>\n",
                      EscapeXml(result.summary),
                      result.is_cached ? ", known from an earlier run" : "");
  }
  const char* const tag = IsFailure(result) ? "failure" : "error";
  return text + fmt::format(
                    ">\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n"
                    "    </testcase>\n",
                    tag, VerdictName(result.verdict), EscapeXml(result.summary),
                    EscapeXml(FormatFailure(result, reproduction)), tag);
}

}  // namespace

std::string FormatJunit(std::span<const VerifyResult> results,
                        const Reproducer& reproduction) {
  const auto failures = std::ranges::count_if(results, &IsFailure);
  const auto passed = std::ranges::count_if(results, &VerifyResult::passed);
  double seconds = 0;
  for (const VerifyResult& result : results) seconds += result.seconds;
  const std::string totals = fmt::format(
      "name=\"reprise verify\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "time=\"{:.3f}\"",
      results.size(), failures, std::ssize(results) - passed - failures,
      seconds);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites {}>\n  <testsuite {}>\n",
      totals, totals);
  for (const VerifyResult& result : results) {
    text += FormatCase(result, reproduction);
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  const std::string valid = ToUtf8(text);
  for (size_t i = 0; i < valid.size(); ++i) {
    const char character = valid[i];
    const std::string_view scalar = std::string_view(valid).substr(i, 3);
    if (std::ranges::find(kNoncharacters, scalar) != std::end(kNoncharacters)) {
      escaped += kReplacement;
      i += 2;
    } else if (character == '&') {
      escaped += "&amp;";
    } else if (character == '<') {
      escaped += "&lt;";
    } else if (character == '>') {
      escaped += "&gt;";
    } else if (character == '"') {
      escaped += "&quot;";
    } else if (static_cast<unsigned char>(character) < 0x20 &&
               character != '\t' && character != '\n') {
      escaped += kReplacement;
    } else {
      escaped += character;
    }
  }
  return escaped;
}

}  // namespace reprise::tools
