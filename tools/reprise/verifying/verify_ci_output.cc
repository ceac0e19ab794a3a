// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/verifying/verify_ci_output.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "absl/strings/str_replace.h"
#include "fmt/format.h"
#include "tools/reprise/terminal/escaped_text.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kSarifSchema =
    "https://json.schemastore.org/sarif-2.1.0.json";

// What a rule of SARIF says of a verdict.
std::string_view Explain(Verdict verdict) {
  switch (verdict) {
    case Verdict::kVerified:
      return "The run is the recorded one.";
    case Verdict::kDiverged:
      return "The run differs from the recorded one.";
    case Verdict::kUnexpected:
      return "The run ends in another outcome than was asked for.";
    case Verdict::kPartial:
      return "The run is right as far as it could be compared, which is not "
             "all.";
    case Verdict::kUnproven:
      return "There was nothing to compare.";
    case Verdict::kRefused:
      return "The file, or the pack to run it on, is not right.";
    case Verdict::kMissing:
      return "The file, its pack or its simulation is not there.";
    case Verdict::kCrashed:
      return "The simulation ended its process.";
    case Verdict::kHung:
      return "The simulation made no progress.";
    case Verdict::kFailed:
      return "The machine could not do it.";
  }
  return "";
}

// A path as part of a URI: all but what RFC 3986 leaves as it is is encoded.
std::string EncodeUri(const std::string& path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char character : path) {
    if (kPlain.find(character) != std::string_view::npos) {
      uri += character;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(character));
    }
  }
  return uri;
}

// A cell of a table: bars and tags would end it, lines can't go on in it.
std::string EscapeCell(const std::string& text) {
  return absl::StrReplaceAll(
      EscapeLine(text),
      {{"|", "\\|"}, {"<", "&lt;"}, {">", "&gt;"}, {"`", "\\`"}});
}

// A fence that no line of `text` can end.
std::string FenceFor(const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += '`';
  return fence;
}

// As GitHub's own toolkit escapes the text and the properties of a command.
std::string EscapeGithubText(const std::string& text) {
  return absl::StrReplaceAll(text,
                             {{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}});
}

std::string EscapeGithubProperty(const std::string& text) {
  return absl::StrReplaceAll(EscapeGithubText(text),
                             {{":", "%3A"}, {",", "%2C"}});
}

}  // namespace

std::string FormatSarif(std::span<const VerifyResult> results,
                        const Reproducer& reproduction) {
  std::set<Verdict> verdicts;
  Json found = Json::array();
  for (const VerifyResult& result : results) {
    if (result.passed()) continue;
    verdicts.insert(result.verdict);
    found.push_back(
        {{"ruleId", VerdictName(result.verdict)},
         {"level", "error"},
         {"message", {{"text", FormatFailure(result, reproduction)}}},
         {"locations",
          {{{"physicalLocation",
             {{"artifactLocation", {{"uri", EncodeUri(result.path)}}}}}}}}});
  }
  Json rules = Json::array();
  for (const Verdict verdict : verdicts) {
    rules.push_back({{"id", VerdictName(verdict)},
                     {"shortDescription", {{"text", Explain(verdict)}}}});
  }
  const Json run = {
      {"tool", {{"driver", {{"name", "reprise verify"}, {"rules", rules}}}}},
      {"results", std::move(found)}};
  const Json log = {{"$schema", kSarifSchema},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run})}};
  return log.dump(2, ' ', /*ensure_ascii=*/false,
                  Json::error_handler_t::replace) +
         "\n";
}

std::string FormatMarkdown(std::span<const VerifyResult> results,
                           const Reproducer& reproduction) {
  const auto passed = std::ranges::count_if(results, &VerifyResult::passed);
  std::string text = fmt::format(
      "## reprise verify: {} of {} replays verified\n", passed, results.size());
  if (passed == std::ssize(results)) return text;
  text += "\n| replay | pack | verdict | what it is |\n|---|---|---|---|\n";
  for (const VerifyResult& result : results) {
    if (result.passed()) continue;
    text += fmt::format("| {} | {} | {} | {} |\n", EscapeCell(result.path),
                        EscapeCell(result.pack), VerdictName(result.verdict),
                        EscapeCell(result.summary));
  }
  for (const VerifyResult& result : results) {
    if (result.passed()) continue;
    const std::string failure = EscapeText(FormatFailure(result, reproduction));
    const std::string fence = FenceFor(failure);
    text += fmt::format(
        "\n<details><summary>{}</summary>\n\n{}\n{}{}\n\n</details>\n",
        EscapeCell(result.path), fence, failure, fence);
  }
  return text;
}

std::string FormatGithub(std::span<const VerifyResult> results,
                         const Reproducer& reproduction) {
  std::string text;
  for (const VerifyResult& result : results) {
    if (result.passed()) continue;
    text += fmt::format("::error file={},title={}::{}\n",
                        EscapeGithubProperty(result.path),
                        EscapeGithubProperty(fmt::format(
                            "{} {}", result.path, VerdictName(result.verdict))),
                        EscapeGithubText(FormatFailure(result, reproduction)));
  }
  return text;
}

}  // namespace reprise::tools
