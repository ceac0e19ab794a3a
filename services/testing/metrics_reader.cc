// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/metrics_reader.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>

#include "absl/strings/str_split.h"
#include "fmt/format.h"

namespace reprise::services {
namespace {

bool IsNameCharacter(char c, bool is_first) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (!is_first && c >= '0' && c <= '9');
}

// Takes a name off the front of `rest`; empty where there is none.
std::string TakeName(std::string_view& rest) {
  size_t size = 0;
  while (size < rest.size() && IsNameCharacter(rest[size], size == 0)) ++size;
  std::string name(rest.substr(0, size));
  rest.remove_prefix(size);
  return name;
}

bool Take(std::string_view& rest, std::string_view text) {
  if (!rest.starts_with(text)) return false;
  rest.remove_prefix(text.size());
  return true;
}

// What follows a quotation mark, up to the next one; nullopt where an escape
// is none, or there is no next one.
std::optional<std::string> TakeQuoted(std::string_view& rest) {
  std::string value;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c == '"') return value;
    if (c != '\\') {
      value += c;
    } else if (Take(rest, "n")) {
      value += '\n';
    } else if (Take(rest, "\\")) {
      value += '\\';
    } else if (Take(rest, "\"")) {
      value += '"';
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

class Reader {
 public:
  ReadMetrics Read(std::string_view text) {
    if (!text.empty() && text.back() != '\n')
      Problem("the last line has no end");
    if (!text.empty()) text.remove_suffix(1);
    const std::vector<std::string> lines =
        absl::StrSplit(std::string(text), '\n');
    for (const std::string& line : lines) {
      ++line_;
      if (line.starts_with("# HELP ")) {
        ReadHelp(std::string_view(line).substr(7));
      } else if (line.starts_with("# TYPE ")) {
        ReadType(std::string_view(line).substr(7));
      } else if (line.empty() || line.starts_with('#')) {
        Problem("neither a sample nor what one is");
      } else {
        ReadSample(line);
      }
    }
    EndFamily();
    return std::move(result_);
  }

 private:
  void Problem(std::string_view what) {
    result_.problems.push_back(fmt::format("{}: {}", line_, what));
  }

  void ReadHelp(std::string_view rest) {
    EndFamily();
    family_ = TakeName(rest);
    type_.clear();
    if (family_.empty() || !Take(rest, " ") || rest.empty()) {
      Problem("help is a name and a text");
    }
    if (!families_.insert(family_).second) Problem("the family comes twice");
    for (const char* const unit :
         {"milliseconds", "microseconds", "nanoseconds", "kilobytes",
          "megabytes", "_ms", "_ns", "_us", "_mb", "_kb"}) {
      if (family_.find(unit) != std::string::npos) Problem("no base unit");
    }
  }

  void ReadType(std::string_view rest) {
    const std::string name = TakeName(rest);
    if (name != family_ || !Take(rest, " ")) Problem("the type of another one");
    type_ = std::string(rest);
    if (type_ != "counter" && type_ != "gauge" && type_ != "histogram") {
      Problem("no type");
    }
    if (family_.ends_with("_total") != (type_ == "counter")) {
      Problem("_total is the end of counters and of nothing else");
    }
  }

  void ReadSample(std::string_view rest) {
    const std::string name = TakeName(rest);
    std::map<std::string, std::string> labels;
    if (Take(rest, "{")) {
      do {
        const std::string label = TakeName(rest);
        const bool is_begun = Take(rest, "=\"");
        const auto value = is_begun ? TakeQuoted(rest) : std::nullopt;
        if (label.empty() || !value.has_value()) return Problem("no label");
        if (!labels.emplace(label, *value).second) Problem("a label twice");
      } while (Take(rest, ","));
      if (!Take(rest, "}")) return Problem("labels end with }");
    }
    if (!Take(rest, " ")) return Problem("no value");
    const std::string number(rest);
    char* end = nullptr;
    const double value = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0' || std::isspace(number.front()) != 0) {
      return Problem("the value is no number");
    }
    if (type_.empty()) Problem("a sample without a type in front");
    CheckName(name);
    if (type_ != "gauge" && value < 0) Problem("it is below 0");
    if (!result_.samples.emplace(SampleKey(name, labels), value).second) {
      Problem("the sample comes twice");
    }
    if (type_ == "histogram") GatherBucket(name, labels, value);
  }

  void CheckName(const std::string& name) {
    if (type_ == "histogram") {
      if (name == family_ + "_bucket" || name == family_ + "_sum" ||
          name == family_ + "_count") {
        return;
      }
    } else if (name == family_) {
      return;
    }
    Problem("a sample of another family");
  }

  void GatherBucket(const std::string& name,
                    std::map<std::string, std::string> labels, double value) {
    if (name == family_ + "_bucket") {
      const std::string bound = labels["le"];
      labels.erase("le");
      const double upper = bound == "+Inf"
                               ? std::numeric_limits<double>::infinity()
                               : std::strtod(bound.c_str(), nullptr);
      std::vector<std::pair<double, double>>& buckets = buckets_[labels];
      if (!buckets.empty() &&
          (buckets.back().first >= upper || buckets.back().second > value)) {
        Problem("buckets go up");
      }
      buckets.emplace_back(upper, value);
    } else if (name == family_ + "_count") {
      const auto& buckets = buckets_[labels];
      if (buckets.empty() || !std::isinf(buckets.back().first) ||
          buckets.back().second != value) {
        Problem("the last bucket holds all, and so says the count");
      }
      counted_.insert(labels);
    } else {
      summed_.insert(labels);
    }
  }

  void EndFamily() {
    for (const auto& [labels, buckets] : buckets_) {
      if (counted_.count(labels) == 0 || summed_.count(labels) == 0) {
        Problem("a histogram without a sum or a count");
      }
    }
    buckets_.clear();
    counted_.clear();
    summed_.clear();
  }

  using LabelMap = std::map<std::string, std::string>;

  ReadMetrics result_;
  int line_ = 0;
  std::string family_;
  std::string type_;
  std::set<std::string> families_;
  std::map<LabelMap, std::vector<std::pair<double, double>>> buckets_;
  std::set<LabelMap> counted_;
  std::set<LabelMap> summed_;
};

}  // namespace

double ReadMetrics::Value(
    const std::string& name,
    const std::map<std::string, std::string>& labels) const {
  const auto found = samples.find({name, labels});
  return found == samples.end() ? std::nan("") : found->second;
}

ReadMetrics ReadMetricsText(std::string_view text) {
  return Reader().Read(text);
}

}  // namespace reprise::services
