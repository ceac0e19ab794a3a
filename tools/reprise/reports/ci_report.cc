// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "tools/reprise/reports/ci_report.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_replace.h"
#include "fmt/format.h"
#include "tools/reprise/terminal/escaped_text.h"
#include "tools/reprise/terminal/json_output.h"

namespace reprise::tools {
namespace {

constexpr std::string_view kSarifSchema =
    "https://json.schemastore.org/sarif-2.1.0.json";

// U+FFFD, and the two of the basic plane that XML leaves out (XML 1.0, 2.2).
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kNoncharacters[] = {"\xEF\xBF\xBE", "\xEF\xBF\xBF"};

// Well-formed UTF-8 of any bytes.
std::string ToUtf8(std::string_view bytes) {
  const std::string quoted = Json(bytes).dump(-1, ' ', /*ensure_ascii=*/false,
                                              Json::error_handler_t::replace);
  return Json::parse(quoted).get<std::string>();
}

std::string FormatJunitCase(const CiCase& each) {
  const std::string head = fmt::format(
      "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
      EscapeXml(each.class_name), EscapeXml(each.name), each.seconds);
  if (each.outcome == CiCase::Outcome::kSkipped) {
    return fmt::format(
        "{}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", head,
        EscapeXml(each.message));
  }
  if (each.passed()) {
    if (each.message.empty()) return head + "/>\n";
    return fmt::format(
        "{}>\n      <system-out>{}</system-out>\n    </testcase>\n", head,
        EscapeXml(each.message));
  }
  const char* const tag =
      each.outcome == CiCase::Outcome::kFailed ? "failure" : "error";
  return fmt::format(
      "{}>\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n",
      head, tag, EscapeXml(each.kind), EscapeXml(each.message),
      EscapeXml(each.text), tag);
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

Json SarifLocation(const CiCase& each) {
  Json place = {{"artifactLocation", {{"uri", EncodeUri(each.file)}}}};
  if (each.line > 0) {
    place["region"] = {{"startLine", each.line}};
    if (each.column > 0) place["region"]["startColumn"] = each.column;
  }
  return {{"physicalLocation", std::move(place)}};
}

// A cell of a table: bars and tags would end it, lines can't go on in it.
std::string EscapeCell(const std::string& text) {
  return absl::StrReplaceAll(
      EscapeLine(text),
      {{"|", "\\|"}, {"<", "&lt;"}, {">", "&gt;"}, {"`", "\\`"}});
}

// The page that a line of the text names, "shown in failures/a.html#t=40";
// empty without one.
std::string PageOf(const CiCase& each) {
  constexpr std::string_view kMark = "shown in ";
  std::istringstream lines(each.text);
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    const std::string_view words = std::string_view(line).substr(begin);
    if (words.starts_with(kMark) && words.find(".html#") != words.npos) {
      return std::string(words.substr(kMark.size()));
    }
  }
  return "";
}

// Text of a link: brackets would end it.
std::string EscapeLink(const std::string& text) {
  return absl::StrReplaceAll(EscapeCell(text), {{"[", "\\["}, {"]", "\\]"}});
}

// Where a link of Markdown leads; what is behind the # stays as it is.
std::string EncodePage(const std::string& page) {
  const size_t fragment = page.rfind(".html#") + 5;
  return EncodeUri(page.substr(0, fragment)) + page.substr(fragment);
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

auto CountOf(const CiReport& report, CiCase::Outcome outcome) {
  return std::ranges::count(report.cases, outcome, &CiCase::outcome);
}

}  // namespace

std::string FormatJunit(const CiReport& report) {
  const auto failures = CountOf(report, CiCase::Outcome::kFailed);
  const auto errors = CountOf(report, CiCase::Outcome::kError);
  const auto skipped = CountOf(report, CiCase::Outcome::kSkipped);
  double seconds = 0;
  for (const CiCase& each : report.cases) seconds += each.seconds;
  // Of verbs that skip nothing, reports stay as they were.
  const std::string totals = fmt::format(
      "name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"{} "
      "time=\"{:.3f}\"",
      EscapeXml(report.tool), report.cases.size(), failures, errors,
      skipped > 0 ? fmt::format(" skipped=\"{}\"", skipped) : "", seconds);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites {}>\n  <testsuite {}>\n",
      totals, totals);
  for (const CiCase& each : report.cases) text += FormatJunitCase(each);
  return text + "  </testsuite>\n</testsuites>\n";
}

std::string FormatSarif(const CiReport& report) {
  std::map<std::string, std::string> kinds;
  Json found = Json::array();
  for (const CiCase& each : report.cases) {
    if (each.passed()) continue;
    kinds.emplace(each.kind, each.kind_explained);
    Json result = {{"ruleId", each.kind},
                   {"level", "error"},
                   {"message", {{"text", each.text}}}};
    if (!each.file.empty()) {
      result["locations"] = Json::array({SarifLocation(each)});
    }
    found.push_back(std::move(result));
  }
  Json rules = Json::array();
  for (const auto& [kind, explained] : kinds) {
    rules.push_back(
        {{"id", kind}, {"shortDescription", {{"text", explained}}}});
  }
  const Json run = {
      {"tool", {{"driver", {{"name", report.tool}, {"rules", rules}}}}},
      {"results", std::move(found)}};
  const Json log = {{"$schema", kSarifSchema},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run})}};
  return log.dump(2, ' ', /*ensure_ascii=*/false,
                  Json::error_handler_t::replace) +
         "\n";
}

std::string FormatMarkdown(const CiReport& report) {
  const auto skipped = CountOf(report, CiCase::Outcome::kSkipped);
  std::string text =
      fmt::format("## {}: {} of {} {}s {}{}\n", report.tool,
                  CountOf(report, CiCase::Outcome::kPassed),
                  report.cases.size(), report.subject, report.passed,
                  skipped > 0 ? fmt::format(", {} skipped", skipped) : "");
  if (std::ranges::all_of(report.cases, &CiCase::passed)) return text;
  text +=
      fmt::format("\n| {} | pack | verdict | what it is |\n|---|---|---|---|\n",
                  report.subject);
  for (const CiCase& each : report.cases) {
    if (each.passed()) continue;
    text +=
        fmt::format("| {} | {} | {} | {} |\n", EscapeCell(each.name),
                    EscapeCell(each.pack), each.kind, EscapeCell(each.message));
  }
  for (const CiCase& each : report.cases) {
    if (each.passed()) continue;
    const std::string failure = EscapeText(each.text);
    const std::string fence = FenceFor(failure);
    const std::string page = PageOf(each);
    const std::string link =
        page.empty() ? ""
                     : fmt::format("[Shown in {}]({})\n\n", EscapeLink(page),
                                   EncodePage(page));
    text += fmt::format(
        "\n<details><summary>{}</summary>\n\n{}{}\n{}{}\n\n</details>\n",
        EscapeCell(each.name), link, fence, failure, fence);
  }
  return text;
}

std::string FormatGithub(const CiReport& report) {
  std::string text;
  for (const CiCase& each : report.cases) {
    if (each.passed()) continue;
    std::string place;
    if (!each.file.empty()) {
      place = fmt::format("file={},", EscapeGithubProperty(each.file));
    }
    if (each.line > 0) place += fmt::format("line={},", each.line);
    if (each.column > 0) place += fmt::format("col={},", each.column);
    text += fmt::format(
        "::error {}title={}::{}\n", place,
        EscapeGithubProperty(fmt::format("{} {}", each.name, each.kind)),
        EscapeGithubText(each.text));
  }
  return text;
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
