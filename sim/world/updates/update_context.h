// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a behaviour sees and does while it updates a batch of objects: their own
// values, what may be read of others and when, and what can be asked for.

#ifndef REPRISE_SIM_WORLD_UPDATES_UPDATE_CONTEXT_H_
#define REPRISE_SIM_WORLD_UPDATES_UPDATE_CONTEXT_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/handle.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/random.h"
#include "sim/base/tick.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector2.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/joint_motors.h"
#include "sim/world/components/component.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/property_ref.h"
#include "sim/world/components/property_value.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/events/world_event.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/objects/world_log.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/time/game_clock.h"
#include "sim/world/time/timeline.h"
#include "sim/world/time/timers.h"
#include "sim/world/updates/object_request.h"
#include "sim/world/updates/world_queries.h"

namespace reprise::sim {

// Which state of another object is wanted.
enum class ReadTime : uint8_t {
  // As this tick's update left it: only objects in earlier buckets have that.
  kThisTick,
  // As it was when the update of this hook began, for every object alike.
  kLastTick,
};

class UpdateContext {
 public:
  // `cached` is the state when the hook began; null when no behaviour of the
  // pack reads other objects. Both outlive this.
  UpdateContext(const WorldParts& parts, const State* cached);

  // What systems' own functions for behaviours work on: Walk(context, i, ...).
  const WorldParts& parts() const { return parts_; }

  // Turns to other objects, all of one bucket, for one call of a behaviour; and
  // does what is to be done when that has returned.
  void Begin(uint64_t bucket, std::span<const uint32_t> rows);
  // The same for objects that go now: what is told of their mistakes is in the
  // account of the run at once, since later nobody knows whose they were.
  void BeginLast(uint64_t bucket, std::span<const uint32_t> rows);
  void End();

  // The step of the game that is being made.
  Tick tick() const { return parts_.game_tick; }
  // The time that a step takes, s.
  double dt_s() const;
  // A player's devices, as of this tick. REQUIRES: the pack has that player,
  // and, of all but the first, an action that is bound to such a device.
  const DeviceRow& device(uint32_t player) const;
  const KeyboardRow& keyboard(uint32_t player) const;
  const MouseRow& mouse(uint32_t player) const;
  const MotionSensorRow& motion_sensor(uint32_t player) const;
  std::vector<TouchRow> Touches(uint32_t player) const;  // ascending by id

  // The text behind an id: of the pack, or one that players gave or behaviours
  // made and that is kept (InputTexts). Empty where there is none, or none any
  // more.
  std::string TextOf(Id id) const;
  // Keeps a text, unless the pack has it, and returns its id: as long as any
  // row refers to it, and while it is among the last ones. What is longer than
  // kInputTextBytesMax, or no UTF-8, or finds no room, is but its id. REQUIRES:
  // the pack's definition says that texts are made.
  Id KeepText(std::string_view text);

  // The objects to update, in object order; i below is less than their number.
  uint32_t object_count() const { return static_cast<uint32_t>(rows_.size()); }
  // Their rows in the table of objects.
  std::span<const uint32_t> rows() const { return rows_; }
  bool are_going() const { return are_going_; }
  ObjectId object(uint32_t i) const;
  Handle handle(uint32_t i) const;
  Handle parent(uint32_t i) const;

  // An object's own values. The property is of the type that the call says, and
  // of a component that the object's type has (BehaviourBinder::Property).
  bool Bool(uint32_t i, const PropertyRef& property) const;
  int64_t Int(uint32_t i, const PropertyRef& property) const;
  double Number(uint32_t i, const PropertyRef& property) const;
  Id Name(uint32_t i,
          const PropertyRef& property) const;  // names, enums, texts
  sim::Vector2 Vector2(uint32_t i, const PropertyRef& property) const;
  Vector3 Vector(uint32_t i, const PropertyRef& property) const;
  Quaternion Rotation(uint32_t i, const PropertyRef& property) const;
  Handle Reference(uint32_t i, const PropertyRef& property) const;

  // Writes an own value. What the property doesn't allow is not written, and
  // `property_refused` tells of it. Returns whether it was written.
  bool SetBool(uint32_t i, const PropertyRef& property, bool value);
  bool SetInt(uint32_t i, const PropertyRef& property, int64_t value);
  bool SetNumber(uint32_t i, const PropertyRef& property, double value);
  bool SetName(uint32_t i, const PropertyRef& property, Id value);
  bool SetVector2(uint32_t i, const PropertyRef& property, sim::Vector2 value);
  bool SetVector(uint32_t i, const PropertyRef& property, Vector3 value);
  bool SetRotation(uint32_t i, const PropertyRef& property, Quaternion value);
  bool SetReference(uint32_t i, const PropertyRef& property, Handle value);

  // How many values an own list has. Each is read and written as one value is,
  // at list.At(k): context.Number(i, list.At(k)). REQUIRES: k < its size. What
  // makes it longer or shorter is Set, below.
  uint32_t ListSize(uint32_t i, const PropertyRef& list) const;

  // Own values of any type, lists too, of any component, found while the game
  // runs: slower than the above. A property is found once (FindProperty) or by
  // its names with each call. NOT_FOUND, with what was likely meant, when the
  // pack has no such component or property; FAILED_PRECONDITION when the object
  // doesn't have the component. Set: INVALID_ARGUMENT for a value of another
  // type, OUT_OF_RANGE for one that the property doesn't allow, of which
  // `property_refused` tells, too; nothing is written then.
  absl::StatusOr<PropertyRef> FindProperty(std::string_view component,
                                           std::string_view property) const;
  absl::StatusOr<PropertyValue> Get(uint32_t i,
                                    const PropertyRef& property) const;
  absl::StatusOr<PropertyValue> Get(uint32_t i, std::string_view component,
                                    std::string_view property) const;
  absl::Status Set(uint32_t i, const PropertyRef& property,
                   const PropertyValue& value);
  absl::Status Set(uint32_t i, std::string_view component,
                   std::string_view property, const PropertyValue& value);

  // Where the object is. SetPlace moves one that physics doesn't move; nothing
  // happens by what is no number, or by a rotation that isn't of length 1.
  Transform Place(uint32_t i) const;
  void SetPlace(uint32_t i, const Transform& place);

  // Pushes and turns the object's dynamic body, and wakes it: a force and a
  // torque for the whole of the next physics, an impulse at once, by a blow at
  // `offset_m` from the centre of mass. All are along the world's axes. Nothing
  // happens without such a body, nor by what is no number, alone or with what
  // has pushed before.
  void ApplyForce(uint32_t i, Vector3 force_n);
  void ApplyTorque(uint32_t i, Vector3 torque_n_m);
  void ApplyImpulse(uint32_t i, Vector3 impulse_n_s, Vector3 offset_m = {});

  // Changes motors of joints that hold object i: those named `joint`, or all
  // with kNoId. Errors as sim::ChangeMotors's.
  absl::Status ChangeMotors(uint32_t i, Id joint, const MotorChange& change);

  // Another object's values, of object i's point of view. nullopt when it
  // lacks the component; when it doesn't exist (`stale_reference` tells of it);
  // and when its value of this tick is wanted before there is one
  // (`read_refused`). REQUIRES: the behaviour's hooks say that it reads others.
  std::optional<bool> ReadBool(uint32_t i, Handle other,
                               const PropertyRef& property, ReadTime time);
  std::optional<int64_t> ReadInt(uint32_t i, Handle other,
                                 const PropertyRef& property, ReadTime time);
  std::optional<double> ReadNumber(uint32_t i, Handle other,
                                   const PropertyRef& property, ReadTime time);
  std::optional<Id> ReadName(uint32_t i, Handle other,
                             const PropertyRef& property, ReadTime time);
  std::optional<sim::Vector2> ReadVector2(uint32_t i, Handle other,
                                          const PropertyRef& property,
                                          ReadTime time);
  std::optional<Vector3> ReadVector(uint32_t i, Handle other,
                                    const PropertyRef& property, ReadTime time);
  std::optional<Quaternion> ReadRotation(uint32_t i, Handle other,
                                         const PropertyRef& property,
                                         ReadTime time);
  std::optional<Handle> ReadReference(uint32_t i, Handle other,
                                      const PropertyRef& property,
                                      ReadTime time);
  std::optional<uint32_t> ReadListSize(uint32_t i, Handle other,
                                       const PropertyRef& list, ReadTime time);
  std::optional<Transform> ReadPlace(uint32_t i, Handle other, ReadTime time);
  // Values of any type: NOT_FOUND as Get's, and when the other is gone;
  // FAILED_PRECONDITION when it lacks the component, its value of this tick
  // isn't there yet, or the behaviour doesn't say that it reads others.
  absl::StatusOr<PropertyValue> Read(uint32_t i, Handle other,
                                     const PropertyRef& property,
                                     ReadTime time);
  absl::StatusOr<PropertyValue> Read(uint32_t i, Handle other,
                                     std::string_view component,
                                     std::string_view property, ReadTime time);
  // The tick of the last update in which a behaviour of `other` ran, of those
  // that reading it shows: with kThisTick for an object in an earlier bucket,
  // with kLastTick for all others. True for divisors, sleepers and both hooks;
  // for one that has had no update yet, the tick at which it came. What events
  // and physics have changed since is no update. nullopt and REQUIRES as above.
  std::optional<Tick> UpdatedAt(uint32_t i, Handle other);

  // The objects of the world as this hook found them; for an event, as the last
  // hook did. REQUIRES: the behaviour's hooks say that it queries.
  const WorldQueries& queries() const;

  // Asks for a ray from one point to another, against the bodies as they will
  // be `delay` ticks from now, at least one; the answer is an event of type
  // `event` with `request` (what this returns) and, if a body is hit, `object`,
  // `fraction`, `x`, `y` and `z`. nullopt when too many wait, or for numbers
  // that aren't finite.
  std::optional<uint64_t> RequestRay(uint32_t i, Vector3 from, Vector3 to,
                                     Tick delay, Id event);

  // Asks for an answer of a kind that a system of the pack declares, `delay`
  // ticks from now, at least one: an event of type `event` with `request` and
  // what the kind says. Of those due in a tick the ones asked for first are
  // answered first; what is more than the kind's budget waits for the next
  // tick. The key is for what the system keeps of the request, so behaviours
  // call the system's own functions. nullopt when too many wait, or for a kind
  // that nobody answers.
  struct RequestKey {
    Tick due = 0;
    uint64_t request = 0;
  };
  std::optional<RequestKey> Request(uint32_t i, Id kind, Tick delay, Id event);

  // Finds an object by its name, or by its serial; null when there is none.
  Handle Find(Id name) const;
  Handle HandleOf(ObjectId object) const;
  // Whom an argument of an event names, by handle or by serial: who touched, a
  // visitor, what a ray hit. Null where the event doesn't say, or when it is
  // gone.
  Handle Participant(const WorldEvent& event, Id argument) const;

  // Asks for an object, which comes when the tick ends; its handle leads to
  // nobody until then. NOT_FOUND: no such archetype; INVALID_ARGUMENT: no place
  // where something can be; of a value as Set's; RESOURCE_EXHAUSTED: no room.
  // Then nothing comes, and `spawn_refused` tells of it and its reason.
  absl::StatusOr<Handle> Spawn(uint32_t i, const ObjectRequest& request);
  // The same in short; null where it is refused.
  Handle Spawn(uint32_t i, Id archetype, const Transform& place,
               Vector3 linear_velocity_m_s = {}, Handle parent = {});
  // Asks for the end of an object; a stale handle is told of.
  void Destroy(uint32_t i, Handle other);

  // Asks that an object gets a parent or, detached, has none any more and stays
  // where it is: when the tick ends, after what comes and goes in it, in the
  // order of the requests. It and all that depend on it are updated behind its
  // parent from then on. `attach_refused` tells object i, with the reason, when
  // one of both is gone, the parent depends on the object, the chain would be
  // longer than the buckets there are, or what is to be carried can't be.
  void Attach(uint32_t i, const AttachRequest& request);
  void Detach(uint32_t i, Handle object = {});

  // The next 64 bits of the stream that the world keeps for object i by this
  // name.
  uint64_t Random(uint32_t i, Id stream);

  // Posts an event of object i's to `target` (null: to all with registered
  // interest in its type), to be delivered when `delay` more ticks have come,
  // or in this one. Returns false when too many wait.
  bool Post(uint32_t i, Handle target, Id type, const EventArguments& arguments,
            Tick delay = 0, int64_t priority = 0);
  // Has it delivered before the call returns, which says whether it was
  // handled. Not so from an update: there it is delivered when all objects of
  // the bucket are updated, before the next bucket is, in the order of the
  // calls, and the call returns false. So nobody sees what another of its
  // bucket has sent.
  bool Send(uint32_t i, Handle target, Id type,
            const EventArguments& arguments);
  // Wants, or no longer wants, the events of a type that are sent to nobody in
  // particular. RESOURCE_EXHAUSTED beyond kInterestsMax.
  absl::Status Listen(uint32_t i, Id type, int64_t priority = 0);
  void Ignore(uint32_t i, Id type);

  // Starts a timer of object i's (`object` and `is_asleep` are filled in), or
  // stops it. Errors as Timers::Start's.
  absl::Status StartTimer(uint32_t i, TimerStart start);
  bool StopTimer(uint32_t i, Id name);
  // Ticks that are left until a timer fires next, while its object is active;
  // nullopt when there is none.
  std::optional<Tick> TimerDueIn(uint32_t i, Id name) const;

  std::optional<TimerRow> Timer(uint32_t i, Id name) const;

  // Starts a timeline of object i's (`object` and `is_asleep` are filled in) in
  // the place of one of that name, or finds it. When it passes one of `marks`,
  // object i is told at the start of the tick by the mark's event, with
  // `timeline` and `count`. Errors as MakeTimeline's, CheckMarks's and
  // PutTimeline's. REQUIRES, with marks: the behaviour's hooks say that it
  // marks timelines.
  absl::Status StartTimeline(uint32_t i, TimelineStart start,
                             std::span<const TimelineMark> marks = {});
  std::optional<TimelineRow> Timeline(uint32_t i, Id name) const;
  // Changes it from now on. NOT_FOUND when there is none; errors as those of
  // SetRate and Seek of a timeline. Stop returns whether there was one.
  absl::Status PauseTimeline(uint32_t i, Id name);
  absl::Status ResumeTimeline(uint32_t i, Id name);
  absl::Status SetTimelineRate(uint32_t i, Id name, TimeRate rate);
  absl::Status SeekTimeline(uint32_t i, Id name, int64_t parts);
  bool StopTimeline(uint32_t i, Id name);

  // The game's clock, from the next tick on. Errors as SetRate's.
  absl::Status SetGameRate(TimeRate rate);
  void PauseGame();
  void ResumeGame();

  // Says something of object i to people, who read it by `--log` of `reprise
  // run`: never state, so a behaviour does the same whoever reads it. `channel`
  // is what it is about; beyond kLogTextBytesMax the text is cut off. Texts
  // that cost something to make are made where wants_log(level) is true.
  void Log(uint32_t i, LogLevel level, std::string_view channel,
           std::string_view text) const;
  bool wants_log(LogLevel level) const { return parts_.log->wants(level); }

  // Object i can't go on: when this call of the behaviour ends it becomes
  // inert. Nothing of it runs any more, and nothing wakes it, but its values
  // stay as they are and its body where it is. `object_failed` tells its
  // parents, or of an object without one all with interest, with `reason`,
  // which is written out where the pack or the program knows the name
  // (REPRISE_REGISTER_WORD). What the call has written of it stays; of several
  // reasons the first counts.
  void Fail(uint32_t i, Id reason);

  // Posts what the world tells of object i to the object itself.
  void Tell(uint32_t i, Id type,
            std::initializer_list<EventArgument> arguments);

 private:
  // An object that can't go on.
  struct Failure {
    uint32_t row = 0;
    Id reason;
  };

  const ObjectRow& ObjectOf(uint32_t i) const;
  bool IsAsleep(uint32_t i) const;
  std::span<const std::byte> OwnRow(uint32_t i, const PropertyRef& ref) const;
  bool SetBits(uint32_t i, const PropertyRef& property,
               std::span<const uint64_t> bits);
  void TellRefused(uint32_t i, const PropertyDefinition& property);
  absl::Status NoComponent(const PropertyRef& property) const;
  template <typename Change>
  absl::Status ChangeTimeline(uint32_t i, Id name, const Change& change);
  // The state in which `other` is to be read, and its row there; null when it
  // isn't.
  const State* StateToRead(uint32_t i, Handle other, ReadTime time,
                           uint32_t& row);
  std::optional<std::span<const std::byte>> ReadRow(uint32_t i, Handle other,
                                                    const PropertyRef& property,
                                                    ReadTime time);

  WorldParts parts_;
  const State* cached_;
  uint64_t bucket_ = 0;
  bool are_going_ = false;
  std::span<const uint32_t> rows_;
  std::vector<Failure> failures_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_WORLD_UPDATES_UPDATE_CONTEXT_H_
