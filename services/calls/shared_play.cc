// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/shared_play.h"

#include <algorithm>
#include <new>

#include "fmt/format.h"
#include "services/base/memory_budget.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/work_slice.h"
#include "services/observations/observed_group.h"
#include "services/observations/player_view.h"
#include "services/stepping/lockstep.h"
#include "services/stepping/lockstep_options.h"
#include "services/stepping/step_order.h"
#include "sim/base/check.h"

namespace reprise::services {
namespace {

// How soon to try again when the queue is full.
constexpr absl::Duration kFullQueueDelay = absl::Milliseconds(10);

absl::Status SeatRequiredError(std::string_view what) {
  return WithReason(absl::FailedPreconditionError(fmt::format(
                        "only a player has {}; this stream observes", what)),
                    "SEAT_REQUIRED");
}

}  // namespace

std::shared_ptr<SharedPlay> SharedPlay::Start(const PlayResources& resources,
                                              SessionLease lease) {
  return std::shared_ptr<SharedPlay>(
      new SharedPlay(resources, std::move(lease)));
}

SharedPlay::SharedPlay(const PlayResources& resources, SessionLease lease)
    : resources_(resources),
      tenant_(lease.session().tenant()),
      lease_(std::move(lease)),
      pace_(session().lockstep()->options().pace, session().tick_rate(),
            resources_.clock()),
      reached_(resources_.clock()) {}

// --- What arrives.

bool SharedPlay::Join(std::shared_ptr<PlayMember> member) {
  return Push({.kind = Item::Kind::kJoin,
               .member = std::move(member),
               .status = absl::OkStatus()});
}

void SharedPlay::Receive(std::shared_ptr<PlayMember> member) {
  Push({.kind = Item::Kind::kRequest,
        .member = std::move(member),
        .status = absl::OkStatus()});
}

void SharedPlay::Leave(std::shared_ptr<PlayMember> member,
                       const absl::Status& status) {
  Push({.kind = Item::Kind::kLeave,
        .member = std::move(member),
        .status = status});
}

void SharedPlay::Refresh() { Wake(); }

bool SharedPlay::Push(Item item) {
  const std::scoped_lock lock(mutex_);
  if (ended_) return false;
  // In this order, so that nothing is in there of which its sender has been
  // told by an exception that it isn't.
  ScheduleLocked();
  inbox_.push_back(std::move(item));
  return true;
}

void SharedPlay::Wake() {
  const std::scoped_lock lock(mutex_);
  if (!ended_) ScheduleLocked();
}

void SharedPlay::ScheduleLocked() {
  if (scheduled_) {
    is_stale_ = true;
    return;
  }
  scheduled_ = resources_.queue->Post(
      tenant_, [self = shared_from_this()] { return self->Run(); });
  if (!scheduled_) WakeAtLocked(resources_.clock() + kFullQueueDelay);
}

void SharedPlay::WakeAtLocked(absl::Time time) {
  if (time >= wake_at_) return;
  wake_at_ = time;
  resources_.timer->CallAfter(
      time - resources_.clock(), [weak = weak_from_this(), time] {
        const std::shared_ptr<SharedPlay> play = weak.lock();
        if (play == nullptr) return;
        const std::scoped_lock lock(play->mutex_);
        if (play->wake_at_ == time) play->wake_at_ = absl::InfiniteFuture();
        if (!play->ended_) play->ScheduleLocked();
      });
}

// --- The task.

WorkQueue::Progress SharedPlay::Run() {
  try {
    return Work();
  } catch (const std::bad_alloc&) {
    BreakOff();
    return WorkQueue::Progress::kDone;
  }
}

WorkQueue::Progress SharedPlay::Work() {
  WorkSlice slice(resources_.metrics);
  while (true) {
    {
      const std::scoped_lock lock(mutex_);
      in_hand_.swap(inbox_);
      is_stale_ = false;
    }
    for (const Item& item : in_hand_) WorkOff(item);
    in_hand_.clear();
    if (EndWhatHasEnded()) return WorkQueue::Progress::kDone;
    absl::Time again = absl::InfiniteFuture();
    if (MakeTick(again)) {
      if (slice.EndTick()) return WorkQueue::Progress::kUnfinished;
      continue;
    }
    if (!ending_.empty()) continue;
    CatchUp();
    const std::scoped_lock lock(mutex_);
    if (is_stale_) {
      // However much its clients send, others have their turn.
      if (slice.is_over()) return WorkQueue::Progress::kUnfinished;
      continue;
    }
    scheduled_ = false;
    WakeAtLocked(again);
    return WorkQueue::Progress::kDone;
  }
}

void SharedPlay::BreakOff() {
  const absl::Status status = MemoryExhaustedError();
  for (const Player& player : players_) {
    if (!player.player.has_value()) continue;
    session().lockstep()->BreakOff(*player.player, resources_.clock());
  }
  std::vector<Item> unseen;
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    scheduled_ = false;
    unseen.swap(inbox_);
    lease_.Release();
  }
  // Some may be told twice: only the first time counts.
  for (const auto& [member, ending] : ending_) member->End(ending);
  for (const Player& player : players_) player.member->End(status);
  for (const Item& item : in_hand_) item.member->End(status);
  for (const Item& item : unseen) item.member->End(status);
  ending_.clear();
  players_.clear();
  in_hand_.clear();
}

void SharedPlay::WorkOff(const Item& item) {
  if (item.kind == Item::Kind::kJoin) {
    Admit(item.member);
    return;
  }
  const auto player = Find(item.member.get());
  if (player == players_.end()) return;
  if (item.kind == Item::Kind::kRequest) {
    TakeRequest(*player);
    return;
  }
  if (player->player.has_value()) {
    session().lockstep()->BreakOff(*player->player, resources_.clock());
  }
  Remove(player, item.status);
}

void SharedPlay::Admit(std::shared_ptr<PlayMember> member) {
  Player player;
  player.member = std::move(member);
  player.member->OnJoin(shared_from_this());
  v1::PlaySessionResponse response;
  const auto request = player.member->TakeRequest();
  absl::Status joined = request.status();
  if (joined.ok()) {
    joined = Declare(
        *request,
        request->has_player() ? std::optional(request->player()) : std::nullopt,
        player.observation, *response.mutable_result());
  }
  if (joined.ok()) joined = Seat(*request, player, response);
  if (!joined.ok()) {
    ending_.emplace_back(player.member, joined);
    return;
  }
  player.want_frames = request->want_frames();
  *response.mutable_joined()->mutable_lockstep() =
      ToProtoFor(player.player, session().lockstep()->options());
  player.owes_pace = true;
  Tell(player, response);
  player.member->Answer(absl::OkStatus());
  players_.push_back(std::move(player));
}

absl::Status SharedPlay::Seat(const v1::PlaySessionRequest& request,
                              Player& player,
                              v1::PlaySessionResponse& response) {
  if (request.tick_count() > 0 || request.inputs_size() > 0 ||
      request.has_pace() || request.leave()) {
    return WithReason(
        absl::InvalidArgumentError("the first request only joins"),
        "SEAT_REQUIRED");
  }
  if (!request.has_player()) {
    return request.seat_key().empty()
               ? absl::OkStatus()
               : WithReason(absl::InvalidArgumentError(
                                "a seat's key comes with its player"),
                            "SEAT_REQUIRED");
  }
  if (is_watched()) {
    return FollowError(
        "this session plays a replay, which has its inputs: who joins "
        "observes");
  }
  const absl::Time now = resources_.clock();
  const auto joined = session().lockstep()->Join(
      request.player(), request.seat_key(), session().tick(), now);
  if (!joined.ok()) return joined.status();
  const auto before = FindSeated(request.player());
  if (before != players_.end()) {
    Remove(before, WithReason(absl::AbortedError(fmt::format(
                                  "player {} has come back on another stream",
                                  request.player())),
                              "SEAT_TAKEN_OVER"));
  }
  player.player = request.player();
  response.mutable_joined()->set_player(request.player());
  response.mutable_joined()->set_seat_key(joined->seat_key);
  response.mutable_joined()->set_input_tick(joined->input_tick);
  // It has as long for its first inputs as all have for later ones, and nobody
  // hurries because the others waited for it.
  reached_ = now;
  if (!has_ticked_) pace_.Restart(now);
  return absl::OkStatus();
}

void SharedPlay::TakeRequest(Player& player) {
  const auto request = player.member->TakeRequest();
  if (!request.ok()) {
    if (player.player.has_value()) session().lockstep()->Leave(*player.player);
    Remove(Find(player.member.get()), request.status());
    return;
  }
  const absl::Status result = CarryOut(*request, player);
  if (!result.ok()) {
    v1::PlaySessionResponse response;
    *response.mutable_status() = ToRpcStatus(result);
    Tell(player, response);
  }
  player.member->Answer(result);
  if (!result.ok() || !request->leave()) return;
  if (player.player.has_value()) session().lockstep()->Leave(*player.player);
  Remove(Find(player.member.get()), absl::OkStatus());
}

absl::Status SharedPlay::CarryOut(const v1::PlaySessionRequest& request,
                                  Player& player) {
  if (!request.session().empty() &&
      request.session() != MakeName(kSessions, session().id())) {
    return WithReason(
        absl::InvalidArgumentError(
            fmt::format("this stream plays session '{}' only", session().id())),
        "SESSION_CHANGED");
  }
  if (request.has_player() || !request.seat_key().empty() ||
      request.want_frames()) {
    return WithReason(absl::InvalidArgumentError(
                          "a stream takes its seat, and says whether it wants "
                          "frames, with its first request"),
                      "SEAT_CHANGED");
  }
  v1::PlaySessionResponse response;
  std::shared_ptr<Observation> observation = player.observation;
  if (request.has_observe()) {
    if (absl::Status declared = Declare(request, player.player, observation,
                                        *response.mutable_result());
        !declared.ok()) {
      return declared;
    }
  }
  TickPace pace = pace_;
  if (request.has_pace()) {
    if (!player.player.has_value() && !is_watched()) {
      return SeatRequiredError("a pace");
    }
    if (absl::Status paced = pace.Control(request.pace(), resources_.clock());
        !paced.ok()) {
      return paced;
    }
    if (session().lockstep()->options().needs_pace() && pace.is_unlimited()) {
      return WithReason(
          absl::InvalidArgumentError(
              "this session can't go without a pace: nothing else holds its "
              "ticks back"),
          "PACE_REFUSED");
    }
  }
  if (request.tick_count() > 0 || request.inputs_size() > 0) {
    if (!player.player.has_value()) return SeatRequiredError("inputs");
    auto inputs = ParsePlayerInputs(request, *player.player);
    if (!inputs.ok()) return inputs.status();
    if (absl::Status accepted = session().CheckInputs(inputs->inputs);
        !accepted.ok()) {
      return accepted;
    }
    const auto late = session().lockstep()->Give(
        *player.player, *std::move(inputs), session().tick());
    if (!late.ok()) return late.status();
    player.inputs_late += *late;
  }
  player.observation = std::move(observation);
  if (request.has_observe()) {
    Tell(player, response);
  } else if (player.observation != nullptr) {
    player.observation->Acknowledge(request.frame_acknowledged());
  }
  if (request.has_pace()) {
    pace_ = pace;
    for (Player& other : players_) other.owes_pace = true;
  }
  return absl::OkStatus();
}

absl::Status SharedPlay::Declare(const v1::PlaySessionRequest& request,
                                 std::optional<uint32_t> player,
                                 std::shared_ptr<Observation>& observation,
                                 v1::StepSessionResponse& result) const {
  const PlayerView* const view = session().lockstep()->options().ViewOf(player);
  if (view != nullptr && request.want_frames()) {
    return ObservationError(
        "want_frames",
        "this player may not see all; observe.frames shows what");
  }
  StepOrder order = {.first_tick = session().tick()};
  order.view = view;
  // Who declares nothing hears all events, but where a view says which.
  if (request.has_observe() || (view != nullptr && observation == nullptr)) {
    order.observe = request.observe();
  }
  if (absl::Status ready = session().Prepare(observation, order); !ready.ok()) {
    return ready;
  }
  const auto looked = session().Advance(
      order, [] { return false; }, result);
  if (!looked.ok()) return looked.status();
  session().DescribeStep(request.want_frames(), result);
  return absl::OkStatus();
}

bool SharedPlay::MakeTick(absl::Time& again) {
  const absl::Time now = resources_.clock();
  const absl::Time due = pace_.due();
  if (due > now) {
    again = due;
    return false;
  }
  if (is_watched()) return MakeRecordedTick(now, again);
  // What was told before the last tick is in the file.
  if (session().is_recorded() &&
      !session().WhenWritten([weak = weak_from_this()] {
        if (const auto play = weak.lock(); play != nullptr) play->Wake();
      })) {
    return false;
  }
  auto decision = session().lockstep()->Decide(session().tick(),
                                               std::max(due, reached_), now);
  again = decision.again;
  if (!decision.is_made) return false;
  for (const uint32_t dropped : decision.dropped_players) {
    const auto player = FindSeated(dropped);
    if (player == players_.end()) continue;
    Remove(player, WithReason(absl::AbortedError(
                                  fmt::format("player {} was late at tick {}",
                                              dropped, session().tick())),
                              "PLAYER_LATE"));
  }
  return Play(std::move(decision.frames), std::move(decision.late_players));
}

bool SharedPlay::Play(std::vector<sim::InputFrame> frames,
                      std::vector<uint32_t> late_players) {
  TickResults results;
  const std::vector<Viewer> viewers = MakeViewers(results, /*of_missed=*/false);
  auto events = session().PlayTick(std::move(frames), viewers);
  if (!events.ok()) {
    RemoveAll(events.status());
    return false;
  }
  has_ticked_ = true;
  events_ = *std::move(events);
  late_players_ = std::move(late_players);
  reached_ = resources_.clock();
  pace_.EndTick(reached_);
  TellTick(results);
  return true;
}

void SharedPlay::Remove(Players::iterator player, const absl::Status& status) {
  ending_.emplace_back(player->member, status);
  players_.erase(player);
}

void SharedPlay::RemoveAll(const absl::Status& status) {
  while (!players_.empty()) {
    if (players_.back().player.has_value()) {
      session().lockstep()->Leave(*players_.back().player);
    }
    Remove(players_.end() - 1, status);
  }
}

bool SharedPlay::EndWhatHasEnded() {
  bool has_ended = false;
  if (players_.empty()) {
    const std::scoped_lock lock(mutex_);
    if (inbox_.empty()) {
      has_ended = true;
      ended_ = true;
      scheduled_ = false;
      lease_.Release();
    }
  }
  for (const auto& [member, status] : ending_) member->End(status);
  ending_.clear();
  return has_ended;
}

SharedPlay::Players::iterator SharedPlay::Find(const PlayMember* member) {
  return std::ranges::find_if(players_, [member](const Player& player) {
    return player.member.get() == member;
  });
}

SharedPlay::Players::iterator SharedPlay::FindSeated(uint32_t seated) {
  return std::ranges::find_if(players_, [seated](const Player& player) {
    return player.player == seated;
  });
}

absl::Status SharedPlays::Enter(const std::shared_ptr<Session>& session,
                                const std::shared_ptr<PlayMember>& member) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(plays_, [](const auto& play) { return play.second.expired(); });
  if (const auto found = plays_.find(session->id()); found != plays_.end()) {
    const auto play = found->second.lock();
    if (play != nullptr && play->Join(member)) return absl::OkStatus();
  }
  auto lease = SessionLease::TakeToPlay(session);
  if (!lease.ok()) return lease.status();
  const auto play = SharedPlay::Start(resources_, *std::move(lease));
  plays_[session->id()] = play;
  const bool joined = play->Join(member);
  CHECK(joined);
  return absl::OkStatus();
}

}  // namespace reprise::services
