// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Plays what the page holds: time, camera, keys, what is chosen, and the link
// that leads back to all that.

'use strict';

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
const HELP = [
  ['space', 'play, pause'], ['← →', 'a frame; with shift a second'],
  ['Home End', 'first, last frame'], ['+ −', 'faster, slower'],
  ['n p', 'next, previous event'], ['d', 'the first difference'],
  ['f', 'follow what is chosen'], ['t', 'from above'], ['r', 'see all'],
  [LAYERS.map(layer => layer.key).join(' '),
   LAYERS.map(layer => layer.name).join(', ')],
  ['Esc', 'choose nothing'], ['drag, shift-drag, wheel', 'turn, move, zoom']
];

class Viewer {
  constructor(page) {
    this.page = page;
    this.recordings = page.runs.map((run, i) => new Recording(i, page));
    this.difference = page.difference;
    this.frameCount = Math.max(...this.recordings.map(r => r.frameCount));
    this.frame = 0;
    this.speed = 1;
    this.isPlaying = false;
    this.follows = '';  // or follow, chase, eyes: what is chosen
    this.selected = '';
    this.layers = new Set(['inputs']);
    this.camera = new Camera();
    this.build();
    this.startDrawing();
    this.listen();
  }

  build() {
    this.canvas = make('canvas', {id: 'picture', tabIndex: 0});
    this.title = make('span', {id: 'title'});
    this.state = make('span', {id: 'state'});
    this.clock = make('span', {id: 'clock'});
    this.playButton = make(
        'button', {id: 'play', textContent: '▶', onclick: () => this.toggle()});
    this.speedLabel = make('span', {id: 'speed'});
    const timeline = make('canvas', {id: 'timeline'});
    const tree = make('div', {id: 'tree'});
    const filter = make('input', {id: 'filter', placeholder: 'objects'});
    const inspector = make('div', {id: 'inspector'});
    const watches = make('div', {id: 'watches'});
    this.cameras = new CameraChoice(this);
    const plot = make('canvas', {id: 'plot'});
    const plotLabel = make('div', {id: 'plot-label'});
    this.labels = make('div', {id: 'labels'});
    const pads = make('div', {id: 'pads', hidden: true});
    const step = (text, title, action) =>
        make('button', {textContent: text, title, onclick: action});
    document.body.append(
        make('header', {}, this.title, this.state),
        make('main', {}, this.canvas, this.labels, this.makeLayers(), pads,
             make('aside', {id: 'help', hidden: true})),
        make('section', {id: 'side'}, filter, tree, inspector, watches),
        make('footer', {},
             make('div', {id: 'plot-box', hidden: true}, plotLabel, plot),
             timeline,
             make('nav', {}, this.playButton,
                  step('|◀', 'a frame back', () => this.step(-1)),
                  step('▶|', 'a frame on', () => this.step(1)),
                  step('−', 'slower', () => this.changeSpeed(-1)),
                  this.speedLabel,
                  step('+', 'faster', () => this.changeSpeed(1)),
                  this.clock, this.makeUnmarked(),
                  step('see all', 'r', () => this.seeAll()),
                  this.cameras.box,
                  step('link', 'copy a link to this', () => this.copyLink()),
                  step('?', 'keys', () => this.toggleHelp()))));
    this.timeline = new Timeline(timeline, this);
    this.tree = new Tree(tree, this);
    this.plot = new Plot(plot, plotLabel, this);
    this.inspector = new Inspector(inspector, this);
    this.watches = new Watches(watches, this);
    this.pads = new Pads(pads, this);
    filter.addEventListener('input', () => {
      this.tree.filter = filter.value;
      this.tree.update();
    });
    this.title.textContent =
        this.recordings.map(r => `${r.fileName()} (${r.source.pack})`)
            .join(' | ');
    this.labels.replaceChildren(
        ...(this.recordings.length > 1 ? this.recordings : [])
            .map((r, i) => make('span', {
                   textContent: `${'AB'[i]}: ${r.fileName()}`,
                   title: r.name,
                   style: `color: ${SIDES[i]}`,
                 })));
    document.getElementById('help').append(...HELP.map(
        ([key, text]) => make('p', {}, make('b', {textContent: key}), text)));
    this.changeSpeed(0);
  }

  get isFollowing() {
    return this.follows !== '';
  }
  set isFollowing(isFollowing) {
    this.follows = isFollowing ? 'follow' : '';
  }

  // What the timeline doesn't say.
  makeUnmarked() {
    const count = this.recordings.reduce(
        (sum, {unmarkedEventCount}) => sum + unmarkedEventCount, 0);
    return make('span', {
      id: 'unmarked',
      hidden: count === 0,
      textContent: `${count} events have no mark`,
      title: 'the timeline marks the first 20,000 of a run',
    });
  }

  // A box for each layer; of what no run here has, one that does nothing.
  makeLayers() {
    const has = name => this.recordings.some(recording => {
      if (name === 'contacts') return recording.hasContacts;
      if (name === 'inputs') return recording.inputs.controls.length > 0;
      return recording.guides.some(guide => `${guide.kind}s` === name);
    });
    this.layerBoxes = new Map(LAYERS.map(({name}) => [
      name, make('input', {
        type: 'checkbox',
        id: `layer-${name}`,
        checked: this.layers.has(name) && has(name),
        disabled: !has(name),
        onchange: () => this.toggleLayer(name),
      })
    ]));
    return make('div', {id: 'layers'}, ...LAYERS.map(
        ({name, key, title}) => make(
            'label', {title: `${title} (${key})`}, this.layerBoxes.get(name),
            name)));
  }

  toggleLayer(name) {
    if (this.layerBoxes.get(name).disabled) return;
    this.showLayers(
        LAYERS.map(layer => layer.name)
            .filter(other => this.layers.has(other) !== (other === name)));
    this.writeLink();
    this.draw();
  }

  showLayers(names) {
    this.layers = new Set(names);
    for (const [name, box] of this.layerBoxes) {
      box.checked = this.layers.has(name) && !box.disabled;
    }
  }

  startDrawing() {
    const gl = this.canvas.getContext(
        'webgl2', {antialias: true, preserveDrawingBuffer: true});
    if (!gl) {
      document.querySelector('main').append(make('p', {
        id: 'trouble',
        textContent: 'This browser has no WebGL 2, which draws the picture.',
      }));
      return;
    }
    this.gl = gl;
    const program = makeProgram(gl, VERTEX_SHADER, FRAGMENT_SHADER);
    this.scenes = this.recordings.map(r => new Scene(gl, program, r));
    this.lines = new Lines(gl);
    this.lineList = new LineList();
  }

  // Reads the link, decodes what it shows, and goes on from there.
  async start() {
    await Promise.all(this.recordings.map(r => r.load(0)));
    this.seeAll();
    await this.followLink();
    window.addEventListener('hashchange', () => this.followLink());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    let last = performance.now();
    const tick = now => {
      this.advance((now - last) / 1000);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    document.body.dataset.ready = 'true';
  }

  async followLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    const first = this.difference ? this.difference.tick :
                                    this.recordings[0].source.first_tick;
    const tick = link.has('t') ? Number(link.get('t')) : first;
    if (link.has('l')) this.showLayers(link.get('l').split(' '));
    this.watches.list = [];
    this.plot.lines = [];
    for (const text of link.getAll('w')) this.watches.add(text);
    this.select(link.get('o') || '', true);
    for (const line of link.getAll('p')) this.plotOfLink(line);
    await this.goToFrame(
        this.recordings[0].frameOf(Number.isFinite(tick) ? tick : first));
    for (const name of (link.get('c') || '').split(' ')) {
      if (CAMERAS.some(camera => camera.name === name)) this.cameras.use(name);
    }
    this.writeLink();
  }

  // OBJECT|FIELD, or = and an expression.
  plotOfLink(line) {
    if (line.startsWith('=')) {
      if (this.watches.add(line.slice(1))) this.plot.add('', line);
      return;
    }
    const bar = line.indexOf('|');
    if (bar >= 0) this.plot.add(line.slice(0, bar), line.slice(bar + 1));
  }

  writeLink() {
    const link = new URLSearchParams({t: this.tick()});
    if (this.selected) link.set('o', this.selected);
    // What a page shows at first isn't said.
    const layers = [...this.layers].join(' ');
    if (layers !== 'inputs') link.set('l', layers);
    const cameras = [this.camera.flat, this.follows].filter(name => name);
    if (cameras.length > 0) link.set('c', cameras.join(' '));
    for (const {text} of this.watches.list) link.append('w', text);
    for (const {object, field, tree} of this.plot.lines) {
      link.append('p', tree ? field : `${object}|${field}`);
    }
    history.replaceState(null, '', `#${link}`);
  }

  copyLink() {
    this.writeLink();
    if (navigator.clipboard) {
      navigator.clipboard.writeText(location.href).catch(() => {});
    }
  }

  wholeFrame() {
    return Math.floor(this.frame);
  }
  tick() {
    const {source} = this.recordings[0];
    return source.first_tick + this.wholeFrame() * source.every;
  }

  // Whole frames only; what isn't decoded is, first.
  async goToFrame(frame) {
    frame = Math.max(0, Math.min(this.frameCount - 1, frame));
    this.wanted = frame;
    for (const recording of this.recordings) recording.keep(frame);
    await Promise.all(
        this.recordings.filter(r => frame < r.frameCount).map(async r => {
          await r.load(frame);
          if (frame > 0) await r.load(frame - 1);
        }));
    if (this.wanted !== frame) return;
    this.frame = frame;
    this.draw();
    this.writeLink();
  }

  step(frames) {
    this.pause();
    return this.goToFrame(this.wholeFrame() + frames);
  }

  toggle() {
    if (this.isPlaying) {
      this.pause();
      this.goToFrame(this.wholeFrame());
      return;
    }
    if (this.wholeFrame() === this.frameCount - 1) this.frame = 0;
    this.isPlaying = true;
    this.playButton.textContent = '❚❚';
  }

  pause() {
    this.isPlaying = false;
    this.playButton.textContent = '▶';
  }

  // Time stands still where a chunk isn't decoded yet.
  advance(seconds) {
    if (!this.isPlaying) return;
    const {source} = this.recordings[0];
    // A page that was in the background doesn't make up for it.
    const frames = Math.min(seconds, 0.25) * this.speed * source.tick_rate /
        source.every;
    const next = Math.min(this.frame + frames, this.frameCount - 1);
    for (const recording of this.recordings) {
      const whole = Math.floor(next);
      if (whole >= recording.frameCount) continue;
      const ahead = Math.min(
          whole + this.page.chunk_frames / 2, recording.frameCount - 1);
      recording.keep(next);
      recording.load(ahead);
      if (!recording.find(whole)) {
        recording.load(whole);
        return;
      }
    }
    this.frame = next;
    if (next === this.frameCount - 1) {
      this.pause();
      this.writeLink();
    }
    this.draw();
  }

  changeSpeed(by) {
    const at = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
    this.speedLabel.textContent = `${this.speed}×`;
  }

  goToEvent(direction) {
    const now = this.tick();
    const ticks = this.recordings.flatMap(
        r => [...r.events, ...r.objectives].map(e => e[0]));
    const there = ticks.filter(t => direction > 0 ? t > now : t < now);
    if (there.length === 0) return;
    this.pause();
    const tick = there.reduce(
        (a, b) => direction > 0 ? Math.min(a, b) : Math.max(a, b));
    this.goToFrame(this.recordings[0].frameOf(tick));
  }

  select(name, isByLink) {
    this.selected = name;
    if (!name) this.follows = '';
    if (!isByLink) this.writeLink();
    this.draw();
  }

  typeOf(name) {
    for (const recording of this.recordings) {
      const object = recording.objects.find(o => o.name === name);
      if (object) return object.type;
    }
    return '';
  }

  colourOf(type) {
    for (const {colours} of this.recordings) {
      if (colours[type]) return colours[type];
    }
    return [0.5, 0.5, 0.5];
  }

  // The names of what is elsewhere in the other run by now.
  differentNow() {
    const names = new Set();
    if (!this.difference) return names;
    const now = this.tick();
    for (const [name, since] of Object.entries(this.difference.objects)) {
      if (since <= now) names.add(name);
    }
    return names;
  }

  follow() {
    this.follows = this.follows === '' && this.selected !== '' ? 'follow' : '';
    this.writeLink();
    this.draw();
  }

  toggleTop() {
    this.camera.isTop = !this.camera.isTop;
    this.writeLink();
    this.draw();
  }

  toggleHelp() {
    const help = document.getElementById('help');
    help.hidden = !help.hidden;
  }

  // Turns the camera to the middle of what moves or is finite.
  seeAll() {
    const places = [];
    const pose = new Float64Array(7);
    const [recording] = this.recordings;
    const frame = Math.min(this.wholeFrame(), recording.frameCount - 1);
    for (const index of recording.objectsAt(frame)) {
      const {parts} = recording.objects[index];
      const isPlane =
          parts.some(p => recording.geometries[p[0]].name === 'plane');
      if (parts.length === 0 || isPlane) continue;
      if (recording.readPose(index, frame, pose)) places.push([...pose]);
    }
    if (places.length === 0) places.push([0, 0, 0]);
    // Half of them on either side: one that is far away moves nothing.
    const middle = [0, 1, 2].map(axis => {
      const sorted = places.map(p => p[axis]).sort((a, b) => a - b);
      return sorted[sorted.length >> 1];
    });
    const reach = places.map(p => Math.hypot(...middle.map((m, i) => p[i] - m)))
                      .sort((a, b) => a - b);
    this.camera.target = middle;
    const [box] = this.boxes();
    const narrow = Math.max(1, 1.2 * box.height / box.width);
    this.camera.distance = Math.max(
        4, 2.6 * narrow * reach[Math.floor(0.95 * (reach.length - 1))]);
    this.isFollowing = false;
    this.draw();
  }

  boxes() {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const count = this.recordings.length;
    const part = Math.floor(width / count);
    return this.recordings.map((r, i) => ({
                                 x: i * part,
                                 y: 0,
                                 width: part - (i < count - 1 ? 2 : 0),
                                 height,
                                 ground: [0.11, 0.12, 0.15, 1],
                               }));
  }

  draw() {
    this.drawPicture();
    this.timeline.draw();
    this.plot.draw();
    this.tree.update();
    this.inspector.update();
    this.watches.update();
    this.cameras.update();
    this.pads.update();
    const {source} = this.recordings[0];
    const tick = this.tick();
    this.clock.textContent =
        `tick ${tick} · ${(tick / source.tick_rate).toFixed(2)} s`;
    this.state.textContent =
        this.recordings.map(r => r.digestAt(this.wholeFrame())).join(' | ');
    this.state.style.color =
        this.difference && tick >= this.difference.tick ? DIFFERENT : '';
    this.state.title = this.difference ? this.difference.lines.join('\n') :
                                         'digest of the state';
  }

  drawPicture() {
    if (!this.gl) return;
    if (this.isFollowing) this.cameras.keepInSight();
    const different = this.differentNow();
    this.boxes().forEach((box, i) => {
      const scene = this.scenes[i];
      const {recording} = scene;
      const frame = Math.min(this.frame, recording.frameCount - 1);
      const outlined = this.outlinedAt(recording, frame);
      scene.draw(
          frame, this.camera, box,
          (object, index) => outlined.has(index) || this.cameras.isEye(object) ?
              null :
              {
                colour: different.has(object.name) ?
                    [0.9, 0.22, 0.23] :
                    recording.colours[object.type],
                kind: object.name === this.selected ? 1 : 0,
              });
      gatherLines(
          recording, this.layers, frame, UNIT_PART * this.camera.distance,
          this.lineList);
      this.lines.draw(
          this.lineList, this.camera.matrix(box.width / box.height), box,
          window.devicePixelRatio || 1);
    });
  }

  // The triggers that are lines, and nothing else.
  outlinedAt(recording, frame) {
    if (!this.layers.has('triggers')) return new Set();
    return new Set(recording.guidesAt(Math.floor(frame))
                       .map(guide => guide.object)
                       .filter(index => index >= 0));
  }

  // The name of what is at a place of the canvas, in its pixels as styles count
  // them; empty where nothing is. Draws numbers in place of colours.
  pick(x, y) {
    if (!this.gl) return '';
    const {gl} = this;
    const ratio = this.canvas.width / this.canvas.clientWidth;
    const at = [Math.floor(x * ratio), Math.floor(y * ratio)];
    const boxes = this.boxes();
    const side = boxes.findIndex(box => at[0] < box.x + box.width);
    if (side < 0) return '';
    const scene = this.scenes[side];
    const frame = Math.min(this.frame, scene.recording.frameCount - 1);
    const outlined = this.outlinedAt(scene.recording, frame);
    const antialiased = gl.createFramebuffer();
    const target = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, target);
    gl.texStorage2D(
        gl.TEXTURE_2D, 1, gl.RGBA8, this.canvas.width, this.canvas.height);
    const depth = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
    gl.renderbufferStorage(
        gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, this.canvas.width,
        this.canvas.height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, antialiased);
    gl.framebufferTexture2D(
        gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0);
    gl.framebufferRenderbuffer(
        gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
    scene.draw(
        frame, this.camera, {...boxes[side], ground: [0, 0, 0, 0]},
        (object, index) => {
          if (outlined.has(index) || this.cameras.isEye(object)) return null;
          const number = index + 1;
          const bytes = [number & 255, number >> 8 & 255, number >> 16 & 255];
          return {colour: bytes.map(byte => byte / 255), kind: 3};
        });
    const pixel = new Uint8Array(4);
    gl.readPixels(
        at[0], this.canvas.height - 1 - at[1], 1, 1, gl.RGBA, gl.UNSIGNED_BYTE,
        pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(antialiased);
    gl.deleteTexture(target);
    gl.deleteRenderbuffer(depth);
    const number = pixel[0] + 256 * pixel[1] + 65536 * pixel[2];
    return number === 0 ? '' : scene.recording.objects[number - 1].name;
  }

  listen() {
    window.addEventListener('keydown', event => this.onKey(event));
    const {canvas} = this;
    let moved = 0;
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId);
      moved = 0;
    });
    canvas.addEventListener('pointermove', event => {
      if (event.buttons === 0) return;
      const {movementX: dx, movementY: dy} = event;
      moved += Math.abs(dx) + Math.abs(dy);
      if (event.shiftKey || event.buttons !== 1 || this.camera.flat) {
        this.camera.move(dx, dy, canvas.clientHeight);
        this.isFollowing = false;
      } else {
        this.camera.turn(dx, dy);
      }
      this.draw();
    });
    canvas.addEventListener('pointerup', event => {
      // A hand trembles by a pixel or two.
      if (moved > 3 || event.button !== 0) return;
      const box = canvas.getBoundingClientRect();
      this.select(this.pick(event.clientX - box.left, event.clientY - box.top));
    });
    canvas.addEventListener('contextmenu', event => event.preventDefault());
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.camera.zoom(Math.exp(0.001 * event.deltaY));
      this.draw();
    }, {passive: false});
  }

  onKey(event) {
    const isTyping = event.target.tagName === 'SELECT' ||
        event.target.tagName === 'INPUT' && event.target.type !== 'checkbox';
    if (isTyping || event.ctrlKey || event.metaKey) return;
    const {source} = this.recordings[0];
    const second = Math.max(1, Math.round(source.tick_rate / source.every));
    const actions = {
      ' ': () => this.toggle(),
      'ArrowLeft': () => this.step(event.shiftKey ? -second : -1),
      'ArrowRight': () => this.step(event.shiftKey ? second : 1),
      'Home': () => this.step(-this.frameCount),
      'End': () => this.step(this.frameCount),
      '+': () => this.changeSpeed(1),
      '-': () => this.changeSpeed(-1),
      'n': () => this.goToEvent(1),
      'p': () => this.goToEvent(-1),
      'd': () => this.difference && this.step(
                     this.recordings[0].frameOf(this.difference.tick) -
                     this.wholeFrame()),
      'f': () => this.follow(),
      't': () => this.toggleTop(),
      'r': () => this.seeAll(),
      '?': () => this.toggleHelp(),
      'Escape': () => this.select(''),
    };
    for (const {name, key} of LAYERS) actions[key] = () => this.toggleLayer(name);
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

// For tests and for who looks closer: everything there is.
window.viewer =
    new Viewer(JSON.parse(document.getElementById('page').textContent));
window.viewer.start();
