// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One running simulation, perhaps with its recording. At most one call at a
// time changes it, and every call sees it between two ticks.

#ifndef REPRISE_SERVICES_SESSIONS_SESSION_H_
#define REPRISE_SERVICES_SESSIONS_SESSION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/clock.h"
#include "services/base/memory_budget.h"
#include "services/base/tenant.h"
#include "services/base/tenant_memory.h"
#include "services/monitoring/phase_times.h"
#include "services/observations/observation.h"
#include "services/sessions/fair_mutex.h"
#include "services/sessions/kept_states.h"
#include "services/sessions/labels.h"
#include "services/sessions/session_errors.h"
#include "services/sessions/session_glance.h"
#include "services/sessions/session_memory.h"
#include "services/sessions/step_telling.h"
#include "services/stepping/lockstep.h"
#include "services/stepping/lockstep_options.h"
#include "services/stepping/step_order.h"
#include "services/storage/followed_replay.h"
#include "services/storage/recording.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "sim/state/state.h"

namespace reprise::services {

// Safe to use from any thread.
class Session {
 public:
  struct Options {
    std::string id;
    Tenant tenant;
    Labels labels;
    std::optional<LockstepOptions> lockstep;  // none: one client steps it
    // A recording of this size takes no more ticks.
    uint64_t recording_bytes_max = 0;
    // What one response may hold of events, and of a frame.
    uint64_t response_bytes_max = 0;
    uint32_t snapshots_max = 0;
    // What it is counted into; null: nothing.
    std::shared_ptr<TenantMemory> memory;
    // Of the server; null: it has no limit.
    MemoryBudget* budget = nullptr;
    // Where phases of ticks are counted; null: nowhere.
    PhaseTimes* phase_times = nullptr;
    Clock clock;
  };

  // Goes on with `run` from where it stands. A recording is the replay of the
  // session's id.
  Session(Options options, RecordedRun run);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& id() const { return options_.id; }
  const Tenant& tenant() const { return options_.tenant; }
  const Labels& labels() const { return options_.labels; }
  bool is_recorded() const { return is_recorded_; }

  // The replay that is being recorded, or was when it ended; empty for none.
  std::string replay_id() const;
  // The replay that it plays; empty for none.
  const std::string& followed_replay_id() const { return followed_replay_id_; }

  // The number of ticks made so far, and how many make a simulated second.
  sim::Tick tick() const { return shown_tick_; }
  uint32_t tick_rate() const { return tick_rate_; }

  // How it stands. Describe counts as a use.
  v1::Session Describe();
  v1::Session Peek() const;

  // Takes no lock: each part is right, of one moment or another.
  SessionGlance Glance() const;

  // The name of its pack, and how its game stands.
  std::string pack_name() const;
  sim::Outcome::Status outcome() const;

  // When it was last used; the infinite future while it is leased.
  absl::Time last_use() const;

  // Whether memory ran out in the midst of a change, so that nobody knows what
  // it is: it can only be ended.
  bool is_broken() const { return is_broken_; }

  // Takes the right to change it. FAILED_PRECONDITION: another has it, or it is
  // broken. NOT_FOUND: the session is closed.
  absl::Status Lease();
  // The same for those who play it together. FAILED_PRECONDITION, too: it has
  // no lockstep.
  absl::Status LeaseToPlay();
  void ReleaseLease();

  // Whether the order can be begun, as far as can be known before. Errors, and
  // nothing changes: FAILED_PRECONDITION when it begins at another tick or the
  // simulation can't go on, RESOURCE_EXHAUSTED when the recording is as large
  // as it may be, the recording's failure, and whatever the simulation refuses;
  // likewise when the tenant has no room, or the server has no memory for a
  // session that grows. REQUIRES: the caller has the lease.
  absl::Status Check(const StepOrder& order) const;

  // Makes ready what the order wants to see and to stop at. `kept` is what was
  // declared before under this lease, and becomes what is now.
  // INVALID_ARGUMENT, RESOURCE_EXHAUSTED, and nothing changes: a part of it is
  // wrong or too much. REQUIRES: Check accepted the order; the caller has the
  // lease.
  absl::Status Prepare(std::shared_ptr<Observation>& kept,
                       StepOrder& order) const;

  // Makes the order's ticks from where it stands. True: all are made, or as
  // many as it takes to stop, and what is recorded of them is written as far as
  // batches have ended, so that what is answered isn't lost with the process.
  // False: `pause`, asked after each tick, said so, or the order
  // waits_for_disk; call again to go on. Events and observations go to
  // `response` either way. An error breaks off between two ticks, unless memory
  // ran out in the midst of one (RESOURCE_EXHAUSTED; see is_broken). REQUIRES:
  // Prepare took the order; the caller has had the lease since.
  absl::StatusOr<bool> Advance(StepOrder& order,
                               absl::FunctionRef<bool()> pause,
                               v1::StepSessionResponse& response);

  // Whether all batches of the recording that have ended are written, or never
  // will be, and whether it is known if there is room for another tick. False:
  // `resume` is called once, by another thread, when that is so. The last one
  // given counts.
  bool WhenWritten(std::function<void()> resume);

  // Whether the simulation takes these inputs. INVALID_ARGUMENT,
  // RESOURCE_EXHAUSTED: sim::Simulation::Validate's, with the tick.
  absl::Status CheckInputs(std::span<const TickFrames> inputs) const;

  // How it is played together; null: it isn't. Used by whoever has the lease.
  Lockstep* lockstep() const { return lockstep_.get(); }

  // What the replay that it plays has for the next tick.
  struct RecordedTick {
    std::optional<std::vector<sim::InputFrame>> frames;  // none: no such tick
    bool may_come = false;  // not yet: it is being recorded
  };
  // Errors are FollowedReplay::FramesAt's. REQUIRES: it plays one; the caller
  // has the lease.
  absl::StatusOr<RecordedTick> NextRecordedTick();

  // Makes one tick of those who play or watch together, of frames that
  // CheckInputs has taken or NextRecordedTick has returned, tells each of it,
  // and returns its events. WhenWritten says when one may be made.
  // Errors, and no tick is made: as of Check. REQUIRES: the caller has the
  // lease.
  absl::StatusOr<std::vector<sim::Event>> PlayTick(
      std::vector<sim::InputFrame> frames, std::span<const Viewer> viewers);
  // Tells those who missed ticks how it stands behind the last one, which had
  // these events.
  void Show(std::span<const sim::Event> events,
            std::span<const Viewer> viewers) const;

  // Fills in tick, digest and outcome, and the frame if that is wanted and fits
  // in `bytes_max`; 0: in a message.
  void DescribeStep(bool want_frame, v1::StepSessionResponse& response,
                    uint64_t bytes_max = 0) const;

  // Keeps how it stands. RESOURCE_EXHAUSTED: it keeps as many as it may.
  // Errors as of CheckWell; NOT_FOUND: it is closed.
  absl::StatusOr<v1::Snapshot> TakeSnapshot();
  // Forgets one. NOT_FOUND: there is none of that number.
  absl::Status DeleteSnapshot(uint64_t number);

  // Puts it to tick 0, or to a snapshot, in its place. False, and nothing
  // changes, where that takes another simulation or another recording.
  // NOT_FOUND: no such snapshot; other errors are the simulation's. REQUIRES:
  // the caller has the lease.
  absl::StatusOr<bool> ResetInPlace(std::optional<uint64_t> seed);
  absl::StatusOr<bool> RestoreInPlace(uint64_t number);

  // What it runs again from where it stands, or from a snapshot, or from tick
  // 0, unrecorded. StartAgain is null where that takes the simulation's
  // factory. NOT_FOUND: no such snapshot. Errors as of CheckWell.
  absl::StatusOr<RecordedRun> Fork(std::optional<uint64_t> snapshot) const;
  absl::StatusOr<RecordedRun> StartAgain(std::optional<uint64_t> seed) const;

  // Where it stands, or stood at a snapshot, for who opens its recording: all
  // up to there is in the file, which is waited for. FAILED_PRECONDITION: it
  // isn't recorded. NOT_FOUND: no such snapshot. Errors as of CheckWell.
  absl::StatusOr<RecordedPoint> FlushTo(std::optional<uint64_t> snapshot);

  // Goes on with another run, which is recorded as `replay_id` if this one is.
  // Returns the id of the replay that the recording before has become; empty
  // without. Snapshots go where the seed is another one. The recording's
  // failure: nothing changes, and the new recording is discarded. Waits until
  // the one before is finished, and keeps nobody else waiting. REQUIRES: the
  // caller has the lease; `run` is recorded if this is.
  absl::StatusOr<std::string> Replace(RecordedRun run, std::string replay_id);

  // What the simulation was made of, its seed, and its state at tick 0 where
  // that is known.
  std::shared_ptr<const sim::PackArchive> pack() const;
  uint64_t seed() const;
  std::optional<sim::State> start() const;

  // Ends the session and finishes its recording. FAILED_PRECONDITION: it is
  // leased, and nothing changes. NOT_FOUND: it is closed already. DATA_LOSS: it
  // is closed, and the recording isn't complete. Waits as Replace does.
  absl::Status Close();

 private:
  // Holds the session while it is changed, and shows how it stands then.
  class Change {
   public:
    explicit Change(Session* session)
        : session_(*session), lock_(session->mutex_) {}
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;
    ~Change() { session_.ShowLocked(); }

   private:
    Session& session_;
    const std::scoped_lock<FairMutex> lock_;
  };

  // REQUIRES of all: the caller holds mutex_.
  void ShowLocked();
  // Notes that memory ran out in the midst of a change, and says so.
  absl::Status BreakLocked();
  // Whether ticks can be made. Errors as of Check.
  absl::Status CheckReadyLocked() const;
  absl::Status CheckInputsLocked(std::span<const TickFrames> inputs) const;
  // RESOURCE_EXHAUSTED, besides: see is_broken.
  absl::Status RestoreLocked(const sim::State& state);
  absl::Status StepLocked(std::span<const sim::InputFrame> frames);
  absl::Status StepOnceLocked(std::span<const sim::InputFrame> frames,
                              sim::PhaseObserver* observer);
  // Notes that ticks were made, and has what is recorded outlive the process
  // where some of it has waited long. RESOURCE_EXHAUSTED: as of RestoreLocked.
  absl::Status NoteUseLocked();
  std::vector<sim::Event> DrainEventsLocked();
  // `bytes_max` of an order, where it has one.
  uint64_t ResponseBytesMax(uint64_t bytes_max) const {
    return bytes_max == 0 ? options_.response_bytes_max : bytes_max;
  }
  void TellLocked(std::span<const sim::Event> events,
                  std::span<const Viewer> viewers) const;
  v1::Frame MakeFrameLocked() const;
  // Without a frame where that is null.
  void DescribeStepLocked(const v1::Frame* frame, uint64_t bytes_max,
                          v1::StepSessionResponse& response) const;
  // Notes whether the tick that was just made decides the game, and says so.
  bool NoteDecisionLocked();
  // Makes ticks of the order until it is over, `pause` says so, or the disk is
  // too far behind. Errors break it off.
  absl::Status MakeTicksLocked(StepOrder& order,
                               absl::FunctionRef<bool()> pause,
                               v1::StepSessionResponse& response);
  // What the order, or the replay that is played, has for the next tick;
  // nullopt: the replay ends here, and so does the order, which sees the end.
  absl::StatusOr<std::optional<std::span<const sim::InputFrame>>> FramesLocked(
      StepOrder& order, v1::StepSessionResponse& response);
  // Looks at the tick that was just made: what it decides, whether the order
  // stops there, and what its client sees of it.
  void LookLocked(std::span<const sim::Event> events, StepOrder& order,
                  v1::StepSessionResponse& response);
  // Forgets which tick decided the game, as it stands now.
  void ForgetDecisionLocked();
  // FAILED_PRECONDITION: the simulation can't go on. DATA_LOSS: the recording
  // has broken off.
  absl::Status CheckWellLocked() const;
  // DATA_LOSS: as above.
  absl::Status CheckRecordingLocked() const {
    return recording_ == nullptr ? absl::OkStatus() : recording_->status();
  }
  absl::StatusOr<const KeptState*> FindLocked(uint64_t snapshot) const;
  v1::Session DescribeLocked() const;
  v1::Session::State StateLocked() const;
  bool IsFullLocked() const;
  // Whether another tick can be recorded; false: not yet. RESOURCE_EXHAUSTED:
  // as of Advance.
  absl::StatusOr<bool> CanRecordLocked();
  bool StartsLocked(std::optional<uint64_t> seed) const;

  const Options options_;
  const bool is_recorded_;
  const std::string pack_name_;
  const uint32_t tick_rate_;
  const std::string followed_replay_id_;
  std::unique_ptr<Lockstep> lockstep_;  // safe from any thread

  // What Glance shows.
  std::atomic<v1::Session::State> shown_state_ = v1::Session::STATE_FREE;
  std::atomic<sim::Tick> shown_tick_ = 0;
  std::atomic<uint64_t> shown_recording_bytes_ = 0;
  SessionMemory memory_;  // guarded as below, but for what it shows
  std::atomic<bool> is_broken_ = false;

  mutable FairMutex mutex_;  // guards what follows
  std::unique_ptr<sim::Simulation> simulation_;
  std::unique_ptr<Recording> recording_;
  std::unique_ptr<FollowedReplay> followed_;  // null: it has its own inputs
  std::string replay_id_;
  std::shared_ptr<const sim::PackArchive> pack_;
  std::optional<sim::State> start_;  // the state at tick 0, where it is known
  uint64_t loaded_bytes_ = 0;        // see RecordedRun
  bool is_decided_ = false;          // the game
  // The tick whose state was the first that was decided, where it is known.
  std::optional<sim::Tick> decided_tick_;
  KeptStates snapshots_;
  absl::Time last_use_;
  // When the recording was last written, as NoteUseLocked saw it, and its size.
  absl::Time flush_time_;
  uint64_t flushed_bytes_ = 0;
  bool leased_ = false;
  bool played_ = false;  // by those who play together
  bool closed_ = false;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_SESSION_H_
