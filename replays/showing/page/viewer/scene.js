// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Draws the objects of a run with WebGL 2: each geometry once, as many times as
// there are shapes of it, in one sun.

const VERTEX_SHADER = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 row0;
layout(location = 3) in vec4 row1;
layout(location = 4) in vec4 row2;
layout(location = 5) in vec4 colour;
layout(location = 6) in vec3 scale;
uniform mat4 camera;
out vec3 world;
out vec3 facing;
flat out vec4 paint;
void main() {
  vec4 p = vec4(position * scale, 1.0);
  // Rows are a rotation, so what is scaled turns its normal by the inverse.
  vec3 n = normal / scale;
  world = vec3(dot(row0, p), dot(row1, p), dot(row2, p));
  facing = vec3(dot(row0.xyz, n), dot(row1.xyz, n), dot(row2.xyz, n));
  paint = colour;
  gl_Position = camera * vec4(world, 1.0);
}`;

// The fourth part of a colour: 0 as it is, 1 chosen, 2 ground with lines a
// metre apart, 3 a number to be picked.
const FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec3 world;
in vec3 facing;
flat in vec4 paint;
uniform vec3 eye;
out vec4 pixel;
void main() {
  if (paint.a > 2.5) {
    pixel = vec4(paint.rgb, 1.0);
    return;
  }
  vec3 n = normalize(facing);
  if (!gl_FrontFacing) n = -n;
  vec3 sun = normalize(vec3(0.4, 0.8, 0.45));
  float light = 0.42 + 0.18 * n.y + 0.45 * max(dot(n, sun), 0.0);
  vec3 colour = paint.rgb;
  if (paint.a > 1.5) {
    vec2 cell = abs(fract(world.xz - 0.5) - 0.5) / fwidth(world.xz);
    float line = 1.0 - min(min(cell.x, cell.y), 1.0);
    float far = clamp(1.0 - distance(world, eye) / 60.0, 0.0, 1.0);
    colour = mix(colour * 0.25 + 0.1, colour * 0.5 + 0.1, line * far);
  } else if (paint.a > 0.5) {
    float rim = 1.0 - abs(dot(n, normalize(eye - world)));
    colour = mix(colour, vec3(1.0), 0.35 + 0.5 * rim);
  }
  pixel = vec4(colour * light, 1.0);
}`;

// A line is a strip as wide on the screen as it is told, with square ends: one
// that leads nowhere is a dot. What is behind the eye is cut off.
const LINE_VERTEX_SHADER = `#version 300 es
layout(location = 0) in vec3 start;
layout(location = 1) in vec3 end;
layout(location = 2) in vec4 paint;
uniform mat4 camera;
uniform vec2 size;
flat out vec3 colour;
void main() {
  vec4 a = camera * vec4(start, 1.0);
  vec4 b = camera * vec4(end, 1.0);
  float inA = a.z + a.w;
  float inB = b.z + b.w;
  colour = paint.rgb;
  if (inA <= 0.0 && inB <= 0.0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  if (inA < 0.0) a = mix(a, b, 1.001 * inA / (inA - inB));
  if (inB < 0.0) b = mix(b, a, 1.001 * inB / (inB - inA));
  vec2 way = (b.xy / b.w - a.xy / a.w) * size;
  vec2 along = length(way) > 0.001 ? normalize(way) : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  bool isEnd = gl_VertexID == 1 || gl_VertexID == 2 || gl_VertexID == 4;
  bool isLeft = gl_VertexID == 2 || gl_VertexID == 4 || gl_VertexID == 5;
  vec4 p = isEnd ? b : a;
  vec2 corner = (isEnd ? along : -along) + (isLeft ? across : -across);
  p.xy += corner * paint.a / size * p.w;
  // What it lies on doesn't hide it.
  p.z -= 0.0003 * p.w;
  gl_Position = p;
}`;

const LINE_FRAGMENT_SHADER = `#version 300 es
precision highp float;
flat in vec3 colour;
uniform float opacity;
out vec4 pixel;
void main() { pixel = vec4(colour * opacity, opacity); }`;

// Of what lies behind something.
const HIDDEN_OPACITY = 0.3;

const INSTANCE_FLOATS = 19;  // three rows, a colour, a scale

function compile(gl, type, source) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
    throw new Error(gl.getShaderInfoLog(shader));
  }
  return shader;
}

function makeProgram(gl, vertexShader, fragmentShader) {
  const program = gl.createProgram();
  gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, vertexShader));
  gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, fragmentShader));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    throw new Error(gl.getProgramInfoLog(program));
  }
  return program;
}

// The products of rotations as quaternions, and of one with a point.
function multiply(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

function rotate(q, x, y, z) {
  const tx = 2 * (q[1] * z - q[2] * y);
  const ty = 2 * (q[2] * x - q[0] * z);
  const tz = 2 * (q[0] * y - q[1] * x);
  return [
    x + q[3] * tx + q[1] * tz - q[2] * ty,
    y + q[3] * ty + q[2] * tx - q[0] * tz,
    z + q[3] * tz + q[0] * ty - q[1] * tx,
  ];
}

// Whether a shape is what others stand on: so large in two directions that its
// colour would be all there is to see.
const GROUND_M = 12;
function isGround(part) {
  return part.slice(8, 11).filter(size => size > GROUND_M).length >= 2;
}

// One geometry, and room for the shapes that have it.
class Batch {
  constructor(gl, geometry) {
    this.gl = gl;
    this.isPlane = geometry.name === 'plane';
    this.data = new Float32Array(INSTANCE_FLOATS * 16);
    this.count = 0;
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    const positions = this.fill(0, geometry.positions);
    this.fill(1, geometry.normals);
    this.vertexCount = positions.length / 3;
    this.instances = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
    const sizes = [4, 4, 4, 4, 3];
    let offset = 0;
    sizes.forEach((size, i) => {
      gl.enableVertexAttribArray(2 + i);
      gl.vertexAttribPointer(
          2 + i, size, gl.FLOAT, false, 4 * INSTANCE_FLOATS, offset);
      gl.vertexAttribDivisor(2 + i, 1);
      offset += 4 * size;
    });
  }

  fill(location, base64) {
    const {gl} = this;
    const values = new Float32Array(bytesOfBase64(base64).buffer);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0);
    return values;
  }

  // A shape of the object at `pose`. `part` is as view_page.cc writes it.
  add(pose, part, colour, kind) {
    if (this.data.length < INSTANCE_FLOATS * (this.count + 1)) {
      const larger = new Float32Array(2 * this.data.length);
      larger.set(this.data);
      this.data = larger;
    }
    const turn = [pose[3], pose[4], pose[5], pose[6]];
    const at = rotate(turn, part[1], part[2], part[3]);
    const [x, y, z, w] = multiply(turn, part.slice(4, 8));
    this.data.set(
        [
          1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
          pose[0] + at[0],
          2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
          pose[1] + at[1],
          2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
          pose[2] + at[2],
          colour[0], colour[1], colour[2],
          kind === 0 && (this.isPlane || isGround(part)) ? 2 : kind,
          part[8] || 1e-6, part[9] || 1e-6, part[10] || 1e-6,
        ],
        INSTANCE_FLOATS * this.count++);
  }

  draw() {
    if (this.count === 0 || this.vertexCount === 0) return;
    const {gl} = this;
    gl.bindVertexArray(this.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
    gl.bufferData(
        gl.ARRAY_BUFFER, this.data.subarray(0, INSTANCE_FLOATS * this.count),
        gl.DYNAMIC_DRAW);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, this.vertexCount, this.count);
  }
}

// Lines over a picture: as they are where they are seen, faint elsewhere.
class Lines {
  constructor(gl) {
    this.gl = gl;
    this.program = makeProgram(gl, LINE_VERTEX_SHADER, LINE_FRAGMENT_SHADER);
    this.vao = gl.createVertexArray();
    this.buffer = gl.createBuffer();
    gl.bindVertexArray(this.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    [[3, 0], [3, 12], [4, 24]].forEach(([size, offset], i) => {
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, size, gl.FLOAT, false, 40, offset);
      gl.vertexAttribDivisor(i, 1);
    });
  }

  // `list` is a LineList; `ratio` is of pixels of the screen to those of styles.
  draw(list, matrix, box, ratio) {
    if (list.count === 0) return;
    const {gl, program} = this;
    gl.bindVertexArray(this.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(
        gl.ARRAY_BUFFER, list.data.subarray(0, 10 * list.count),
        gl.DYNAMIC_DRAW);
    gl.useProgram(program);
    gl.uniformMatrix4fv(gl.getUniformLocation(program, 'camera'), false, matrix);
    gl.uniform2f(
        gl.getUniformLocation(program, 'size'), box.width / ratio,
        box.height / ratio);
    const opacity = gl.getUniformLocation(program, 'opacity');
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    for (const [depth, part] of [
           [gl.GREATER, HIDDEN_OPACITY], [gl.LEQUAL, 1]
         ]) {
      gl.depthFunc(depth);
      gl.uniform1f(opacity, part);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, 6, list.count);
    }
    gl.depthFunc(gl.LESS);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}

class Scene {
  constructor(gl, program, recording) {
    this.gl = gl;
    this.program = program;
    this.recording = recording;
    this.batches = recording.geometries.map(g => new Batch(gl, g));
  }

  // Draws a frame into a part of the canvas. `paintOf` gives an object's colour
  // and kind, or null for what isn't shown.
  draw(frame, camera, box, paintOf) {
    const {gl, recording} = this;
    for (const batch of this.batches) batch.count = 0;
    const pose = new Float64Array(7);
    for (const index of recording.objectsAt(Math.floor(frame))) {
      if (!recording.readPose(index, frame, pose)) continue;
      const object = recording.objects[index];
      const paint = paintOf(object, index);
      if (!paint) continue;
      for (const part of object.parts) {
        this.batches[part[0]].add(pose, part, paint.colour, paint.kind);
      }
    }
    gl.viewport(box.x, box.y, box.width, box.height);
    gl.scissor(box.x, box.y, box.width, box.height);
    gl.enable(gl.SCISSOR_TEST);
    gl.enable(gl.DEPTH_TEST);
    gl.clearColor(...box.ground);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(
        gl.getUniformLocation(this.program, 'camera'), false,
        camera.matrix(box.width / box.height));
    gl.uniform3fv(
        gl.getUniformLocation(this.program, 'eye'), camera.eye());
    for (const batch of this.batches) batch.draw();
  }
}

// Where a camera without perspective stands, as turns around y and up.
const FLAT_TURNS = {
  top: {yaw: 0, pitch: Math.PI / 2 - 1e-4},
  front: {yaw: 0, pitch: 0},
  side: {yaw: Math.PI / 2, pitch: 0},
};

// Looks at a point from a distance; along an axis without perspective, too.
class Camera {
  constructor() {
    this.target = [0, 0, 0];
    this.yaw = 0.7;
    this.pitch = 0.5;
    this.distance = 20;
    this.flat = '';  // of FLAT_TURNS
  }

  get isTop() {
    return this.flat === 'top';
  }
  set isTop(isTop) {
    this.flat = isTop ? 'top' : '';
  }

  // From what it looks at to its eye, as long as one.
  back() {
    const {yaw, pitch} = this.flat ? FLAT_TURNS[this.flat] : this;
    return [
      Math.cos(pitch) * Math.sin(yaw),
      Math.sin(pitch),
      Math.cos(pitch) * Math.cos(yaw),
    ];
  }

  eye() {
    return along(this.target, this.back(), this.distance);
  }

  // Puts the eye there; it looks where it did.
  placeEye(eye) {
    this.target = along(eye, this.back(), -this.distance);
  }

  // The unit vectors to the right, up and back of what it sees.
  axes() {
    const eye = this.eye();
    const back = unit(eye.map((value, i) => value - this.target[i]));
    const right = unit(cross([0, 1, 0], back));
    return {right, up: cross(back, right), back};
  }

  // World to clip space, column by column.
  matrix(aspect) {
    const eye = this.eye();
    const {right, up, back} = this.axes();
    const rows = [right, up, back].map(axis => [...axis, -dot(axis, eye)]);
    const near = this.distance / 200;
    const far = this.distance * 40 + 1000;
    const half = Math.tan(0.4);
    let projection;
    if (this.flat) {
      const height = this.distance * half;
      projection = [
        1 / (height * aspect), 0, 0, 0, 0, 1 / height, 0, 0, 0, 0,
        -2 / (far - near), -(far + near) / (far - near), 0, 0, 0, 1
      ];
    } else {
      projection = [
        1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0, 0, 0,
        -(far + near) / (far - near), -2 * far * near / (far - near), 0, 0, -1,
        0
      ];
    }
    const view = [...rows[0], ...rows[1], ...rows[2], 0, 0, 0, 1];
    const matrix = new Float32Array(16);
    for (let row = 0; row < 4; ++row) {
      for (let column = 0; column < 4; ++column) {
        let sum = 0;
        for (let i = 0; i < 4; ++i) {
          sum += projection[4 * row + i] * view[4 * i + column];
        }
        matrix[4 * column + row] = sum;
      }
    }
    return matrix;
  }

  turn(dx, dy) {
    this.yaw -= 0.008 * dx;
    this.pitch = Math.max(-1.5, Math.min(1.5, this.pitch + 0.008 * dy));
  }

  // By pixels of a picture so high.
  move(dx, dy, height) {
    const {right, up} = this.axes();
    const metres = 2 * this.distance * Math.tan(0.4) / height;
    for (let i = 0; i < 3; ++i) {
      this.target[i] += metres * (dy * up[i] - dx * right[i]);
    }
  }

  zoom(factor) {
    this.distance = Math.max(0.05, Math.min(1e6, this.distance * factor));
  }
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
function cross(a, b) {
  return [
    a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0]
  ];
}
function unit(a) {
  const length = Math.hypot(...a) || 1;
  return a.map(value => value / length);
}
