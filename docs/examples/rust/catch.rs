// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

//! The game of docs/examples/plugin/catch.c in Rust, to the last bit: apples
//! fall, a basket catches them.
//!
//!     rustc -O --crate-type cdylib -C panic=abort catch.rs -o libcatch_rust.so

#[macro_use]
mod reprise;

use std::os::raw::c_char;

const APPLES_MAX: usize = 8;
const TICKS_BETWEEN: u64 = 30;
const WANTED: i32 = 10;
const LOST_MAX: i32 = 3;

// State: two kinds of rows, and nothing else that lasts.
#[repr(C)]
#[derive(Clone, Copy)]
struct Game {
    basket_x: f64,
    random: u64,
    next_apple: u64,
    caught: i32,
    lost: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Apple {
    number: u64,
    x: f64,
    y: f64,
    speed: f32,
}

const GAME: usize = 0;
const APPLES: usize = 1;

struct Catch {
    game: Game,
    apples: Vec<Apple>, // ascending by number
    description: Description,
}

// What `info` hands over: its memory lives as long as the simulation.
struct Description {
    tables: Vec<reprise::Table>,
    actions: Vec<reprise::Action>,
    events: Vec<reprise::EventType>,
    // What the lists above point to.
    _fields: [Vec<reprise::Field>; 2],
    _arguments: Vec<reprise::EventArgumentType>,
}

impl Description {
    fn new() -> Description {
        let game = vec![
            member!(Game, basket_x, "m", reprise::DOUBLE),
            member!(Game, random, "", reprise::UINT64),
            member!(Game, next_apple, "", reprise::UINT64),
            member!(Game, caught, "", reprise::INT32),
            member!(Game, lost, "", reprise::INT32),
        ];
        let apples = vec![
            member!(Apple, number, "", reprise::OBJECT),
            member!(Apple, x, "m", reprise::DOUBLE),
            member!(Apple, y, "m", reprise::DOUBLE),
            member!(Apple, speed, "m/s", reprise::FLOAT),
        ];
        let caught = vec![reprise::EventArgumentType {
            name: text!("total"),
            kind: reprise::INT64,
            unit: text!(""),
        }];
        Description {
            tables: vec![
                reprise::Table {
                    room: text!("orchard"),
                    name: text!("game"),
                    key_fields: 0,
                    row_size: std::mem::size_of::<Game>() as u32,
                    fields: reprise::List::of(&game),
                    legends: reprise::List::EMPTY,
                },
                reprise::Table {
                    room: text!("orchard"),
                    name: text!("apples"),
                    key_fields: 1,
                    row_size: std::mem::size_of::<Apple>() as u32,
                    fields: reprise::List::of(&apples),
                    legends: reprise::List::EMPTY,
                },
            ],
            actions: vec![reprise::Action {
                name: text!("move"),
                kind: reprise::ACTION_AXIS,
                device_index: 0,
                maximum: 0,
                arguments: reprise::List::EMPTY,
            }],
            events: vec![
                reprise::EventType {
                    name: text!("caught"),
                    when: text!("an apple falls into the basket"),
                    arguments: reprise::List::of(&caught),
                },
                reprise::EventType {
                    name: text!("lost"),
                    when: text!("an apple falls beside the basket"),
                    arguments: reprise::List::EMPTY,
                },
            ],
            _fields: [game, apples],
            _arguments: caught,
        }
    }
}

// SplitMix64 (Steele, Lea, Flood 2014): its one number is a field.
fn next_unit(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e3779b97f4a7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
    ((z ^ (z >> 31)) >> 11) as f64 / 9007199254740992.0
}

impl Catch {
    fn drop_apple(&mut self) {
        if self.apples.len() == APPLES_MAX {
            return;
        }
        self.apples.push(Apple {
            number: self.game.next_apple,
            x: 10.0 * next_unit(&mut self.game.random) - 5.0,
            y: 8.0,
            speed: 0.0,
        });
        self.game.next_apple += 1;
    }

    fn step(&mut self, tick: u64, axis: i16, mut tell: impl FnMut(*const c_char, u64, Option<i32>)) {
        let game = &mut self.game;
        game.basket_x += f64::from(axis) / 32767.0 / 6.0;
        if tick % TICKS_BETWEEN == 0 {
            self.drop_apple();
        }
        let game = &mut self.game;
        self.apples.retain_mut(|apple| {
            apple.speed += 9.81f32 / 60.0 / 4.0;
            apple.y -= f64::from(apple.speed) / 60.0;
            if apple.y > 0.0 {
                return true;
            }
            if apple.x > game.basket_x - 1.0 && apple.x < game.basket_x + 1.0 {
                game.caught += 1;
                tell(text!("caught"), apple.number, Some(game.caught));
            } else {
                game.lost += 1;
                tell(text!("lost"), apple.number, None);
            }
            false
        });
    }
}

// What follows speaks C. A panic ends the process (-C panic=abort): nothing may
// pass through these calls.

unsafe extern "C" fn create(
    arguments: *const reprise::CreateArguments,
    simulation: *mut *mut reprise::Simulation,
    _error: *mut reprise::Error,
) -> i32 {
    let made = Box::new(Catch {
        game: Game {
            basket_x: 0.0,
            random: (*arguments).seed,
            next_apple: 1,
            caught: 0,
            lost: 0,
        },
        apples: Vec::with_capacity(APPLES_MAX),
        description: Description::new(),
    });
    *simulation = Box::into_raw(made) as *mut reprise::Simulation;
    reprise::OK
}

unsafe extern "C" fn destroy(simulation: *mut reprise::Simulation) {
    drop(Box::from_raw(simulation as *mut Catch));
}

unsafe extern "C" fn info(simulation: *const reprise::Simulation, info: *mut reprise::Info) {
    let description = &(*(simulation as *const Catch)).description;
    let info = &mut *info;
    info.ticks_per_second = 60;
    info.rules_revision = 1;
    info.player_count = 1;
    info.actions = reprise::List::of(&description.actions);
    info.tables = reprise::List::of(&description.tables);
    info.events = reprise::List::of(&description.events);
}

unsafe extern "C" fn step(
    simulation: *mut reprise::Simulation,
    arguments: *const reprise::StepArguments,
    _error: *mut reprise::Error,
) -> i32 {
    let arguments = &*arguments;
    let player: &reprise::Player = arguments.players.item(0);
    let tell = |kind: *const c_char, object: u64, total: Option<i32>| {
        let argument = [reprise::EventArgument {
            name: text!("total"),
            kind: reprise::INT64,
            integer: i64::from(total.unwrap_or(0)),
            number: 0.0,
            object: 0,
        }];
        let given = if total.is_some() { &argument[..] } else { &[] };
        let event = reprise::Event {
            struct_size: std::mem::size_of::<reprise::Event>() as u32,
            kind,
            object,
            arguments: reprise::List::of(given),
        };
        (arguments.emit)(arguments.sink, &event);
    };
    (*(simulation as *mut Catch)).step(arguments.tick, player.axes[0], tell);
    reprise::OK
}

unsafe extern "C" fn rows(simulation: *mut reprise::Simulation, table: u32, rows: *mut reprise::Rows) {
    let catch = &*(simulation as *const Catch);
    if table as usize == GAME {
        (*rows).show(std::slice::from_ref(&catch.game));
    } else {
        (*rows).show(&catch.apples);
    }
}

unsafe extern "C" fn restore(
    simulation: *mut reprise::Simulation,
    tables: *const reprise::List,
    error: *mut reprise::Error,
) -> i32 {
    let catch = &mut *(simulation as *mut Catch);
    let game: &[Game] = (*tables).item::<reprise::Rows>(GAME).slice();
    let apples: &[Apple] = (*tables).item::<reprise::Rows>(APPLES).slice();
    if game.len() != 1 || apples.len() > APPLES_MAX {
        return (*error).fail(reprise::DATA_LOSS, "so many rows can't be");
    }
    catch.game = game[0];
    catch.apples.clear();
    catch.apples.extend_from_slice(apples);
    reprise::OK
}

unsafe extern "C" fn outcome(simulation: *const reprise::Simulation, outcome: *mut reprise::Outcome) {
    let game = &(*(simulation as *const Catch)).game;
    if game.lost >= LOST_MAX {
        (*outcome).status = reprise::LOST;
        (*outcome).reason = text!("three apples were lost");
    } else if game.caught >= WANTED {
        (*outcome).status = reprise::WON;
        (*outcome).reason = text!("ten apples were caught");
    }
}

unsafe extern "C" fn frame(simulation: *const reprise::Simulation, arguments: *const reprise::FrameArguments) {
    let ball = [reprise::Shape {
        kind: reprise::SPHERE,
        position: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        size: [0.2, 0.0, 0.0],
    }];
    for apple in &(*(simulation as *const Catch)).apples {
        let name = format!("apple_{}\0", apple.number);
        let object = reprise::FrameObject {
            struct_size: std::mem::size_of::<reprise::FrameObject>() as u32,
            object: apple.number,
            name: name.as_ptr() as *const c_char,
            kind: text!("apple"),
            position: [apple.x, apple.y, 0.0],
            rotation: [0.0, 0.0, 0.0, 1.0],
            shapes: reprise::List::of(&ball),
        };
        ((*arguments).add)((*arguments).sink, &object);
    }
}

unsafe extern "C" fn object_name(
    _simulation: *const reprise::Simulation,
    object: u64,
    name: *mut c_char,
    capacity: u32,
) {
    reprise::write_text(name, capacity, &format!("apple_{}", object));
}

static PLUGIN: reprise::Plugin = reprise::Plugin {
    struct_size: std::mem::size_of::<reprise::Plugin>() as u32,
    interface_version: reprise::INTERFACE_VERSION,
    name: text!("catch"),
    create,
    destroy,
    info,
    step,
    rows,
    restore,
    outcome: Some(outcome),
    frame: Some(frame),
    object_name: Some(object_name),
};

#[no_mangle]
pub extern "C" fn reprise_plugin_describe() -> *const reprise::Plugin {
    &PLUGIN
}
