// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The room that one recording has reserved for its file, of its store and on
// its disk. It is reserved ahead, in blocks, so that a tick is made only where
// what it writes has its place.

#ifndef REPRISE_SERVICES_STORAGE_RECORDING_ROOM_H_
#define REPRISE_SERVICES_STORAGE_RECORDING_ROOM_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "services/storage/room_ledger.h"

namespace reprise::services {

// What a recording has reserved behind its file's end before a tick is made:
// room for a full batch, for that tick and for the end of the file. A tick that
// writes more takes it nevertheless, where the disk has it.
inline constexpr uint64_t kRoomAheadBytes = uint64_t{2} << 20;

// What is reserved at a time: some minutes of a small game.
inline constexpr uint64_t kRoomBlockBytes = uint64_t{2} << 20;

// Has the disk give back what it keeps for the file at `path` behind its end.
// The file's size; 0 where it can't be opened.
uint64_t CutAtEnd(const std::string& path);

// Safe to use from any thread; Reserve and Release by one at a time.
class RecordingRoom {
 public:
  // Of the file at `path`. `measure` looks again at what the store holds; null:
  // nobody does. Both must remain live as long.
  RecordingRoom(std::unique_ptr<RoomLedger::Reservation> reservation,
                std::string path, std::function<void()> measure);
  RecordingRoom(const RecordingRoom&) = delete;
  RecordingRoom& operator=(const RecordingRoom&) = delete;

  // Whether a file of so many bytes has room for another tick, and whether it
  // had better reserve more for those behind it.
  bool Covers(uint64_t size_bytes) const;
  bool WantsMore(uint64_t size_bytes) const;

  // Reserves room for a file that has so many bytes now: a block ahead, or what
  // a tick takes. It may wait for the disk, and looks through the store where
  // there seems to be no room. Where there is none, refusal() says why.
  void Reserve(uint64_t size_bytes);

  // OK, or why there was no more: RESOURCE_EXHAUSTED (STORE_FULL,
  // QUOTA_REACHED).
  absl::Status refusal() const;
  bool is_refused() const { return is_refused_; }

  // Gives the disk back what the finished file at `path` doesn't have, and
  // counts it as a file of its size.
  void Release();

 private:
  // Errors are refusal()'s.
  absl::Status GrowTo(uint64_t bytes);

  const std::string path_;
  const std::function<void()> measure_;
  const std::unique_ptr<RoomLedger::Reservation> reservation_;
  std::atomic<uint64_t> reserved_bytes_ = 0;
  std::atomic<bool> is_short_ = false;  // there was no whole block
  std::atomic<bool> is_refused_ = false;
  uint64_t allocated_bytes_ = 0;  // on the disk

  mutable std::mutex mutex_;
  absl::Status refusal_;  // guarded
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_STORAGE_RECORDING_ROOM_H_
