// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

//! `include/reprise/simulation.h`, version 2, by hand: what stands there in C,
//! in the same order. What each thing means stands there, too.

#![allow(dead_code)]

use std::os::raw::{c_char, c_void};

pub const INTERFACE_VERSION: u32 = 2;

/// One of your simulations; what it points to is yours alone.
pub type Simulation = c_void;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct List {
    pub items: *const c_void,
    pub count: u32,
    pub item_size: u32,
}

impl List {
    pub const EMPTY: List = List { items: std::ptr::null(), count: 0, item_size: 0 };

    /// All items of a slice, which has to live as long as the list is read.
    pub fn of<T>(items: &[T]) -> List {
        List {
            items: items.as_ptr() as *const c_void,
            count: items.len() as u32,
            item_size: std::mem::size_of::<T>() as u32,
        }
    }

    /// Item `index`: a newer Reprise's items may be larger than `T`.
    ///
    /// # Safety
    /// The list has that many items, whose first bytes are a `T`.
    pub unsafe fn item<T>(&self, index: usize) -> &T {
        let bytes = self.items as *const u8;
        &*(bytes.add(index * self.item_size as usize) as *const T)
    }
}

// What calls return.
pub const OK: i32 = 0;
pub const INVALID_ARGUMENT: i32 = 3;
pub const RESOURCE_EXHAUSTED: i32 = 8;
pub const FAILED_PRECONDITION: i32 = 9;
pub const INTERNAL: i32 = 13;
pub const DATA_LOSS: i32 = 15;

#[repr(C)]
pub struct Error {
    pub struct_size: u32,
    pub capacity: u32,
    pub text: *mut c_char,
}

impl Error {
    /// Writes a sentence, as much of it as there is room for, and returns `code`.
    ///
    /// # Safety
    /// It is the error of a call that hasn't returned.
    pub unsafe fn fail(&mut self, code: i32, sentence: &str) -> i32 {
        write_text(self.text, self.capacity, sentence);
        code
    }
}

/// Writes a text with a zero behind it.
///
/// # Safety
/// `text` has `capacity` bytes.
pub unsafe fn write_text(text: *mut c_char, capacity: u32, words: &str) {
    if capacity == 0 {
        return;
    }
    let count = words.len().min(capacity as usize - 1);
    std::ptr::copy_nonoverlapping(words.as_ptr(), text as *mut u8, count);
    *text.add(count) = 0;
}

// What a scalar is in memory.
pub const BOOL: u32 = 1;
pub const INT16: u32 = 2;
pub const INT32: u32 = 3;
pub const INT64: u32 = 4;
pub const UINT32: u32 = 5;
pub const UINT64: u32 = 6;
pub const DOUBLE: u32 = 7;
pub const ID: u32 = 8;
pub const OBJECT: u32 = 9;
pub const INT8: u32 = 16;
pub const UINT8: u32 = 17;
pub const UINT16: u32 = 18;
pub const FLOAT: u32 = 19;

// How the scalars of a field are called.
pub const SCALAR: u32 = 1;
pub const ARRAY: u32 = 2;
pub const VECTOR3: u32 = 3;
pub const QUATERNION: u32 = 4;
pub const MATRIX3: u32 = 5;
pub const VECTOR2: u32 = 6;

#[repr(C)]
pub struct Field {
    pub name: *const c_char,
    pub unit: *const c_char,
    pub kind: u32, // BOOL ...
    pub shape: u32,
    pub count: u32,
    pub offset: u32,
}

/// A text of C: `text!("speed")`.
#[macro_export]
macro_rules! text {
    ($words:expr) => {
        concat!($words, "\0").as_ptr() as *const std::os::raw::c_char
    };
}

/// The scalar `$member` of a row: `member!(Ball, x, "m", reprise::DOUBLE)`.
#[macro_export]
macro_rules! member {
    ($row:ty, $member:ident, $unit:expr, $kind:expr) => {{
        let row = std::mem::MaybeUninit::<$row>::uninit();
        let begin = row.as_ptr();
        let place = unsafe { std::ptr::addr_of!((*begin).$member) };
        $crate::reprise::Field {
            name: $crate::text!(stringify!($member)),
            unit: $crate::text!($unit),
            kind: $kind,
            shape: $crate::reprise::SCALAR,
            count: 1,
            offset: (place as usize - begin as usize) as u32,
        }
    }};
}

#[repr(C)]
pub struct LegendEntry {
    pub value: i64,
    pub name: *const c_char,
}

#[repr(C)]
pub struct Legend {
    pub field: *const c_char,
    pub is_mask: u32,
    pub entries: List,
}

#[repr(C)]
pub struct Table {
    pub room: *const c_char,
    pub name: *const c_char,
    pub key_fields: u32,
    pub row_size: u32,
    pub fields: List,
    pub legends: List,
}

#[repr(C)]
pub struct Region {
    pub room: *const c_char,
    pub name: *const c_char,
    pub size: u64,
    pub fields: List,
    pub legends: List,
}

#[repr(C)]
pub struct Rows {
    pub struct_size: u32,
    pub rows: *const c_void,
    pub row_count: u64,
    pub changed_begin: u64,
    pub changed_end: u64,
}

impl Rows {
    /// The rows as a slice.
    ///
    /// # Safety
    /// They are rows of `T`, of a call that hasn't returned.
    pub unsafe fn slice<T>(&self) -> &[T] {
        if self.row_count == 0 {
            return &[];
        }
        std::slice::from_raw_parts(self.rows as *const T, self.row_count as usize)
    }

    /// Shows a slice, which stays where it is until the next call.
    pub fn show<T>(&mut self, rows: &[T]) {
        self.rows = rows.as_ptr() as *const c_void;
        self.row_count = rows.len() as u64;
    }
}

pub const ACTION_BUTTON: u32 = 0;
pub const ACTION_AXIS: u32 = 1;
pub const ACTION_COMMAND: u32 = 2;
pub const ACTION_KEY: u32 = 3;
pub const ACTION_MOUSE_BUTTON: u32 = 4;
pub const ACTION_POINTER: u32 = 5;
pub const ACTION_MOUSE_MOTION: u32 = 6;
pub const ACTION_WHEEL: u32 = 7;
pub const ACTION_TOUCH: u32 = 8;
pub const ACTION_MOTION_SENSOR: u32 = 9;
pub const ACTION_TEXT: u32 = 10;

pub const VALUE_BOOL: u32 = 0;
pub const VALUE_INTEGER: u32 = 1;
pub const VALUE_NUMBER: u32 = 2;
pub const VALUE_TEXT: u32 = 3;
pub const VALUE_VECTOR2: u32 = 4;
pub const VALUE_VECTOR3: u32 = 5;

#[repr(C)]
pub struct Argument {
    pub name: *const c_char,
    pub kind: u32,
    pub bytes_max: u32,
    pub minimum: i64,
    pub maximum: i64,
    pub number_minimum: f64,
    pub number_maximum: f64,
}

#[repr(C)]
pub struct Action {
    pub name: *const c_char,
    pub kind: u32,
    pub device_index: u32,
    pub maximum: u32,
    pub arguments: List,
}

#[repr(C)]
pub struct Value {
    pub kind: u32,
    pub text_size: u32,
    pub integer: i64,
    pub numbers: [f64; 3],
    pub text: *const c_char,
}

#[repr(C)]
pub struct Command {
    pub action: u32,
    pub values: List,
}

#[repr(C)]
pub struct Touch {
    pub id: u32,
    pub x: u32,
    pub y: u32,
    pub pressure: u32,
}

#[repr(C)]
pub struct Player {
    pub buttons: u64,
    pub axes: [i16; 8],
    pub keys: [u64; 4],
    pub mouse_buttons: u32,
    pub mouse_x: u32,
    pub mouse_y: u32,
    pub mouse_moved_x: i32,
    pub mouse_moved_y: i32,
    pub wheel_x: i32,
    pub wheel_y: i32,
    pub acceleration_mm_s2: [i32; 3],
    pub angular_velocity_mrad_s: [i32; 3],
    pub text_size: u32,
    pub text: *const c_char,
    pub touches: List,
    pub commands: List,
}

#[repr(C)]
pub struct EventArgument {
    pub name: *const c_char,
    pub kind: u32, // INT64, DOUBLE or OBJECT
    pub integer: i64,
    pub number: f64,
    pub object: u64,
}

#[repr(C)]
pub struct Event {
    pub struct_size: u32, // size_of::<Event>()
    pub kind: *const c_char,
    pub object: u64,
    pub arguments: List,
}

#[repr(C)]
pub struct EventArgumentType {
    pub name: *const c_char,
    pub kind: u32,
    pub unit: *const c_char,
}

#[repr(C)]
pub struct EventType {
    pub name: *const c_char,
    pub when: *const c_char,
    pub arguments: List,
}

#[repr(C)]
pub struct Info {
    pub struct_size: u32,
    pub ticks_per_second: u32,
    pub rules_revision: u32,
    pub player_count: u32,
    pub commands_per_tick_max: u32,
    pub actions: List,
    pub tables: List,
    pub events: List,
    pub names: List,
    pub regions: List,
}

#[repr(C)]
pub struct File {
    pub path: *const c_char,
    pub bytes: *const c_void,
    pub size: u64,
}

#[repr(C)]
pub struct CreateArguments {
    pub struct_size: u32,
    pub pack: *const c_char,
    pub seed: u64,
    pub files: List,
}

#[repr(C)]
pub struct StepArguments {
    pub struct_size: u32,
    pub tick: u64,
    pub players: List,
    pub emit: unsafe extern "C" fn(sink: *mut c_void, event: *const Event),
    pub sink: *mut c_void,
}

pub const RUNNING: u32 = 0;
pub const WON: u32 = 1;
pub const LOST: u32 = 2;

#[repr(C)]
pub struct Outcome {
    pub struct_size: u32,
    pub status: u32,
    pub reason: *const c_char,
}

pub const SPHERE: u32 = 0;
pub const BOX: u32 = 1;
pub const CAPSULE: u32 = 2;
pub const CYLINDER: u32 = 3;
pub const PLANE: u32 = 4;

#[repr(C)]
pub struct Shape {
    pub kind: u32,
    pub position: [f64; 3],
    pub rotation: [f64; 4],
    pub size: [f64; 3],
}

#[repr(C)]
pub struct FrameObject {
    pub struct_size: u32, // size_of::<FrameObject>()
    pub object: u64,
    pub name: *const c_char,
    pub kind: *const c_char,
    pub position: [f64; 3],
    pub rotation: [f64; 4],
    pub shapes: List,
}

#[repr(C)]
pub struct Picture {
    pub struct_size: u32, // size_of::<Picture>()
    pub width: u32,
    pub height: u32,
    pub pixels: *const u8,
}

#[repr(C)]
pub struct FrameArguments {
    pub struct_size: u32,
    pub add: unsafe extern "C" fn(sink: *mut c_void, object: *const FrameObject),
    pub sink: *mut c_void,
    pub show: unsafe extern "C" fn(sink: *mut c_void, picture: *const Picture),
    pub wants_objects: u32,
    pub wants_picture: u32,
}

#[repr(C)]
pub struct Plugin {
    pub struct_size: u32,
    pub interface_version: u32,
    pub name: *const c_char,
    pub create: unsafe extern "C" fn(*const CreateArguments, *mut *mut Simulation, *mut Error) -> i32,
    pub destroy: unsafe extern "C" fn(*mut Simulation),
    pub info: unsafe extern "C" fn(*const Simulation, *mut Info),
    pub step: unsafe extern "C" fn(*mut Simulation, *const StepArguments, *mut Error) -> i32,
    pub rows: unsafe extern "C" fn(*mut Simulation, u32, *mut Rows),
    pub restore: unsafe extern "C" fn(*mut Simulation, *const List, *mut Error) -> i32,
    pub outcome: Option<unsafe extern "C" fn(*const Simulation, *mut Outcome)>,
    pub frame: Option<unsafe extern "C" fn(*const Simulation, *const FrameArguments)>,
    pub object_name: Option<unsafe extern "C" fn(*const Simulation, u64, *mut c_char, u32)>,
}

// Texts that never change.
unsafe impl Sync for Plugin {}

// As a compiler of C has it (tests/plugins/interface/layout.txt).
#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(std::mem::size_of::<List>() == 16);
    assert!(std::mem::size_of::<Error>() == 16);
    assert!(std::mem::size_of::<Field>() == 32);
    assert!(std::mem::size_of::<LegendEntry>() == 16);
    assert!(std::mem::size_of::<Legend>() == 32);
    assert!(std::mem::size_of::<Table>() == 56);
    assert!(std::mem::size_of::<Region>() == 56);
    assert!(std::mem::size_of::<Rows>() == 40);
    assert!(std::mem::size_of::<Argument>() == 48);
    assert!(std::mem::size_of::<Action>() == 40);
    assert!(std::mem::size_of::<Value>() == 48);
    assert!(std::mem::size_of::<Command>() == 24);
    assert!(std::mem::size_of::<Touch>() == 16);
    assert!(std::mem::size_of::<Player>() == 152);
    assert!(std::mem::size_of::<EventArgument>() == 40);
    assert!(std::mem::size_of::<Event>() == 40);
    assert!(std::mem::size_of::<EventArgumentType>() == 24);
    assert!(std::mem::size_of::<EventType>() == 32);
    assert!(std::mem::size_of::<Info>() == 104);
    assert!(std::mem::size_of::<File>() == 24);
    assert!(std::mem::size_of::<CreateArguments>() == 40);
    assert!(std::mem::size_of::<StepArguments>() == 48);
    assert!(std::mem::size_of::<Outcome>() == 16);
    assert!(std::mem::size_of::<Shape>() == 88);
    assert!(std::mem::size_of::<FrameObject>() == 104);
    assert!(std::mem::size_of::<Picture>() == 24);
    assert!(std::mem::size_of::<FrameArguments>() == 40);
    assert!(std::mem::size_of::<Plugin>() == 88);
};
