import {
  AxesHelper,
  Color,
  GridHelper,
  Group,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Scene,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import {
  boxOf,
  type Companion,
  describeTrack,
  eachFrame,
  fastestOf,
  h,
  markFinder,
  orientationAt,
  type Palette,
  type PoseTrack,
  pointAt,
  type SceneBox,
  speedColour,
  type TimelineMark,
  type View,
} from '#quality/report/timeline';

export type Colouring = 'speed' | 'flags';

export interface PoseSceneOptions {
  readonly tracks: readonly PoseTrack[];
  /** Called with the time of the point under the pointer; `null` if there is none. */
  readonly onPoint: (time_s: number | null) => void;
  /** Called with the time of a point that is clicked. */
  readonly onSeek: (time_s: number) => void;
  /** Called when the browser takes the graphics away. */
  readonly onLost: () => void;
}

/** Maximum distance from a path at which the pointer means one of its points. */
const reach_px = 24;
/** Movement of the pointer from which a click is a drag. */
const minDrag_px = 5;
/** Turn per press of an arrow key. */
const turn_rad = Math.PI / 18;
const zoomFactor = 1.2;
const keyHelp = '3D view. Arrow keys turn it, plus and minus zoom, zero resets the view.';
/** Room around the scene, as a factor of its size. */
const margin = 1.05;
const startDirection = new Vector3(0.9, -1.2, 0.8).normalize();

/** Height of a name in the scene. */
const nameHeight_px = 15;
const axisColours = ['#e0524f', '#3d9a4a', '#4f82e6'] as const;

/** Place on the canvas; a depth of more than 1 is out of sight. */
type Pixel = readonly [x: number, y: number, depth: number];

/** Drawing style of a part of the path. */
interface Look {
  readonly colour: Color;
  readonly isMarked: boolean;
}

/** A pose in the scene: its place and axes at the cursor, and its name beside them. */
interface Marker {
  readonly track: PoseTrack;
  readonly dot: Mesh<SphereGeometry, MeshBasicMaterial>;
  readonly axes: AxesHelper;
  readonly label: HTMLElement;
}

/** Paths of poses in space, in step with a timeline: hover to read, click to seek, drag to turn. Draws only on changes. */
export class PoseScene implements Companion {
  readonly element: HTMLElement;
  readonly #options: PoseSceneOptions;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(40, 1, 0.01, 100);
  readonly #controls: OrbitControls;
  readonly #paths = new Group();
  readonly #ground = new Group();
  readonly #markers: readonly Marker[];
  readonly #axisLabels: readonly HTMLElement[];
  readonly #lines = [3, 6].map((linewidth) => new LineMaterial({ vertexColors: true, linewidth }));
  readonly #canvas: HTMLCanvasElement;
  readonly #observer: ResizeObserver;
  readonly #render: () => void;
  /** Box around all that is shown; it is drawn around 0 with size 1. */
  #box: SceneBox = boxOf([]);
  #axesAt = new Vector3();
  #marks: readonly TimelineMark[] = [];
  #colouring: Colouring = 'speed';
  #hidden: ReadonlySet<string> = new Set();
  #drawn: readonly [View, Palette, number | null] | null = null;
  #time_s: number | null = null;
  #pressed: readonly [x: number, y: number] | null = null;

  /** @throws if the browser has no WebGL. */
  constructor(options: PoseSceneOptions) {
    this.#options = options;
    const label = options.tracks.map(describeTrack).join('. ');
    this.#canvas = h('canvas', { class: 'pose-canvas', role: 'img', 'aria-label': label });
    this.#renderer = new WebGLRenderer({ canvas: this.#canvas, antialias: true, alpha: true });
    this.#renderer.setClearColor(0, 0);
    this.#markers = options.tracks.map(createMarker);
    this.#axisLabels = ['x', 'y', 'z'].map((axis) => h('span', { class: 'pose-axis' }, axis));
    this.element = h(
      'div',
      { class: 'pose-plot', tabindex: 0, role: 'application', 'aria-label': keyHelp },
      this.#canvas,
      h(
        'div',
        { class: 'pose-labels', 'aria-hidden': 'true' },
        this.#axisLabels,
        this.#markers.map(({ label: each }) => each),
      ),
    );
    this.#scene.add(this.#ground, this.#paths, ...this.#markers.flatMap(({ dot, axes }) => [dot, axes]));
    this.#camera.up.set(0, 0, 1);
    this.#controls = new OrbitControls(this.#camera, this.#canvas);
    this.#render = eachFrame(() => this.#renderNow());
    this.#controls.addEventListener('change', this.#render);
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(this.element);
    this.#place();
    this.reset();
    this.#listen();
  }

  /** Frees the graphics. */
  close(): void {
    this.#observer.disconnect();
    this.#controls.dispose();
    this.#clear(this.#paths);
    this.#clear(this.#ground);
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }

  /** Sets the spans that flags mark. */
  setMarks(marks: readonly TimelineMark[]): void {
    this.#marks = marks;
  }

  /** Colours the paths by speed or by flags, and draws them again. */
  setColouring(colouring: Colouring): void {
    this.#colouring = colouring;
    this.#redraw();
  }

  /** Hides the poses with these labels. */
  setHidden(hidden: ReadonlySet<string>): void {
    this.#hidden = hidden;
    this.#place();
    this.#redraw();
    this.read(this.#time_s);
  }

  /** Shows everything from the first direction. */
  reset(): void {
    const { low, centre, size, ground } = this.#box;
    const bottom = Math.min(ground, low[2]);
    const radius = Math.hypot(centre[0] - low[0], centre[1] - low[1], centre[2] - bottom) / size;
    const half_rad = (this.#camera.fov * Math.PI) / 360;
    const narrowest_rad = Math.atan(Math.tan(half_rad) * Math.min(1, this.#camera.aspect));
    const distance = (margin * Math.max(radius, 0.3)) / Math.sin(narrowest_rad);
    this.#controls.target.set(0, 0, 0);
    this.#camera.position.copy(startDirection).multiplyScalar(distance);
    this.#controls.update();
    this.#render();
  }

  get #visible(): readonly PoseTrack[] {
    return this.#options.tracks.filter(({ pose }) => !this.#hidden.has(pose.label));
  }

  /** Fits the scene to what is visible. The axes are at the origin if it is near, else at a corner of the ground. */
  #place(): void {
    this.#box = boxOf(this.#visible);
    const { low, ground, step } = this.#box;
    const isOriginNear = this.#toScene([0, 0, 0]).length() < 1.2;
    const corner = [...[low[0], low[1]].map((value) => Math.floor(value / step) * step), ground];
    this.#axesAt = this.#toScene(isOriginNear ? [0, 0, 0] : corner);
  }

  /** Converts a place of the recording, with z up, to the scene. */
  #toScene(place: ArrayLike<number>, at = 0): Vector3 {
    const { centre, size } = this.#box;
    return new Vector3(place[at], place[at + 1], place[at + 2])
      .sub(new Vector3(...centre))
      .divideScalar(size);
  }

  /** Draws all visible paths; parts outside of the time range of `view` are faded. `chosen` is the highlighted flag. */
  draw(view: View, palette: Palette, chosen: number | null): void {
    this.#drawn = [view, palette, chosen];
    this.#clear(this.#paths);
    const find = this.#colouring === 'flags' ? markFinder(this.#marks, chosen) : null;
    const fastest = fastestOf(this.#visible);
    const faded = new Color(palette.ground);
    const plain = new Color(palette['line-strong']);
    const lookAt = ({ speed, time_s }: PoseTrack, i: number): Look => {
      const mark = find?.(time_s[i - 1], time_s[i]);
      const colour = plain.clone();
      if (mark !== undefined)
        colour.set(palette[mark.severity === 'blocking' ? 'reject-fill' : 'review-fill']);
      else if (find === null)
        colour.set(`rgb(${speedColour(fastest > 0 ? speed[i] / fastest : 0).join(',')})`);
      const isInView = time_s[i] >= view.from && time_s[i - 1] <= view.to;
      return { colour: isInView ? colour : colour.lerp(faded, 0.75), isMarked: mark !== undefined };
    };
    for (const track of this.#visible) this.#addPath(track, lookAt);
    this.#drawGround(palette);
    for (const { dot } of this.#markers) dot.material.color.set(palette.accent);
    this.#render();
  }

  #redraw(): void {
    if (this.#drawn !== null) this.draw(...this.#drawn);
  }

  /** Adds the line of a track; marked parts are thicker. */
  #addPath(track: PoseTrack, lookAt: (track: PoseTrack, i: number) => Look): void {
    const parts = this.#lines.map(() => ({ places: [] as number[], colours: [] as number[] }));
    for (let i = 1; i < track.time_s.length; i++) {
      if (track.starts.has(i)) continue;
      const { colour, isMarked } = lookAt(track, i);
      const { places, colours } = parts[isMarked ? 1 : 0];
      for (const at of [i - 1, i]) {
        places.push(...this.#toScene(track.places, 3 * at).toArray());
        colours.push(colour.r, colour.g, colour.b);
      }
    }
    for (const [k, { places, colours }] of parts.entries()) {
      if (places.length === 0) continue;
      const geometry = new LineSegmentsGeometry().setPositions(places).setColors(colours);
      this.#paths.add(new LineSegments2(geometry, this.#lines[k]));
    }
  }

  #drawGround(palette: Palette): void {
    this.#clear(this.#ground);
    const { step, size, centre, ground } = this.#box;
    const cells = 2 * Math.ceil((0.75 * size) / step);
    const colour = new Color(palette.line);
    const grid = new GridHelper((cells * step) / size, cells, colour, colour);
    grid.rotation.x = Math.PI / 2;
    const [x, y] = [centre[0], centre[1]].map((value) => Math.round(value / step) * step);
    grid.position.copy(this.#toScene([x, y, ground]));
    const axes = createAxes(step / size);
    axes.position.copy(this.#axesAt);
    if (this.#isZDown) axes.rotation.x = Math.PI;
    this.#ground.add(grid, axes);
  }

  get #isZDown(): boolean {
    return this.#visible[0]?.pose.z_axis === 'down';
  }

  #clear(group: Group): void {
    for (const child of [...group.children]) {
      group.remove(child);
      if (child instanceof LineSegments2 || child instanceof Mesh) child.geometry.dispose();
      if (child instanceof GridHelper || child instanceof AxesHelper) child.dispose();
    }
  }

  /** Moves the markers to a time; `null` hides them. */
  read(time_s: number | null): void {
    this.#time_s = time_s;
    for (const { track, dot, axes, label } of this.#markers) {
      const isShown = time_s !== null && !this.#hidden.has(track.pose.label);
      const at = isShown ? pointAt(track, time_s) : null;
      const turn = at === null ? null : orientationAt(track, at);
      dot.visible = at !== null;
      axes.visible = turn !== null;
      label.hidden = at === null;
      if (at === null) continue;
      dot.position.copy(this.#toScene(track.places, 3 * at));
      axes.position.copy(dot.position);
      if (turn !== null) axes.quaternion.set(...turn);
    }
    this.#render();
  }

  #renderNow(): void {
    this.#renderer.render(this.#scene, this.#camera);
    this.#moveNames();
    const sign = this.#isZDown ? -1 : 1;
    for (const [axis, label] of this.#axisLabels.entries()) {
      const end = [0, 0, 0];
      end[axis] = ((axis === 0 ? 1 : sign) * (1.25 * this.#box.step)) / this.#box.size;
      this.#moveLabel(label, this.#toPixels(new Vector3(...end).add(this.#axesAt)), true);
    }
  }

  /** Moves the names to their markers, from top to bottom; one that would cover another is moved below it. */
  #moveNames(): void {
    const names = this.#markers.map(({ dot, label }) => ({ label, dot, at: this.#toPixels(dot.position) }));
    let above = Number.NEGATIVE_INFINITY;
    for (const { label, dot, at } of names.sort((a, b) => a.at[1] - b.at[1])) {
      const [x, y, depth] = at;
      const lowest = dot.visible ? Math.max(y, above + nameHeight_px) : y;
      this.#moveLabel(label, [x, lowest, depth], dot.visible);
      if (dot.visible) above = lowest;
    }
  }

  #moveLabel(label: HTMLElement, [x, y, depth]: Pixel, isShown: boolean): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    label.hidden = !isShown || depth > 1 || x < 0 || y < 0 || x > width || y > height;
    label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  #toPixels(place: Vector3): Pixel {
    const { x, y, z } = place.clone().project(this.#camera);
    return [((x + 1) / 2) * this.#canvas.clientWidth, ((1 - y) / 2) * this.#canvas.clientHeight, z];
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0 || height === 0) return;
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    this.#render();
  }

  #listen(): void {
    const canvas = this.#canvas;
    canvas.addEventListener('webglcontextlost', () => this.#options.onLost());
    this.element.addEventListener('keydown', (event) => this.#key(event));
    // A wheel without Ctrl scrolls the page, as over the timeline.
    this.element.addEventListener('wheel', (event) => event.ctrlKey || event.stopImmediatePropagation(), {
      capture: true,
    });
    canvas.addEventListener('pointerdown', ({ offsetX, offsetY }) => {
      this.#pressed = [offsetX, offsetY];
    });
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons === 0) this.#options.onPoint(this.#timeAt(event));
    });
    canvas.addEventListener('pointerleave', () => this.#options.onPoint(null));
    canvas.addEventListener('click', (event) => {
      const [x, y] = this.#pressed ?? [event.offsetX, event.offsetY];
      const time_s = this.#timeAt(event);
      if (Math.hypot(event.offsetX - x, event.offsetY - y) < minDrag_px && time_s !== null)
        this.#options.onSeek(time_s);
    });
  }

  /** Returns the time of the point of a path nearest to the pointer; `null` if none is near. */
  #timeAt({ offsetX, offsetY }: MouseEvent): number | null {
    let [best, distance] = [null as number | null, reach_px];
    for (const track of this.#visible)
      for (let i = 0; i < track.time_s.length; i++) {
        const [x, y] = this.#toPixels(this.#toScene(track.places, 3 * i));
        const away = Math.hypot(x - offsetX, y - offsetY);
        if (away < distance) [best, distance] = [track.time_s[i], away];
      }
    return best;
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.#turn(-turn_rad, 0),
      ArrowRight: () => this.#turn(turn_rad, 0),
      ArrowUp: () => this.#turn(0, -turn_rad),
      ArrowDown: () => this.#turn(0, turn_rad),
      '+': () => this.#turn(0, 0, 1 / zoomFactor),
      '-': () => this.#turn(0, 0, zoomFactor),
      0: () => this.reset(),
    };
    const act = actions[event.key];
    if (act === undefined) return;
    event.preventDefault();
    // The player around the view uses the same keys.
    event.stopPropagation();
    act();
  }

  /** Turns the camera around the scene by angles about the vertical and towards the ground, and multiplies its distance. */
  #turn(around: number, down: number, factor = 1): void {
    const { target } = this.#controls;
    const offset = this.#camera.position.clone().sub(target);
    const distance = offset.length() * factor;
    const azimuth = Math.atan2(offset.y, offset.x) + around;
    const polar = Math.min(Math.PI - 0.01, Math.max(0.01, Math.acos(offset.z / offset.length()) + down));
    offset.set(Math.sin(polar) * Math.cos(azimuth), Math.sin(polar) * Math.sin(azimuth), Math.cos(polar));
    this.#camera.position.copy(target).add(offset.multiplyScalar(distance));
    this.#controls.update();
    this.#render();
  }
}

function createMarker(track: PoseTrack): Marker {
  const dot = new Mesh(new SphereGeometry(0.018, 16, 12), new MeshBasicMaterial());
  const axes = createAxes(0.16);
  dot.visible = false;
  axes.visible = false;
  return { track, dot, axes, label: h('span', { class: 'pose-label', hidden: true }, track.pose.label) };
}

/** Axes that are drawn over everything else: one of them lies on a line of the ground. */
function createAxes(length: number): AxesHelper {
  const [x, y, z] = axisColours.map((colour) => new Color(colour));
  const axes = new AxesHelper(length).setColors(x, y, z);
  axes.renderOrder = 1;
  for (const material of [axes.material].flat()) material.depthTest = false;
  return axes;
}
