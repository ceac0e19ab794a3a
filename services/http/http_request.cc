// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/http/http_request.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace reprise::services {
namespace {

using State = ParsedHttpRequest::State;

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kEnd = "\r\n\r\n";

constexpr int kBadRequest = 400;
constexpr int kMethodNotAllowed = 405;
constexpr int kContentTooLarge = 413;
constexpr int kFieldsTooLarge = 431;
constexpr int kVersionNotSupported = 505;

ParsedHttpRequest Refuse(int status) {
  return {.state = State::kRefused, .request = {}, .status = status};
}

// RFC 9110, 5.6.2.
bool IsToken(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || kMarks.find(c) != std::string_view::npos;
  });
}

bool IsVisible(char c) { return c > ' ' && c < '\x7f'; }

// Spaces, tabs and bytes above ASCII may stand in a field's value, too.
bool IsFieldText(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return IsVisible(c) || c == ' ' || c == '\t' ||
           static_cast<unsigned char>(c) >= 0x80;
  });
}

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// What stands in front of `mark`, which is taken off with it. All of it where
// there is none.
std::string_view TakeUpTo(std::string_view& text, std::string_view mark) {
  const size_t end = std::min(text.find(mark), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + mark.size(), text.size()));
  return taken;
}

// Reads "GET /path HTTP/1.1". Returns 0, or what to refuse it with.
int ReadRequestLine(std::string_view line, bool& needs_host,
                    HttpRequest& request) {
  const std::string_view method = TakeUpTo(line, " ");
  std::string_view target = TakeUpTo(line, " ");
  const std::string_view version = line;
  const bool is_version = version.size() == 8 && version.starts_with("HTTP/") &&
                          version[5] >= '0' && version[5] <= '9' &&
                          version[6] == '.' && version[7] >= '0' &&
                          version[7] <= '9';
  if (!IsToken(method) || !is_version ||
      !std::ranges::all_of(target, IsVisible)) {
    return kBadRequest;
  }
  if (version[5] != '1') return kVersionNotSupported;
  needs_host = version[7] != '0';
  if (method != "GET" && method != "HEAD") return kMethodNotAllowed;
  request.is_head = method == "HEAD";
  // As proxies are asked, which RFC 9112 wants taken, too.
  constexpr std::string_view kScheme = "http://";
  if (EqualsIgnoringCase(target.substr(0, kScheme.size()), kScheme)) {
    target.remove_prefix(kScheme.size());
    const size_t slash = target.find('/');
    target = slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  if (!target.starts_with('/')) return kBadRequest;
  request.path = std::string(TakeUpTo(target, "?"));
  return 0;
}

// Reads "Name: value". Returns 0, or what to refuse it with.
int ReadField(std::string_view line, HttpRequest& request) {
  if (line.find(':') == std::string_view::npos) return kBadRequest;
  const std::string_view name = TakeUpTo(line, ":");
  const std::string_view value = Trim(line);
  // A line that goes on the one before begins with a space, so it has no name.
  if (!IsToken(name) || !IsFieldText(value)) return kBadRequest;
  if (EqualsIgnoringCase(name, "host")) {
    if (!request.host.empty() || value.empty()) return kBadRequest;
    request.host = std::string(value);
  } else if (EqualsIgnoringCase(name, "authorization")) {
    if (request.authorization.has_value()) return kBadRequest;
    request.authorization = std::string(value);
  } else if (EqualsIgnoringCase(name, "transfer-encoding") ||
             (EqualsIgnoringCase(name, "content-length") && value != "0")) {
    return kContentTooLarge;
  }
  return 0;
}

}  // namespace

ParsedHttpRequest ParseHttpRequest(std::string_view bytes) {
  const size_t end = bytes.substr(0, kHttpRequestBytesMax).find(kEnd);
  if (end == std::string_view::npos) {
    return bytes.size() >= kHttpRequestBytesMax ? Refuse(kFieldsTooLarge)
                                                : ParsedHttpRequest();
  }
  std::string_view rest = bytes.substr(0, end);
  ParsedHttpRequest parsed = {
      .state = State::kComplete, .request = {}, .status = 0};
  bool needs_host = false;
  if (const int status =
          ReadRequestLine(TakeUpTo(rest, kLineEnd), needs_host, parsed.request);
      status != 0) {
    return Refuse(status);
  }
  while (!rest.empty()) {
    const int status = ReadField(TakeUpTo(rest, kLineEnd), parsed.request);
    if (status != 0) return Refuse(status);
  }
  if (needs_host && parsed.request.host.empty()) return Refuse(kBadRequest);
  return parsed;
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, absl::ascii_tolower, absl::ascii_tolower);
}

}  // namespace reprise::services
