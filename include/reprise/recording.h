// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

/* Writes what players of a game of your own did, and digests of its state, as a
 * replay that `reprise info`, `cat`, `convert`, `diff`, `query` and `store`
 * understand. One file, plain C, nothing else: copy it. In one of your files,
 *
 *   #define REPRISE_RECORDING_IMPLEMENTATION
 *   #include "recording.h"
 *
 * and in the others the second line alone. docs/other_games.md has an example.
 *
 * For each tick: reprise_record_state with the state as it is, then what
 * players give and what happens, then the game makes its step. Last of all
 * reprise_record_end with the state behind the last step.
 *
 * Nothing is kept back for longer than 600 ticks or 1 MiB: of a game that is
 * killed the file has what was written until then. The same calls give the same
 * bytes. A recording is used by one thread at a time; any number of them exist
 * side by side. Text is UTF-8 that ends with a zero byte. Structs say no sizes:
 * who gives and who takes them is compiled with this one file.
 */

#ifndef REPRISE_INCLUDE_REPRISE_RECORDING_H_
#define REPRISE_INCLUDE_REPRISE_RECORDING_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most parts of a state that have digests of their own, and players. */
#define REPRISE_ROOMS_MAX 16
#define REPRISE_PLAYERS_MAX 64

typedef struct reprise_recording reprise_recording;

/* What is 0 or null is as the comment says. */
typedef struct reprise_recording_options {
  const char* game;  /* its name; required, and not that of a simulation of
                      * Reprise: "world" is one */
  const char* pack;  /* the level, or what else was played; "" */
  const char* build; /* the version of the game, for people; "" */
  const char* rooms; /* names of the parts of the state, with commas between;
                      * no name has one or is there twice; "state" */
  uint64_t seed;
  uint32_t ticks_per_second; /* 1 to 1,000; 60 */
  uint32_t rules_revision;   /* of what a tick does; 0 */
  uint32_t digest_stride;    /* digests are written every so many ticks, at most
                              * 1,048,576; 1 */
} reprise_recording_options;

/* What a player holds from a tick on. */
typedef struct reprise_device {
  uint64_t buttons; /* a bit each */
  int16_t axes[8];  /* -32767 to 32767, 0 at rest */
} reprise_device;

/* How a run ended. */
enum { REPRISE_RUNNING = 1, REPRISE_WON = 2, REPRISE_LOST = 3 };

/* Begins a file, over one that is there. Null: an option is out of range, or
 * there is no such file or memory. */
reprise_recording* reprise_record_begin(
    const char* path, const reprise_recording_options* options);

/* Begins a tick. `digests` has one for each room, of the state before the
 * inputs of the tick: any 64 bits that differ as soon as the state does. */
void reprise_record_state(reprise_recording* recording,
                          const uint64_t* digests);

/* What `player`, from 0 on, holds from this tick on, in place of what it held;
 * all at rest at first. */
void reprise_record_input(reprise_recording* recording, uint32_t player,
                          const reprise_device* device);

/* What happens in this tick, and to whom; `object` may be null. */
void reprise_record_event(reprise_recording* recording, const char* type,
                          const char* object);

/* Ends the run with the state behind its last tick, closes the file and frees
 * the recording. `reason` may be null. 0: all was written. Otherwise the file
 * lacks what couldn't be: the disk is full, a number was out of range, calls
 * came in another order, or it passed 131,072 times 600 ticks. */
int reprise_record_end(reprise_recording* recording, const uint64_t* digests,
                       int outcome, const char* reason);

#ifdef __cplusplus
} /* extern "C" */
#endif

#ifdef REPRISE_RECORDING_IMPLEMENTATION

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The format is that of replays/FORMAT.md: an MCAP file of protobuf messages,
 * whose topics are the channels below. */
enum { REPRISE_INPUTS_, REPRISE_DIGESTS_, REPRISE_EVENTS_, REPRISE_END_ };
#define REPRISE_CHANNELS_ 4
#define REPRISE_BATCH_TICKS_ 600
#define REPRISE_BATCH_BYTES_ ((size_t)1 << 20)
#define REPRISE_CHUNKS_MAX_ 131072
#define REPRISE_NAME_BYTES_MAX_ 1024

/* Bytes that grow; `failed` stays once memory ran out. */
typedef struct reprise_bytes_ {
  uint8_t* data;
  size_t size;
  size_t capacity;
  int failed;
} reprise_bytes_;

static const reprise_bytes_ kRepriseNoBytes_ = {NULL, 0, 0, 0};

static void reprise_put_(reprise_bytes_* bytes, const void* data, size_t size) {
  if (bytes->failed || size == 0) return;
  if (size > bytes->capacity - bytes->size) {
    const size_t capacity = 2 * bytes->capacity + size + 256;
    uint8_t* const grown = (uint8_t*)realloc(bytes->data, capacity);
    if (grown == NULL) {
      bytes->failed = 1;
      return;
    }
    bytes->data = grown;
    bytes->capacity = capacity;
  }
  memcpy(bytes->data + bytes->size, data, size);
  bytes->size += size;
}

/* A whole number of `size` bytes, the lowest first. */
static void reprise_number_(reprise_bytes_* bytes, uint64_t value, int size) {
  uint8_t data[8];
  int i;
  for (i = 0; i < size; ++i) data[i] = (uint8_t)(value >> (8 * i));
  reprise_put_(bytes, data, (size_t)size);
}

static void reprise_block_(reprise_bytes_* bytes, const void* data, size_t size,
                           int length_size) {
  reprise_number_(bytes, size, length_size);
  reprise_put_(bytes, data, size);
}

static void reprise_text_(reprise_bytes_* bytes, const char* text) {
  reprise_block_(bytes, text, strlen(text), 4);
}

static void reprise_append_(reprise_bytes_* bytes, reprise_bytes_* other) {
  bytes->failed |= other->failed;
  reprise_put_(bytes, other->data, other->size);
}

static void reprise_release_(reprise_bytes_* bytes) {
  free(bytes->data);
  *bytes = kRepriseNoBytes_;
}

/* Fields of protobuf messages: what is 0 or empty is left out. */
static void reprise_varint_(reprise_bytes_* bytes, uint64_t value) {
  for (; value > 127; value >>= 7) reprise_number_(bytes, value | 128, 1);
  reprise_number_(bytes, value, 1);
}

static void reprise_field_(reprise_bytes_* bytes, int field, uint64_t value) {
  if (value == 0) return;
  reprise_varint_(bytes, (uint64_t)field << 3);
  reprise_varint_(bytes, value);
}

static void reprise_fixed_(reprise_bytes_* bytes, int field, uint64_t value) {
  reprise_varint_(bytes, (uint64_t)field << 3 | 1);
  reprise_number_(bytes, value, 8);
}

static void reprise_part_(reprise_bytes_* bytes, int field, const void* data,
                          size_t size) {
  reprise_varint_(bytes, (uint64_t)field << 3 | 2);
  reprise_varint_(bytes, size);
  reprise_put_(bytes, data, size);
}

static void reprise_message_(reprise_bytes_* bytes, int field,
                             reprise_bytes_* message) {
  bytes->failed |= message->failed;
  reprise_part_(bytes, field, message->data, message->size);
  reprise_release_(message);
}

static void reprise_string_(reprise_bytes_* bytes, int field,
                            const char* text) {
  if (text[0] != 0) reprise_part_(bytes, field, text, strlen(text));
}

/* CRC-32 with zlib's polynomial, four bits at a time; of bytes behind those of
 * which `crc` is. */
static uint32_t reprise_crc_(uint32_t crc, const uint8_t* data, size_t size) {
  static const uint32_t kSteps[16] = {
      0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
      0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
      0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  size_t i;
  crc = ~crc;
  for (i = 0; i < size; ++i) {
    crc ^= data[i];
    crc = (crc >> 4) ^ kSteps[crc & 15];
    crc = (crc >> 4) ^ kSteps[crc & 15];
  }
  return ~crc;
}

/* XXH3-64 without a seed, of 1 to 16 words of 64 bits, with the secret that its
 * specification gives. */
static const uint64_t kRepriseSecret_[16] = {
    UINT64_C(0xbe4ba423396cfeb8), UINT64_C(0x1cad21f72c81017c),
    UINT64_C(0xdb979083e96dd4de), UINT64_C(0x1f67b3b7a4a44072),
    UINT64_C(0x78e5c0cc4ee679cb), UINT64_C(0x2172ffcc7dd05a82),
    UINT64_C(0x8e2443f7744608b8), UINT64_C(0x4c263a81e69035e0),
    UINT64_C(0xcb00c391bb52283c), UINT64_C(0xa32e531b8b65d088),
    UINT64_C(0x4ef90da297486471), UINT64_C(0xd8acdea946ef1938),
    UINT64_C(0x3f349ce33f76faa8), UINT64_C(0x1d4f0bc7c7bbdcf9),
    UINT64_C(0x3159b4cd4be0518a), UINT64_C(0x647378d9c97e9fc8)};

/* Both halves of the product of 128 bits, one over the other. */
static uint64_t reprise_fold_(uint64_t a, uint64_t b) {
  const uint64_t al = a & 0xffffffff, ah = a >> 32;
  const uint64_t bl = b & 0xffffffff, bh = b >> 32;
  const uint64_t low = al * bl;
  const uint64_t middle = ah * bl + (low >> 32);
  const uint64_t cross = al * bh + (middle & 0xffffffff);
  const uint64_t high = ah * bh + (middle >> 32) + (cross >> 32);
  return high ^ (cross << 32 | (low & 0xffffffff));
}

static uint64_t reprise_swap_(uint64_t value) {
  uint64_t swapped = 0;
  int i;
  for (i = 0; i < 8; ++i) swapped = swapped << 8 | (value >> (8 * i) & 255);
  return swapped;
}

static uint64_t reprise_avalanche_(uint64_t hash) {
  hash = (hash ^ hash >> 37) * UINT64_C(0x165667919e3779f9);
  return hash ^ hash >> 32;
}

static uint64_t reprise_rotated_(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

/* Two words, mixed with the secret from word `at` on. */
static uint64_t reprise_mixed_(const uint64_t* words, int at) {
  return reprise_fold_(words[0] ^ kRepriseSecret_[at],
                       words[1] ^ kRepriseSecret_[at + 1]);
}

static uint64_t reprise_hash_(const uint64_t* words, int count) {
  const uint64_t size = 8 * (uint64_t)count;
  uint64_t hash;
  int i, steps;
  if (count == 1) {
    hash = (words[0] << 32 | words[0] >> 32) ^
           (kRepriseSecret_[1] ^ kRepriseSecret_[2]);
    hash ^= reprise_rotated_(hash, 49) ^ reprise_rotated_(hash, 24);
    hash *= UINT64_C(0x9fb21c651e98df25);
    hash = (hash ^ ((hash >> 35) + size)) * UINT64_C(0x9fb21c651e98df25);
    return hash ^ hash >> 28;
  }
  if (count == 2) {
    const uint64_t low = words[0] ^ kRepriseSecret_[3] ^ kRepriseSecret_[4];
    const uint64_t high = words[1] ^ kRepriseSecret_[5] ^ kRepriseSecret_[6];
    return reprise_avalanche_(size + reprise_swap_(low) + high +
                              reprise_fold_(low, high));
  }
  hash = size * UINT64_C(0x9e3779b185ebca87);
  /* From both ends inwards, 16 bytes each. */
  steps = (count - 1) / 4;
  for (i = steps; i >= 0; --i) {
    hash += reprise_mixed_(words + 2 * i, 4 * i);
    hash += reprise_mixed_(words + count - 2 * (i + 1), 4 * i + 2);
  }
  return reprise_avalanche_(hash);
}

struct reprise_recording {
  FILE* file;
  int failed;
  uint64_t size; /* bytes of the file, and their checksum */
  uint32_t crc;
  uint32_t ticks_per_second;
  uint32_t digest_stride;
  int room_count;
  int is_in_tick;
  uint64_t tick; /* that is under way, or comes next */
  uint64_t batch_begin;
  uint64_t chain;
  uint64_t root;
  reprise_device held[REPRISE_PLAYERS_MAX];
  uint64_t given; /* who has given something in this tick */

  /* Of the batch: messages of ticks, digests and events. */
  reprise_bytes_ ticks, chains, rooms, events;
  uint64_t first_digest_tick;

  /* Of the chunk. */
  reprise_bytes_ records;
  reprise_bytes_ indexes[REPRISE_CHANNELS_];
  uint64_t start_ns, end_ns;

  /* Of the whole file, as its summary has them. */
  reprise_bytes_ chunk_indexes, schemas, channels, metadata_index;
  uint64_t message_counts[REPRISE_CHANNELS_];
  uint64_t chunk_count;
  uint64_t last_ns;
};

static const char* const kRepriseTopics_[REPRISE_CHANNELS_] = {
    "/inputs", "/digests", "/events", "/end"};
static const char* const kRepriseMessages_[REPRISE_CHANNELS_] = {
    "InputBatch", "DigestBatch", "EventBatch", "RunEnd"};

/* What is written of the messages: those fields that Reprise's own have, too,
 * with the numbers of descriptor.proto for their types and labels. */
typedef struct reprise_schema_field_ {
  int channel;
  const char* message;
  const char* name;
  int number;
  int is_list;
  int type; /* 4 uint64, 6 fixed64, 9 string, 11 message, 13 uint32,
             * 14 enum, 17 sint32 */
  const char* type_name;
} reprise_schema_field_;

static const reprise_schema_field_ kRepriseFields_[] = {
    {REPRISE_INPUTS_, "InputBatch", "first_tick", 1, 0, 4, ""},
    {REPRISE_INPUTS_, "InputBatch", "tick_count", 2, 0, 4, ""},
    {REPRISE_INPUTS_, "InputBatch", "ticks", 3, 1, 11,
     ".reprise.v1.TickInputs"},
    {REPRISE_INPUTS_, "TickInputs", "tick", 1, 0, 4, ""},
    {REPRISE_INPUTS_, "TickInputs", "frames", 2, 1, 11,
     ".reprise.v1.InputFrame"},
    {REPRISE_INPUTS_, "InputFrame", "player", 1, 0, 13, ""},
    {REPRISE_INPUTS_, "InputFrame", "device", 2, 0, 11,
     ".reprise.v1.DeviceState"},
    {REPRISE_INPUTS_, "DeviceState", "buttons", 1, 0, 4, ""},
    {REPRISE_INPUTS_, "DeviceState", "axes", 2, 1, 17, ""},
    {REPRISE_DIGESTS_, "DigestBatch", "first_tick", 1, 0, 4, ""},
    {REPRISE_DIGESTS_, "DigestBatch", "stride", 2, 0, 4, ""},
    {REPRISE_DIGESTS_, "DigestBatch", "chains", 4, 1, 6, ""},
    {REPRISE_DIGESTS_, "DigestBatch", "rooms", 5, 1, 6, ""},
    {REPRISE_EVENTS_, "EventBatch", "first_tick", 1, 0, 4, ""},
    {REPRISE_EVENTS_, "EventBatch", "tick_count", 2, 0, 4, ""},
    {REPRISE_EVENTS_, "EventBatch", "events", 3, 1, 11, ".reprise.v1.Event"},
    {REPRISE_EVENTS_, "Event", "tick", 1, 0, 4, ""},
    {REPRISE_EVENTS_, "Event", "type", 2, 0, 9, ""},
    {REPRISE_EVENTS_, "Event", "object_name", 4, 0, 9, ""},
    {REPRISE_END_, "RunEnd", "tick_count", 1, 0, 4, ""},
    {REPRISE_END_, "RunEnd", "outcome", 2, 0, 14, ".reprise.v1.RunEnd.Outcome"},
    {REPRISE_END_, "RunEnd", "reason", 3, 0, 9, ""},
    {REPRISE_END_, "RunEnd", "root", 4, 0, 6, ""},
    {REPRISE_END_, "RunEnd", "chain", 5, 0, 6, ""}};

#define REPRISE_FIELD_COUNT_ \
  ((int)(sizeof(kRepriseFields_) / sizeof(kRepriseFields_[0])))

static void reprise_outcome_enum_(reprise_bytes_* message) {
  static const char* const kNames[] = {"OUTCOME_UNSPECIFIED", "OUTCOME_RUNNING",
                                       "OUTCOME_WON", "OUTCOME_LOST"};
  reprise_bytes_ described = kRepriseNoBytes_;
  int i;
  reprise_string_(&described, 1, "Outcome");
  for (i = 0; i < 4; ++i) {
    reprise_bytes_ value = kRepriseNoBytes_;
    reprise_string_(&value, 1, kNames[i]);
    reprise_varint_(&value, 2 << 3); /* 0 is said, too */
    reprise_varint_(&value, (uint64_t)i);
    reprise_message_(&described, 2, &value);
  }
  reprise_message_(message, 4, &described);
}

/* A FileDescriptorSet of one file with the messages of a channel. */
static void reprise_schema_(int channel, reprise_bytes_* set) {
  reprise_bytes_ file = kRepriseNoBytes_;
  char name[64];
  int i = 0;
  snprintf(name, sizeof(name), "reprise/recording/%s.proto",
           kRepriseMessages_[channel]);
  reprise_string_(&file, 1, name);
  reprise_string_(&file, 2, "reprise.v1");
  while (i < REPRISE_FIELD_COUNT_) {
    const char* const message_name = kRepriseFields_[i].message;
    reprise_bytes_ message = kRepriseNoBytes_;
    if (kRepriseFields_[i].channel != channel) {
      ++i;
      continue;
    }
    reprise_string_(&message, 1, message_name);
    for (; i < REPRISE_FIELD_COUNT_ &&
           strcmp(kRepriseFields_[i].message, message_name) == 0;
         ++i) {
      const reprise_schema_field_* const each = &kRepriseFields_[i];
      reprise_bytes_ field = kRepriseNoBytes_;
      reprise_string_(&field, 1, each->name);
      reprise_field_(&field, 3, (uint64_t)each->number);
      reprise_field_(&field, 4, each->is_list ? 3 : 1);
      reprise_field_(&field, 5, (uint64_t)each->type);
      reprise_string_(&field, 6, each->type_name);
      reprise_message_(&message, 2, &field);
    }
    if (channel == REPRISE_END_) reprise_outcome_enum_(&message);
    reprise_message_(&file, 4, &message);
  }
  reprise_string_(&file, 12, "proto3");
  reprise_message_(set, 1, &file);
}

/* A record of MCAP: opcode, length, content. Frees the content. */
static void reprise_record_(reprise_bytes_* bytes, int opcode,
                            reprise_bytes_* content) {
  bytes->failed |= content->failed;
  reprise_number_(bytes, (uint64_t)opcode, 1);
  reprise_block_(bytes, content->data, content->size, 8);
  reprise_release_(content);
}

/* Appends to the file, and frees the bytes. */
static void reprise_write_(reprise_recording* recording,
                           reprise_bytes_* bytes) {
  if (bytes->failed) recording->failed = 1;
  if (!recording->failed && bytes->size > 0 &&
      fwrite(bytes->data, 1, bytes->size, recording->file) != bytes->size) {
    recording->failed = 1;
  }
  recording->crc = reprise_crc_(recording->crc, bytes->data, bytes->size);
  recording->size += bytes->size;
  reprise_release_(bytes);
}

static void reprise_define_channels_(reprise_recording* recording) {
  int i;
  for (i = 0; i < REPRISE_CHANNELS_; ++i) {
    reprise_bytes_ set = kRepriseNoBytes_, schema = kRepriseNoBytes_,
                   channel = kRepriseNoBytes_;
    char name[64];
    snprintf(name, sizeof(name), "reprise.v1.%s", kRepriseMessages_[i]);
    reprise_schema_(i, &set);
    reprise_number_(&schema, (uint64_t)i + 1, 2);
    reprise_text_(&schema, name);
    reprise_text_(&schema, "protobuf");
    schema.failed |= set.failed;
    reprise_block_(&schema, set.data, set.size, 4);
    reprise_release_(&set);
    reprise_record_(&recording->schemas, 0x03, &schema);
    reprise_number_(&channel, (uint64_t)i + 1, 2);
    reprise_number_(&channel, (uint64_t)i + 1, 2);
    reprise_text_(&channel, kRepriseTopics_[i]);
    reprise_text_(&channel, "protobuf");
    reprise_number_(&channel, 0, 4);
    reprise_record_(&recording->channels, 0x04, &channel);
  }
  reprise_append_(&recording->records, &recording->schemas);
  reprise_append_(&recording->records, &recording->channels);
}

static uint64_t reprise_time_(const reprise_recording* recording,
                              uint64_t tick) {
  const uint64_t rate = recording->ticks_per_second;
  return tick / rate * UINT64_C(1000000000) +
         tick % rate * UINT64_C(1000000000) / rate;
}

/* Adds a message to the chunk, and frees its bytes. */
static void reprise_add_message_(reprise_recording* recording, int channel,
                                 uint64_t tick, reprise_bytes_* data) {
  const uint64_t time = reprise_time_(recording, tick);
  reprise_bytes_ message = kRepriseNoBytes_;
  int i, is_first = 1;
  for (i = 0; i < REPRISE_CHANNELS_; ++i) {
    if (recording->indexes[i].size > 0) is_first = 0;
  }
  if (is_first || time < recording->start_ns) recording->start_ns = time;
  if (is_first || time > recording->end_ns) recording->end_ns = time;
  reprise_number_(&recording->indexes[channel], time, 8);
  reprise_number_(&recording->indexes[channel], recording->records.size, 8);
  reprise_number_(&message, (uint64_t)channel + 1, 2);
  reprise_number_(&message, recording->message_counts[channel]++, 4);
  reprise_number_(&message, time, 8);
  reprise_number_(&message, time, 8);
  message.failed |= data->failed;
  reprise_put_(&message, data->data, data->size);
  reprise_release_(data);
  reprise_record_(&recording->records, 0x05, &message);
}

/* Writes the chunk, if there is anything in it, and its indexes. */
static void reprise_close_chunk_(reprise_recording* recording) {
  const uint64_t offset = recording->size;
  const uint64_t size = recording->records.size;
  reprise_bytes_ content = kRepriseNoBytes_, record = kRepriseNoBytes_,
                 offsets = kRepriseNoBytes_, index = kRepriseNoBytes_;
  uint64_t length, indexes_begin;
  int i;
  /* What memory was missing for may be all that there was. */
  recording->failed |= recording->records.failed;
  for (i = 0; i < REPRISE_CHANNELS_; ++i) {
    recording->failed |= recording->indexes[i].failed;
  }
  if (size == 0) return;
  if (++recording->chunk_count > REPRISE_CHUNKS_MAX_) recording->failed = 1;
  reprise_number_(&content, recording->start_ns, 8);
  reprise_number_(&content, recording->end_ns, 8);
  reprise_number_(&content, size, 8);
  reprise_number_(&content,
                  reprise_crc_(0, recording->records.data, (size_t)size), 4);
  reprise_text_(&content, "");
  reprise_block_(&content, recording->records.data, (size_t)size, 8);
  reprise_record_(&record, 0x06, &content);
  length = record.size;
  reprise_write_(recording, &record);
  indexes_begin = recording->size;
  for (i = 0; i < REPRISE_CHANNELS_; ++i) {
    reprise_bytes_ entries = kRepriseNoBytes_, written = kRepriseNoBytes_;
    if (recording->indexes[i].size == 0) continue;
    reprise_number_(&offsets, (uint64_t)i + 1, 2);
    reprise_number_(&offsets, recording->size, 8);
    reprise_number_(&entries, (uint64_t)i + 1, 2);
    reprise_block_(&entries, recording->indexes[i].data,
                   recording->indexes[i].size, 4);
    reprise_record_(&written, 0x07, &entries);
    reprise_write_(recording, &written);
    recording->indexes[i].size = 0;
  }
  reprise_number_(&index, recording->start_ns, 8);
  reprise_number_(&index, recording->end_ns, 8);
  reprise_number_(&index, offset, 8);
  reprise_number_(&index, length, 8);
  reprise_block_(&index, offsets.data, offsets.size, 4);
  index.failed |= offsets.failed;
  reprise_release_(&offsets);
  reprise_number_(&index, recording->size - indexes_begin, 8);
  reprise_text_(&index, "");
  reprise_number_(&index, size, 8);
  reprise_number_(&index, size, 8);
  reprise_record_(&recording->chunk_indexes, 0x08, &index);
  if (recording->end_ns > recording->last_ns) {
    recording->last_ns = recording->end_ns;
  }
  recording->records.size = 0;
  recording->start_ns = recording->end_ns = 0;
  /* So that it outlives the game. */
  if (fflush(recording->file) != 0) recording->failed = 1;
}

/* Puts the batch into the chunk. */
static void reprise_end_batch_(reprise_recording* recording) {
  const uint64_t begin = recording->batch_begin;
  const uint64_t count = recording->tick - begin;
  reprise_bytes_ inputs = kRepriseNoBytes_, digests = kRepriseNoBytes_,
                 events = kRepriseNoBytes_;
  recording->failed |= recording->ticks.failed | recording->chains.failed |
                       recording->rooms.failed | recording->events.failed;
  if (count == 0) return; /* the digest of tick 0 waits for the first ticks */
  reprise_field_(&inputs, 1, begin);
  reprise_field_(&inputs, 2, count);
  reprise_append_(&inputs, &recording->ticks);
  reprise_add_message_(recording, REPRISE_INPUTS_, begin, &inputs);
  if (recording->chains.size > 0) {
    reprise_field_(&digests, 1, recording->first_digest_tick);
    reprise_field_(&digests, 2, recording->digest_stride);
    reprise_part_(&digests, 4, recording->chains.data, recording->chains.size);
    reprise_part_(&digests, 5, recording->rooms.data, recording->rooms.size);
    reprise_add_message_(recording, REPRISE_DIGESTS_,
                         recording->first_digest_tick, &digests);
  }
  if (recording->events.size > 0) {
    reprise_field_(&events, 1, begin);
    reprise_field_(&events, 2, count);
    reprise_append_(&events, &recording->events);
    reprise_add_message_(recording, REPRISE_EVENTS_, begin, &events);
  }
  recording->ticks.size = recording->chains.size = 0;
  recording->rooms.size = recording->events.size = 0;
  recording->batch_begin = recording->tick;
}

/* Takes in the digests of the state of `tick`. */
static void reprise_take_state_(reprise_recording* recording,
                                const uint64_t* digests) {
  uint64_t link[2];
  int i;
  recording->root = reprise_hash_(digests, recording->room_count);
  link[0] = recording->chain;
  link[1] = recording->root;
  recording->chain = reprise_hash_(link, 2);
  if (recording->tick % recording->digest_stride != 0) return;
  if (recording->chains.size == 0) {
    recording->first_digest_tick = recording->tick;
  }
  reprise_number_(&recording->chains, recording->chain, 8);
  for (i = 0; i < recording->room_count; ++i) {
    reprise_number_(&recording->rooms, digests[i], 8);
  }
}

/* Writes what players have given in the tick that ends. */
static void reprise_end_tick_(reprise_recording* recording) {
  reprise_bytes_ tick = kRepriseNoBytes_;
  uint32_t player;
  if (!recording->is_in_tick) return;
  recording->is_in_tick = 0;
  reprise_field_(&tick, 1, recording->tick);
  for (player = 0; player < REPRISE_PLAYERS_MAX; ++player) {
    const reprise_device* const held = &recording->held[player];
    reprise_bytes_ frame = kRepriseNoBytes_, device = kRepriseNoBytes_,
                   axes = kRepriseNoBytes_;
    int i, count = 8;
    if ((recording->given >> player & 1) == 0) continue;
    while (count > 0 && held->axes[count - 1] == 0) --count;
    for (i = 0; i < count; ++i) {
      const int32_t axis = held->axes[i];
      reprise_varint_(
          &axes, axis < 0 ? 2 * (uint64_t)(-axis) - 1 : 2 * (uint64_t)axis);
    }
    reprise_field_(&device, 1, held->buttons);
    if (count > 0) {
      reprise_message_(&device, 2, &axes);
    }
    reprise_field_(&frame, 1, player);
    reprise_message_(&frame, 2, &device);
    reprise_message_(&tick, 2, &frame);
  }
  if (recording->given != 0) {
    reprise_message_(&recording->ticks, 3, &tick);
  } else {
    reprise_release_(&tick);
  }
  recording->given = 0;
  ++recording->tick;
}

static void reprise_write_metadata_(reprise_recording* recording,
                                    const reprise_recording_options* options,
                                    const char* rooms) {
#if defined(__linux__) && defined(__x86_64__)
  const char* const platform = "linux x86_64";
#elif defined(__linux__) && defined(__aarch64__)
  const char* const platform = "linux aarch64";
#elif defined(_WIN32)
  const char* const platform = "windows";
#elif defined(__APPLE__)
  const char* const platform = "macos";
#else
  const char* const platform = "another platform";
#endif
  const char* const none = "00000000000000000000000000000000";
  char stride[24], rules[24], seed[24], rate[24], sum[9];
  const char* const entries[][2] = {
      {"batch_ticks", "600"},
      {"build", options->build != NULL ? options->build : ""},
      {"digest_stride", stride},
      {"format_revision", "3"},
      {"keyframe_bytes_per_tick", "0"},
      {"keyframe_stride", "0"},
      {"math_fingerprint", none + 16},
      {"pack", options->pack != NULL ? options->pack : ""},
      {"pack_digest", none},
      {"platform", platform},
      {"rooms", rooms},
      {"rules_revision", rules},
      {"seed", seed},
      {"simulation", options->game},
      {"tick_rate", rate}};
  reprise_bytes_ map = kRepriseNoBytes_, content = kRepriseNoBytes_,
                 record = kRepriseNoBytes_;
  uint32_t crc;
  size_t i;
  snprintf(stride, sizeof(stride), "%lu",
           (unsigned long)recording->digest_stride);
  snprintf(rules, sizeof(rules), "%lu", (unsigned long)options->rules_revision);
  snprintf(seed, sizeof(seed), "%llu", (unsigned long long)options->seed);
  snprintf(rate, sizeof(rate), "%lu",
           (unsigned long)recording->ticks_per_second);
  for (i = 0; i < sizeof(entries) / sizeof(entries[0]); ++i) {
    reprise_text_(&map, entries[i][0]);
    reprise_text_(&map, entries[i][1]);
  }
  reprise_text_(&content, "reprise");
  crc = reprise_crc_(0, content.data, content.size);
  crc = reprise_crc_(crc, map.data, map.size);
  snprintf(sum, sizeof(sum), "%08lx", (unsigned long)crc);
  reprise_text_(&map, "crc32");
  reprise_text_(&map, sum);
  reprise_block_(&content, map.data, map.size, 4);
  content.failed |= map.failed;
  reprise_release_(&map);
  reprise_record_(&record, 0x0c, &content);
  reprise_number_(&content, recording->size, 8);
  reprise_number_(&content, record.size, 8);
  reprise_text_(&content, "reprise");
  reprise_record_(&recording->metadata_index, 0x0d, &content);
  reprise_write_(recording, &record);
}

static const uint8_t kRepriseMagic_[8] = {0x89, 'M', 'C',  'A',
                                          'P',  '0', '\r', '\n'};

static void reprise_free_(reprise_recording* recording) {
  int i;
  for (i = 0; i < REPRISE_CHANNELS_; ++i) {
    reprise_release_(&recording->indexes[i]);
  }
  reprise_release_(&recording->ticks);
  reprise_release_(&recording->chains);
  reprise_release_(&recording->rooms);
  reprise_release_(&recording->events);
  reprise_release_(&recording->records);
  reprise_release_(&recording->chunk_indexes);
  reprise_release_(&recording->schemas);
  reprise_release_(&recording->channels);
  reprise_release_(&recording->metadata_index);
  free(recording);
}

static int reprise_is_name_(const char* text) {
  return text == NULL || strlen(text) <= REPRISE_NAME_BYTES_MAX_;
}

/* Whether a list with commas between has a name twice. */
static int reprise_has_twice_(const char* names) {
  const char* each = names;
  while (each != NULL) {
    const size_t size = strcspn(each, ",");
    const char* other = strchr(each, ',');
    for (; other != NULL; other = strchr(other, ',')) {
      ++other;
      if (strcspn(other, ",") == size && strncmp(each, other, size) == 0) {
        return 1;
      }
    }
    each = strchr(each, ',');
    if (each != NULL) ++each;
  }
  return 0;
}

reprise_recording* reprise_record_begin(
    const char* path, const reprise_recording_options* options) {
  const char* const rooms = options->rooms != NULL ? options->rooms : "state";
  reprise_recording* const recording =
      (reprise_recording*)calloc(1, sizeof(reprise_recording));
  reprise_bytes_ content = kRepriseNoBytes_, start = kRepriseNoBytes_;
  const char* each;
  if (recording == NULL) return NULL;
  recording->ticks_per_second =
      options->ticks_per_second != 0 ? options->ticks_per_second : 60;
  recording->digest_stride =
      options->digest_stride != 0 ? options->digest_stride : 1;
  recording->room_count = 1;
  for (each = rooms; *each != 0; ++each) recording->room_count += *each == ',';
  if (options->game == NULL || options->game[0] == 0 || rooms[0] == 0 ||
      rooms[0] == ',' || each[-1] == ',' || strstr(rooms, ",,") != NULL ||
      reprise_has_twice_(rooms) || !reprise_is_name_(options->game) ||
      !reprise_is_name_(options->pack) || !reprise_is_name_(options->build) ||
      !reprise_is_name_(rooms) || recording->ticks_per_second > 1000 ||
      recording->digest_stride > 1048576 ||
      recording->room_count > REPRISE_ROOMS_MAX ||
      (recording->file = fopen(path, "wb")) == NULL) {
    free(recording);
    return NULL;
  }
  reprise_put_(&start, kRepriseMagic_, sizeof(kRepriseMagic_));
  reprise_text_(&content, "reprise");
  reprise_text_(&content, "reprise/recording.h");
  reprise_record_(&start, 0x01, &content);
  reprise_write_(recording, &start);
  reprise_write_metadata_(recording, options, rooms);
  reprise_define_channels_(recording);
  reprise_close_chunk_(recording);
  return recording;
}

void reprise_record_state(reprise_recording* recording,
                          const uint64_t* digests) {
  reprise_end_tick_(recording);
  reprise_take_state_(recording, digests);
  if (recording->tick - recording->batch_begin >= REPRISE_BATCH_TICKS_ ||
      recording->ticks.size + recording->chains.size + recording->rooms.size +
              recording->events.size >=
          REPRISE_BATCH_BYTES_) {
    reprise_end_batch_(recording);
    reprise_close_chunk_(recording);
  }
  recording->is_in_tick = 1;
}

void reprise_record_input(reprise_recording* recording, uint32_t player,
                          const reprise_device* device) {
  int i, is_held;
  if (!recording->is_in_tick || player >= REPRISE_PLAYERS_MAX) {
    recording->failed = 1;
    return;
  }
  is_held = recording->held[player].buttons == device->buttons;
  for (i = 0; i < 8; ++i) {
    if (device->axes[i] < -32767) recording->failed = 1;
    if (recording->held[player].axes[i] != device->axes[i]) is_held = 0;
  }
  if (is_held) return;
  recording->held[player] = *device;
  recording->given |= (uint64_t)1 << player;
}

void reprise_record_event(reprise_recording* recording, const char* type,
                          const char* object) {
  reprise_bytes_ event = kRepriseNoBytes_;
  if (!recording->is_in_tick || type[0] == 0 || !reprise_is_name_(type) ||
      !reprise_is_name_(object) ||
      recording->events.size > 16 * REPRISE_BATCH_BYTES_) {
    recording->failed = 1;
    return;
  }
  reprise_field_(&event, 1, recording->tick);
  reprise_string_(&event, 2, type);
  if (object != NULL) reprise_string_(&event, 4, object);
  reprise_message_(&recording->events, 3, &event);
}

static void reprise_summary_offset_(reprise_bytes_* offsets, int opcode,
                                    uint64_t begin, uint64_t end) {
  reprise_bytes_ content = kRepriseNoBytes_;
  if (begin == end) return;
  reprise_number_(&content, (uint64_t)opcode, 1);
  reprise_number_(&content, begin, 8);
  reprise_number_(&content, end - begin, 8);
  reprise_record_(offsets, 0x0e, &content);
}

/* The end of the data, the summary, the footer. */
static void reprise_finish_(reprise_recording* recording) {
  static const int kOpcodes[] = {0x08, 0x03, 0x04, 0x0b, 0x0d};
  reprise_bytes_ content = kRepriseNoBytes_, end = kRepriseNoBytes_,
                 statistics = kRepriseNoBytes_, summary = kRepriseNoBytes_;
  reprise_bytes_ offsets = kRepriseNoBytes_, channel_counts = kRepriseNoBytes_;
  reprise_bytes_* groups[5];
  uint64_t begins[6], messages = 0, data_end;
  int i;
  reprise_number_(&content, recording->crc, 4);
  reprise_record_(&end, 0x0f, &content);
  reprise_write_(recording, &end);
  data_end = recording->size;
  for (i = 0; i < REPRISE_CHANNELS_; ++i) {
    if (recording->message_counts[i] == 0) continue;
    messages += recording->message_counts[i];
    reprise_number_(&channel_counts, (uint64_t)i + 1, 2);
    reprise_number_(&channel_counts, recording->message_counts[i], 8);
  }
  reprise_number_(&content, messages, 8);
  reprise_number_(&content, REPRISE_CHANNELS_, 2);
  reprise_number_(&content, REPRISE_CHANNELS_, 4);
  reprise_number_(&content, 0, 4);
  reprise_number_(&content, 1, 4);
  reprise_number_(&content, recording->chunk_count, 4);
  reprise_number_(&content, 0, 8);
  reprise_number_(&content, recording->last_ns, 8);
  reprise_block_(&content, channel_counts.data, channel_counts.size, 4);
  content.failed |= channel_counts.failed;
  reprise_release_(&channel_counts);
  reprise_record_(&statistics, 0x0b, &content);

  groups[0] = &recording->chunk_indexes;
  groups[1] = &recording->schemas;
  groups[2] = &recording->channels;
  groups[3] = &statistics;
  groups[4] = &recording->metadata_index;
  for (i = 0; i < 5; ++i) {
    begins[i] = data_end + summary.size;
    reprise_append_(&summary, groups[i]);
  }
  begins[5] = data_end + summary.size;
  for (i = 0; i < 5; ++i) {
    reprise_summary_offset_(&offsets, kOpcodes[i], begins[i], begins[i + 1]);
  }
  reprise_append_(&summary, &offsets);
  /* The checksum covers the footer up to itself. */
  reprise_number_(&summary, 0x02, 1);
  reprise_number_(&summary, 20, 8);
  reprise_number_(&summary, data_end, 8);
  reprise_number_(&summary, begins[5], 8);
  reprise_number_(&summary, reprise_crc_(0, summary.data, summary.size), 4);
  reprise_put_(&summary, kRepriseMagic_, sizeof(kRepriseMagic_));
  reprise_write_(recording, &summary);
  reprise_release_(&statistics);
  reprise_release_(&offsets);
}

int reprise_record_end(reprise_recording* recording, const uint64_t* digests,
                       int outcome, const char* reason) {
  reprise_bytes_ message = kRepriseNoBytes_;
  int failed;
  reprise_end_tick_(recording);
  reprise_take_state_(recording, digests);
  if (outcome < REPRISE_RUNNING || outcome > REPRISE_LOST ||
      !reprise_is_name_(reason)) {
    recording->failed = 1;
  }
  reprise_end_batch_(recording);
  reprise_field_(&message, 1, recording->tick);
  reprise_field_(&message, 2, (uint64_t)outcome);
  if (reason != NULL) reprise_string_(&message, 3, reason);
  reprise_fixed_(&message, 4, recording->root);
  reprise_fixed_(&message, 5, recording->chain);
  reprise_add_message_(recording, REPRISE_END_, recording->tick, &message);
  reprise_close_chunk_(recording);
  if (!recording->failed) reprise_finish_(recording);
  failed = recording->failed;
  if (fclose(recording->file) != 0) failed = 1;
  reprise_free_(recording);
  return failed;
}

#endif /* REPRISE_RECORDING_IMPLEMENTATION */

#endif  // REPRISE_INCLUDE_REPRISE_RECORDING_H_
