import { number, shortNumber } from '../views/index.ts';
import { h } from './element.ts';
import { markFinder, type TimelineMark } from './marks.ts';
import { canvasFont, type Palette, type Surface, surface } from './paint.ts';
import { lengthOf, type Path, pointAt } from './path.ts';
import type { Companion } from './timeline.ts';
import type { View } from './view.ts';

interface PathMapOptions {
  readonly path: Path;
  readonly marks: readonly TimelineMark[];
  /** Called with the time of the point under the pointer; `null` if there is none. */
  readonly onPoint: (time_s: number | null) => void;
  /** Called with the time of a point that is clicked. */
  readonly onSeek?: (time_s: number) => void;
}

const margin_px = 26;
/** Maximum distance from the path at which the pointer means one of its points. */
const reach_px = 24;
/** Colours from slow to fast, distinct on light and dark ground and from the colours of flags. */
const speedColours: readonly (readonly [number, number, number])[] = [
  [66, 96, 214],
  [24, 158, 160],
  [224, 176, 0],
];

type Colouring = 'speed' | 'flags';

/** Draws a map of a path with a scale bar and a north arrow, in step with a timeline: hover to read, click to seek. */
export class PathMap implements Companion {
  readonly element: HTMLElement;
  readonly #path: Path;
  readonly #marks: readonly TimelineMark[];
  readonly #canvas: HTMLCanvasElement;
  readonly #dot: HTMLElement = h('div', { class: 'path-dot', hidden: true });
  readonly #reading: HTMLElement = h('span', { class: 'reading' });
  readonly #range: readonly [slowest: number, fastest: number];
  #colouring: Colouring = 'speed';
  #pixels: readonly (readonly [x: number, y: number])[] = [];
  #drawn: readonly [View, Palette, number | null] | null = null;

  constructor({ path, marks, onPoint, onSeek }: PathMapOptions) {
    this.#path = path;
    this.#marks = marks;
    this.#range = [Math.min(...path.speed_mps), Math.max(...path.speed_mps)];
    const [slowest, fastest] = this.#range.map((speed) => number(speed, 2));
    const about = `Path of ${shortNumber(lengthOf(path))} m from ${path.stream}, speed ${slowest} to ${fastest} m/s`;
    this.#canvas = h('canvas', { class: 'path-canvas', role: 'img', 'aria-label': about });
    this.element = h(
      'figure',
      { class: 'path-map' },
      h('div', { class: 'path-plot' }, this.#canvas, this.#dot),
      h(
        'figcaption',
        {},
        this.#switch(),
        h('span', { class: 'path-legend', 'aria-hidden': 'true' }, `${slowest} `, h('i'), ` ${fastest} m/s`),
        this.#reading,
      ),
    );
    this.#canvas.addEventListener('pointermove', (event) => onPoint(this.#timeAt(event)));
    this.#canvas.addEventListener('pointerleave', () => onPoint(null));
    this.#canvas.addEventListener('click', (event) => {
      const time_s = this.#timeAt(event);
      if (time_s !== null) onSeek?.(time_s);
    });
  }

  /** Buttons that choose the colours; none without flags. */
  #switch(): HTMLElement | null {
    if (this.#marks.length === 0) return null;
    const buttons = (['speed', 'flags'] as const).map((colouring) => {
      const choose = () => {
        this.#colouring = colouring;
        for (const each of buttons) each.setAttribute('aria-pressed', String(each === button));
        if (this.#drawn !== null) this.draw(...this.#drawn);
      };
      const isPressed = String(colouring === this.#colouring);
      const button: HTMLButtonElement = h(
        'button',
        { type: 'button', class: 'quiet', 'aria-pressed': isPressed, on: { click: choose } },
        colouring === 'speed' ? 'Speed' : 'Flags',
      );
      return button;
    });
    return h('span', { role: 'group', 'aria-label': 'Colour of the path' }, buttons);
  }

  /**
   * Draws the path, dimmed outside the visible range, coloured by speed or by flags, with its ends, scale bar and
   * north arrow.
   */
  draw(view: View, palette: Palette, chosen: number | null): void {
    this.#drawn = [view, palette, chosen];
    const canvas = surface(this.#canvas);
    if (canvas === null) return;
    const scale = this.#place(canvas);
    this.element.classList.toggle('is-flags', this.#colouring === 'flags');
    const { context } = canvas;
    context.lineCap = 'round';
    const { time_s, isGap } = this.#path;
    const marked = this.#colouring === 'flags' ? markFinder(this.#marks, chosen) : null;
    for (let i = 1; i < time_s.length; i++) {
      if (isGap[i]) continue;
      const mark = marked?.(time_s[i - 1], time_s[i]);
      context.strokeStyle = this.#colour(i, palette, mark);
      context.lineWidth = mark === undefined ? 2.5 : 5;
      context.globalAlpha = time_s[i] >= view.from && time_s[i - 1] <= view.to ? 1 : 0.25;
      context.beginPath();
      context.moveTo(...this.#pixels[i - 1]);
      context.lineTo(...this.#pixels[i]);
      context.stroke();
    }
    context.globalAlpha = 1;
    this.#drawEnds(context, palette);
    drawScale(canvas, palette, scale);
    if (this.#path.isNorthUp) drawNorth(canvas, palette);
  }

  /** Computes the pixels of all points. Returns the pixels per metre. */
  #place({ width, height }: Surface): number {
    const { x_m, y_m } = this.#path;
    const [left, right, bottom, top] = [
      Math.min(...x_m),
      Math.max(...x_m),
      Math.min(...y_m),
      Math.max(...y_m),
    ];
    const scale = Math.min(
      (width - 2 * margin_px) / Math.max(1e-9, right - left),
      (height - 2 * margin_px) / Math.max(1e-9, top - bottom),
    );
    this.#pixels = [...x_m].map((x, i) => [
      width / 2 + (x - (left + right) / 2) * scale,
      height / 2 - (y_m[i] - (bottom + top) / 2) * scale,
    ]);
    return scale;
  }

  #colour(i: number, palette: Palette, mark: TimelineMark | undefined): string {
    if (mark !== undefined) return palette[mark.severity === 'blocking' ? 'reject-fill' : 'review-fill'];
    if (this.#colouring === 'flags') return palette['line-strong'];
    const [slowest, fastest] = this.#range;
    const share = fastest > slowest ? (this.#path.speed_mps[i] - slowest) / (fastest - slowest) : 0;
    return `rgb(${speedColour(share).join(' ')})`;
  }

  #drawEnds(context: CanvasRenderingContext2D, palette: Palette): void {
    context.font = canvasFont();
    context.fillStyle = palette.soft;
    for (const [text, [x, y]] of [
      ['start', this.#pixels[0]],
      ['end', this.#pixels.at(-1)!],
    ] as const) {
      context.beginPath();
      context.arc(x, y, 3.5, 0, 2 * Math.PI);
      context.fill();
      context.fillText(text, x + 6, y - 5);
    }
  }

  /** Moves the dot to the point of the path at a time, and shows the speed there; `null` hides it. */
  read(time_s: number | null): void {
    const at = time_s === null ? null : pointAt(this.#path, time_s);
    const pixel = at === null ? undefined : this.#pixels[at];
    this.#dot.hidden = pixel === undefined;
    this.#reading.textContent = at === null ? '' : `${number(this.#path.speed_mps[at], 2)} m/s`;
    if (pixel !== undefined) this.#dot.style.transform = `translate(${pixel[0]}px, ${pixel[1]}px)`;
  }

  #timeAt({ offsetX, offsetY }: MouseEvent): number | null {
    let [best, distance] = [-1, reach_px];
    for (const [i, [x, y]] of this.#pixels.entries()) {
      const away = Math.hypot(x - offsetX, y - offsetY);
      if (away < distance) [best, distance] = [i, away];
    }
    return best < 0 ? null : this.#path.time_s[best];
  }
}

/** Returns the colour of a speed, from 0 for the slowest to 1 for the fastest: red, green and blue from 0 to 255. */
export function speedColour(share: number): readonly number[] {
  const place = Math.min(1, Math.max(0, share)) * (speedColours.length - 1);
  const at = Math.min(speedColours.length - 2, Math.floor(place));
  return speedColours[at].map((from, c) =>
    Math.round(from + (speedColours[at + 1][c] - from) * (place - at)),
  );
}

function drawScale({ context, width, height }: Surface, palette: Palette, scale: number): void {
  const longest_m = width / 3 / scale;
  const power = 10 ** Math.floor(Math.log10(longest_m));
  const length_m = power * ([5, 2, 1].find((step) => step * power <= longest_m) ?? 1);
  const [x, y] = [8, height - 8];
  context.strokeStyle = palette.soft;
  context.fillStyle = palette.soft;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, y - 4);
  context.lineTo(x, y);
  context.lineTo(x + length_m * scale, y);
  context.lineTo(x + length_m * scale, y - 4);
  context.stroke();
  const text = length_m >= 1000 ? `${length_m / 1000} km` : `${shortNumber(length_m)} m`;
  context.font = canvasFont();
  context.fillText(text, x + 4, y - 6);
}

function drawNorth({ context, width }: Surface, palette: Palette): void {
  const x = width - 14;
  context.fillStyle = palette.soft;
  context.beginPath();
  context.moveTo(x, 6);
  context.lineTo(x - 5, 20);
  context.lineTo(x, 16);
  context.lineTo(x + 5, 20);
  context.closePath();
  context.fill();
  context.font = canvasFont();
  context.fillText('N', x - 4, 32);
}
