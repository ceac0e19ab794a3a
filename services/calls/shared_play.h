// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// A session that is being played by clients on streams of their own. What
// arrives on any of them is gathered, and worked off by one task at a time on
// the work queue: it takes requests, makes ticks when their inputs are there,
// and tells everybody of them. So no stream waits for another one, and none of
// gRPC's threads for a tick.

#ifndef REPRISE_SERVICES_CALLS_SHARED_PLAY_H_
#define REPRISE_SERVICES_CALLS_SHARED_PLAY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/support/byte_buffer.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/base/clock.h"
#include "services/base/tenant.h"
#include "services/calls/wake_timer.h"
#include "services/calls/work_queue.h"
#include "services/monitoring/server_metrics.h"
#include "services/observations/observation.h"
#include "services/sessions/session.h"
#include "services/sessions/session_lease.h"
#include "services/stepping/tick_pace.h"
#include "sim/base/tick.h"
#include "sim/event.h"
#include "sim/input/input_frame.h"

namespace reprise::services {

class SharedPlay;

// One stream of those who play or watch. All is called by the play's task.
class PlayMember {
 public:
  virtual ~PlayMember() = default;

  // It is told by this play from now on.
  virtual void OnJoin(std::shared_ptr<SharedPlay> play) = 0;

  // The request that has arrived. An error ends the stream.
  virtual absl::StatusOr<v1::PlaySessionRequest> TakeRequest() = 0;
  // Tells what became of it, and reads on.
  virtual void Answer(const absl::Status& result) = 0;

  // Whether the client takes what it is sent. Where not, the play is told when
  // it does.
  virtual bool HasRoom() = 0;
  virtual void Send(const v1::PlaySessionResponse& response) = 0;
  // The same of a response that begins with `shared`, the bytes of one that
  // others get, too, and are copied for none.
  virtual void SendShared(const grpc::ByteBuffer& shared,
                          const v1::PlaySessionResponse& rest) = 0;

  // Ends the stream. Of all calls none follows.
  virtual void End(const absl::Status& status) = 0;
};

// What plays work with; all must remain live while any stream is open.
struct PlayResources {
  WorkQueue* queue = nullptr;
  WakeTimer* timer = nullptr;
  ServerMetrics* metrics = nullptr;
  Clock clock;
};

// Safe to use from any thread.
class SharedPlay final : public std::enable_shared_from_this<SharedPlay> {
 public:
  // Goes on while it has members. REQUIRES: the lease is to play.
  static std::shared_ptr<SharedPlay> Start(const PlayResources& resources,
                                           SessionLease lease);
  SharedPlay(const SharedPlay&) = delete;
  SharedPlay& operator=(const SharedPlay&) = delete;

  // Has a stream join with its first request. False: the play has ended.
  [[nodiscard]] bool Join(std::shared_ptr<PlayMember> member);
  // A request of it has arrived.
  void Receive(std::shared_ptr<PlayMember> member);
  // Its client takes messages again.
  void Refresh();
  // Its client has said its last, or is gone; the stream is to end with
  // `status`.
  void Leave(std::shared_ptr<PlayMember> member, const absl::Status& status);

 private:
  struct Item {
    enum class Kind { kJoin, kRequest, kLeave };
    Kind kind = Kind::kJoin;
    std::shared_ptr<PlayMember> member;
    absl::Status status;
  };

  // What is known of a member.
  struct Player {
    std::shared_ptr<PlayMember> member;
    std::optional<uint32_t> player;  // none: an observer
    bool want_frames = false;
    std::shared_ptr<Observation> observation;  // null: nothing
    uint64_t results_missed = 0;
    uint64_t inputs_late = 0;
    bool owes_pace = false;  // it has changed since it was told
  };
  using Players = std::vector<Player>;

  SharedPlay(const PlayResources& resources, SessionLease lease);

  bool Push(Item item);
  // REQUIRES: the caller holds mutex_.
  void ScheduleLocked();
  void Wake();
  // Has Run called again at `time`.
  void WakeAtLocked(absl::Time time);

  // Of the task:
  WorkQueue::Progress Run();
  WorkQueue::Progress Work();
  // Ends the play, and the streams of all who are or want to be in it: memory
  // ran out in the midst of something. Seats are held as of who is gone.
  void BreakOff();
  void WorkOff(const Item& item);
  void Admit(std::shared_ptr<PlayMember> member);
  absl::Status Seat(const v1::PlaySessionRequest& request, Player& player,
                    v1::PlaySessionResponse& response);
  void TakeRequest(Player& player);
  // An error is the response.
  absl::Status CarryOut(const v1::PlaySessionRequest& request, Player& player);
  // What is declared to be seen, if anything is, of what the player may see,
  // and how the session stands.
  absl::Status Declare(const v1::PlaySessionRequest& request,
                       std::optional<uint32_t> player,
                       std::shared_ptr<Observation>& observation,
                       v1::StepSessionResponse& result) const;
  // Makes the next tick if it can be made; if not, says when to try again.
  bool MakeTick(absl::Time& again);
  // The same of the replay that the session plays. Where that has ended, so do
  // the streams.
  bool MakeRecordedTick(absl::Time now, absl::Time& again);
  // False: the session can't go on, and all streams end.
  bool Play(std::vector<sim::InputFrame> frames,
            std::vector<uint32_t> late_players);
  // Tells those who have seen all of the replay that it has ended, and ends
  // their streams; others when they have room for it.
  void TellEnd();
  // What members see who have declared nothing is the same for all of them,
  // with a frame or without: it is made and serialised once.
  struct TickResults {
    v1::PlaySessionResponse plain, framed;
    std::vector<v1::PlaySessionResponse> observed;  // by member
    // By member; null: it is told nothing.
    std::vector<v1::PlaySessionResponse*> of;
  };
  // Who is to be told of the next tick: those with room for it, which the
  // others miss; or of the last one: those with room who missed some.
  std::vector<Viewer> MakeViewers(TickResults& results, bool of_missed);
  void TellTick(TickResults& results);
  // Tells those who missed results, and can be told now, how it stands.
  void CatchUp();
  void Tell(Player& player, v1::PlaySessionResponse& response);
  void TellShared(Player& player, const grpc::ByteBuffer& shared);
  // Adds what is to be told to it alone.
  void AddOwn(Player& player, bool has_result,
              v1::PlaySessionResponse& response);
  void Remove(Players::iterator player, const absl::Status& status);
  void RemoveAll(const absl::Status& status);
  // Gives the session back where nobody is left, then ends the streams of those
  // who aren't members any more. True: the play has ended.
  bool EndWhatHasEnded();

  Players::iterator Find(const PlayMember* member);
  Players::iterator FindSeated(uint32_t seated);
  Session& session() const { return lease_.session(); }
  // Whether nobody plays: all watch a replay.
  bool is_watched() const { return !session().followed_replay_id().empty(); }

  const PlayResources resources_;
  const Tenant tenant_;  // of the session

  // The task's.
  SessionLease lease_;
  TickPace pace_;
  // When the state was reached that players answer to, or one of them joined.
  absl::Time reached_;
  bool has_ticked_ = false;
  // When to look whether a replay that is being recorded has gone on.
  absl::Time next_look_ = absl::InfinitePast();
  Players players_;
  std::vector<Item> in_hand_;  // what is being worked off
  std::vector<std::pair<std::shared_ptr<PlayMember>, absl::Status>> ending_;
  // Of the tick that was made last.
  std::vector<sim::Event> events_;
  std::vector<uint32_t> late_players_;

  std::mutex mutex_;  // guards what follows
  std::vector<Item> inbox_;
  bool scheduled_ = false;  // the task is on the queue, or runs
  bool is_stale_ = false;   // something came since it looked last
  bool ended_ = false;
  absl::Time wake_at_ = absl::InfiniteFuture();  // by the timer
};

// The plays of a server, by session. Safe to use from any thread.
class SharedPlays {
 public:
  explicit SharedPlays(PlayResources resources)
      : resources_(std::move(resources)) {}

  // Has a stream join the play of `session`, which begins if there is none.
  // Errors are Session::LeaseToPlay's.
  absl::Status Enter(const std::shared_ptr<Session>& session,
                     const std::shared_ptr<PlayMember>& member);

 private:
  const PlayResources resources_;
  std::mutex mutex_;  // guards what follows
  std::map<std::string, std::weak_ptr<SharedPlay>> plays_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_SHARED_PLAY_H_
