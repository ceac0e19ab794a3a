// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/claims/export_claims.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "replays/container/byte_file.h"
#include "replays/container/mcap_reader.h"
#include "replays/container/mcap_records.h"
#include "sim/base/content_digest.h"

namespace reprise::replays {
namespace {

using Json = nlohmann::json;

absl::Status Lost(std::string_view place, std::string_view what) {
  return absl::DataLossError(fmt::format("{}: {}", place, what));
}

// Bounds what one line, cell or name puts into a message.
std::string_view Shortened(std::string_view text) {
  constexpr size_t kShownMax = 80;
  return text.substr(0, kShownMax);
}

// All of it is digits. Debian's abseil has a string_view of its own, so numbers
// and lines are taken apart here.
std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// Takes what stands before the next `separator`, or all there is.
std::string_view TakeUpTo(char separator, std::string_view& rest) {
  const size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

absl::string_view ToAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

// Gathers claims; the first error stays.
class ClaimsBuilder {
 public:
  void SetReplay(std::string_view place, std::string_view text) {
    const auto digest = sim::ParseContentDigest(text);
    if (!digest.ok()) {
      Fail(place, "names no replay by its digest");
    } else if (replay_.has_value() && *replay_ != *digest) {
      Fail(place, "names another replay than before");
    } else {
      replay_ = *digest;
    }
  }

  void AddState(std::string_view place, sim::Tick tick, std::string_view text) {
    const auto digest = sim::ParseDigest(text);
    if (digest.ok()) {
      AddState(place, tick, *digest);
    } else {
      Fail(place, "has no digest of a state");
    }
  }

  void AddState(std::string_view place, sim::Tick tick, sim::Digest digest) {
    const auto [known, is_new] = states_.emplace(tick, digest);
    if (!is_new && known->second != digest) {
      Fail(place,
           fmt::format("has another digest for tick {} than before", tick));
    }
  }

  void Fail(std::string_view place, std::string_view what) {
    if (status_.ok()) status_ = Lost(place, what);
  }

  absl::StatusOr<ExportClaims> Build() && {
    if (status_.ok() && !replay_.has_value()) {
      status_ = absl::DataLossError("names no replay");
    }
    if (status_.ok() && states_.empty()) {
      status_ = absl::DataLossError("shows no state");
    }
    if (!status_.ok()) return status_;
    return ExportClaims{.replay = *replay_, .states = std::move(states_)};
  }

  bool ok() const { return status_.ok(); }

 private:
  absl::Status status_;
  std::optional<sim::ContentDigest> replay_;
  std::map<sim::Tick, sim::Digest> states_;
};

// An empty text, or the number, of what isn't there or of another type.
std::string TextIn(const Json& json, std::string_view key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>()
                                                   : "";
}

std::optional<uint64_t> NumberIn(const Json& json, std::string_view key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (found == json.end()) return std::nullopt;
  if (found->is_number_unsigned()) return found->get<uint64_t>();
  // Protobuf's JSON has 64 bits as text.
  return found->is_string() ? ParseNumber(found->get_ref<const std::string&>())
                            : std::nullopt;
}

Json ParseJson(std::string_view text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

// --- lines of JSON ----------------------------------------------------------

absl::StatusOr<ExportClaims> ReadJsonLines(std::string_view file) {
  ClaimsBuilder claims;
  size_t number = 0;
  while (!file.empty() && claims.ok()) {
    const std::string place = fmt::format("line {}", ++number);
    const std::string_view line = TakeUpTo('\n', file);
    const Json frame = ParseJson(line);
    if (!frame.is_object()) return Lost(place, "isn't JSON: it is cut off");
    if (const auto source = frame.find("source"); source != frame.end()) {
      claims.SetReplay(place, TextIn(*source, "replay_digest"));
    }
    const std::optional<uint64_t> tick = NumberIn(frame, "tick");
    if (!tick) return Lost(place, "has no tick");
    claims.AddState(place, *tick, TextIn(frame, "state_digest"));
  }
  return std::move(claims).Build();
}

// --- CSV --------------------------------------------------------------------

// Takes the next record; cells in quotes may have ends of lines.
std::string_view TakeRecord(std::string_view& rest) {
  bool is_quoted = false;
  size_t end = 0;
  while (end < rest.size() && (is_quoted || rest[end] != '\n')) {
    if (rest[end] == '"') is_quoted = !is_quoted;
    ++end;
  }
  const std::string_view record = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return record;
}

// Neither of them is ever in quotes.
std::string_view TakeLastCell(std::string_view& record) {
  const size_t comma = record.rfind(',');
  if (comma == std::string_view::npos) return {};
  const std::string_view cell = record.substr(comma + 1);
  record = record.substr(0, comma);
  return cell;
}

absl::StatusOr<ExportClaims> ReadCsv(std::string_view file) {
  ClaimsBuilder claims;
  size_t number = 1;
  TakeRecord(file);  // the names of the columns
  while (!file.empty() && claims.ok()) {
    const std::string place = fmt::format("record {}", ++number);
    std::string_view record = TakeRecord(file);
    const std::string_view replay = TakeLastCell(record);
    const std::string_view state = TakeLastCell(record);
    const auto tick = ParseNumber(record.substr(0, record.find(',')));
    if (!tick) return Lost(place, "has no tick: it is cut off");
    claims.SetReplay(place, replay);
    claims.AddState(place, *tick, state);
  }
  return std::move(claims).Build();
}

// --- glTF and USD: the first and the last state -----------------------------

// Of what DescribeTracks wrote.
absl::StatusOr<ExportClaims> ReadTracks(std::string_view place,
                                        const Json& source) {
  const std::optional<uint64_t> first = NumberIn(source, "first_tick");
  const std::optional<uint64_t> last = NumberIn(source, "last_tick");
  const std::optional<uint64_t> every = NumberIn(source, "every");
  if (!first || !last || !every || *every == 0 || *last < *first) {
    return Lost(place, "doesn't say which ticks it shows");
  }
  ClaimsBuilder claims;
  claims.SetReplay(place, TextIn(source, "replay"));
  claims.AddState(place, *first, TextIn(source, "first_state"));
  claims.AddState(place, *last - (*last - *first) % *every,
                  TextIn(source, "last_state"));
  return std::move(claims).Build();
}

constexpr std::string_view kGltfMagic = "glTF";

absl::StatusOr<ExportClaims> ReadGltf(std::string_view file) {
  // Magic, version, size of all; then of the first chunk its size and its kind.
  constexpr size_t kWholeSizeOffset = 8;
  constexpr size_t kSizeOffset = 12;
  constexpr size_t kKindOffset = 16;
  constexpr size_t kJsonOffset = 20;
  uint32_t whole_size = 0;
  uint32_t size = 0;
  if (file.size() >= kJsonOffset) {
    std::memcpy(&whole_size, file.data() + kWholeSizeOffset,
                sizeof(whole_size));
    std::memcpy(&size, file.data() + kSizeOffset, sizeof(size));
  }
  if (file.size() != whole_size) return Lost("header", "has another size");
  if (file.size() < kJsonOffset || size > file.size() - kJsonOffset ||
      file.substr(kKindOffset, 4) != "JSON") {
    return Lost("first chunk", "isn't whole");
  }
  const Json document = ParseJson(file.substr(kJsonOffset, size));
  const auto asset =
      document.is_object() ? document.find("asset") : document.end();
  if (asset == document.end() || !asset->is_object() ||
      !asset->contains("extras")) {
    return Lost("asset", "has no extras");
  }
  return ReadTracks("asset.extras", (*asset)["extras"]);
}

constexpr std::string_view kUsdMagic = "#usda ";

absl::StatusOr<ExportClaims> ReadUsd(std::string_view file) {
  constexpr std::string_view kPlace = "customLayerData";
  // What stands within has spaces before it.
  if (!file.ends_with("\n}\n")) return Lost("end", "isn't there");
  const size_t begin = file.find("customLayerData = {");
  const size_t end = file.find("\n    }\n", begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    return Lost(kPlace, "isn't there");
  }
  Json source;
  std::string_view lines = file.substr(begin, end - begin);
  while (!lines.empty()) {
    // TYPE KEY = VALUE; a text in quotes.
    std::string_view value = TakeUpTo('\n', lines);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    const std::string_view type = TakeUpTo(' ', value);
    const std::string_view key = TakeUpTo(' ', value);
    if (TakeUpTo(' ', value) != "=") continue;
    if (type == "string" && value.size() >= 2) {
      value = value.substr(1, value.size() - 2);
    }
    source[std::string(key)] = std::string(value);
  }
  return ReadTracks(kPlace, source);
}

// --- MCAP -------------------------------------------------------------------

constexpr std::string_view kFramesMetadata = "reprise.frames";
constexpr std::string_view kStateTopic = "/state";

absl::StatusOr<ExportClaims> ReadMcap(std::string_view file) {
  const auto reader = McapReader::Open(
      std::make_unique<MemorySource>(std::as_bytes(std::span(file))));
  if (!reader.ok()) return reader.status();
  const McapMetadata* const source = (*reader)->FindMetadata(kFramesMetadata);
  if (source == nullptr) {
    return absl::InvalidArgumentError(
        "an MCAP file that `reprise export` didn't write");
  }
  ClaimsBuilder claims;
  const auto replay = source->entries.find("replay");
  claims.SetReplay(kFramesMetadata,
                   replay == source->entries.end() ? "" : replay->second);
  const absl::Status status = (*reader)->ForEachMessage(
      kStateTopic, [&](const McapChannel&, const McapMessage& message) {
        const Json state =
            ParseJson({reinterpret_cast<const char*>(message.data.data()),
                       message.data.size()});
        const std::optional<uint64_t> tick = NumberIn(state, "tick");
        if (!tick) return Lost(kStateTopic, "a message has no tick");
        claims.AddState(kStateTopic, *tick, TextIn(state, "digest"));
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return std::move(claims).Build();
}

// --- pages ------------------------------------------------------------------

constexpr std::string_view kPageMagic = "<!doctype html>";
constexpr std::string_view kElementEnd = "</script>";

// What stands in the <script> of that id; nothing where there is none.
std::optional<std::string_view> FindElement(std::string_view file,
                                            std::string_view id) {
  const std::string begin = fmt::format("id=\"{}\">", id);
  const size_t found = file.find(begin);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view rest = file.substr(found + begin.size());
  const size_t end = rest.find(kElementEnd);
  if (end == std::string_view::npos) return std::nullopt;
  return rest.substr(0, end);
}

// The first `size` bytes of what was deflated.
std::optional<std::string> InflateFront(std::string_view deflated,
                                        size_t size) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  std::string bytes(size, '\0');
  // zlib's own types: it reads what it doesn't declare const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(deflated.data()));
  stream.avail_in = static_cast<uInt>(deflated.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  static_cast<void>(inflate(&stream, Z_SYNC_FLUSH));
  const bool is_there = stream.total_out == size;
  inflateEnd(&stream);
  return is_there ? std::optional(std::move(bytes)) : std::nullopt;
}

uint64_t WordAt(std::string_view bytes, size_t offset, size_t size) {
  uint64_t word = 0;
  std::memcpy(&word, bytes.data() + offset, size);
  return word;
}

// The digests at the front of a chunk: three sizes, the first of which is the
// number of frames, then eight bytes a frame.
std::optional<std::vector<sim::Digest>> ReadChunkDigests(
    std::string_view encoded) {
  constexpr size_t kSizes = 12;
  constexpr size_t kFramesMax = 1 << 16;
  std::string deflated;
  if (!absl::Base64Unescape(ToAbsl(encoded), &deflated)) return std::nullopt;
  std::optional<std::string> front = InflateFront(deflated, kSizes);
  if (!front) return std::nullopt;
  const uint64_t count = WordAt(*front, 0, 4);
  if (count > kFramesMax) return std::nullopt;
  front = InflateFront(deflated, kSizes + sizeof(uint64_t) * count);
  if (!front) return std::nullopt;
  std::vector<sim::Digest> digests;
  for (uint64_t i = 0; i < count; ++i) {
    digests.push_back(
        {WordAt(*front, kSizes + sizeof(uint64_t) * i, sizeof(uint64_t))});
  }
  return digests;
}

absl::StatusOr<ExportClaims> ReadPageRun(std::string_view file, size_t number,
                                         const Json& run) {
  const std::string place = fmt::format("run {}", number);
  const auto source = run.is_object() ? run.find("source") : run.end();
  if (source == run.end()) return Lost(place, "has no source");
  const std::optional<uint64_t> first = NumberIn(*source, "first_tick");
  const std::optional<uint64_t> every = NumberIn(*source, "every");
  const std::optional<uint64_t> chunks = NumberIn(run, "chunk_count");
  if (!first || !every || !chunks) {
    return Lost(place, "doesn't say which ticks it shows");
  }
  ClaimsBuilder claims;
  claims.SetReplay(place, TextIn(*source, "replay"));
  sim::Tick tick = *first;
  for (uint64_t chunk = 0; chunk < *chunks; ++chunk) {
    const std::string id = fmt::format("chunk-{}-{}", number, chunk);
    const std::optional<std::string_view> encoded = FindElement(file, id);
    if (!encoded) return Lost(id, "isn't there");
    const auto digests = ReadChunkDigests(*encoded);
    if (!digests) return Lost(id, "isn't whole");
    for (const sim::Digest& digest : *digests) {
      claims.AddState(id, tick, digest);
      tick += *every;
    }
  }
  return std::move(claims).Build();
}

absl::StatusOr<std::vector<ExportClaims>> ReadPage(std::string_view file) {
  const std::optional<std::string_view> element = FindElement(file, "page");
  if (!element || !file.ends_with("</html>\n")) {
    return absl::InvalidArgumentError(
        "an HTML file that `reprise view` didn't write, or not to its end");
  }
  const Json page = ParseJson(*element);
  const auto runs = page.is_object() ? page.find("runs") : page.end();
  if (runs == page.end() || !runs->is_array() || runs->empty()) {
    return Lost("page", "shows no run");
  }
  std::vector<ExportClaims> all;
  for (size_t i = 0; i < runs->size(); ++i) {
    absl::StatusOr<ExportClaims> claims = ReadPageRun(file, i, (*runs)[i]);
    if (!claims.ok()) return claims.status();
    all.push_back(*std::move(claims));
  }
  return all;
}

}  // namespace

absl::StatusOr<std::vector<ExportClaims>> ReadExportClaims(
    std::string_view file) {
  if (file.starts_with(kPageMagic)) return ReadPage(file);
  absl::StatusOr<ExportClaims> claims = absl::InvalidArgumentError(fmt::format(
      "neither glTF, USD text, MCAP, CSV, JSON lines nor a page that reprise "
      "made; it begins with '{}'",
      absl::CHexEscape(ToAbsl(Shortened(file.substr(0, file.find('\n')))))));
  if (file.starts_with(kGltfMagic)) {
    claims = ReadGltf(file);
  } else if (file.starts_with(kUsdMagic)) {
    claims = ReadUsd(file);
  } else if (file.starts_with(std::string_view(
                 reinterpret_cast<const char*>(kMcapMagic.data()),
                 kMcapMagic.size()))) {
    claims = ReadMcap(file);
  } else if (file.starts_with("{")) {
    claims = ReadJsonLines(file);
  } else if (file.starts_with("tick,time_s,")) {
    claims = ReadCsv(file);
  }
  if (!claims.ok()) return claims.status();
  return std::vector<ExportClaims>{*std::move(claims)};
}

}  // namespace reprise::replays
