import { type Column, gapFactor } from './column.ts';
import type { TimelineMark } from './marks.ts';
import type { TimeRange, View } from './view.ts';

const colourNames = [
  'ground',
  'sunken',
  'line',
  'line-strong',
  'ink',
  'soft',
  'faint',
  'accent',
  'reject',
  'review',
  'reject-fill',
  'review-fill',
  'action',
  'state',
] as const;

/** Colours of the theme, resolved from the custom properties of the style sheet. */
export type Palette = Readonly<Record<(typeof colourNames)[number], string>>;

/** Returns the colours of the theme as computed at an element; adds and removes a hidden child to read them. */
export function readPalette(element: Element): Palette {
  const probe = document.createElement('span');
  element.append(probe);
  const colours = colourNames.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours) as Palette;
}

/** A canvas to draw on, in CSS pixels. */
export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
}

/**
 * Resizes a canvas to its box, clears it and returns its drawing context and size in CSS pixels; `null` while it has
 * no size.
 */
export function surface(canvas: HTMLCanvasElement): Surface | null {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = width === 0 || height === 0 ? null : canvas.getContext('2d');
  if (context === null) return null;
  const ratio = Math.max(1, devicePixelRatio || 1);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** Returns the CSS font of small texts on a canvas: 11 px in the page's font. */
export const canvasFont = (): string => `11px ${getComputedStyle(document.body).fontFamily}`;

/** Distance between samples, in pixels, from which each is drawn as a dot. */
const dotSpacing_px = 9;
const inset_px = 5;

/** How a column is drawn. `steps`: each value spans the time from the sample before. */
export interface CurveStyle {
  readonly colour: string;
  readonly width: number;
  readonly steps?: boolean;
}

type ToY = (value: number) => number;

/**
 * Draws a column: a line if each bucket is one sample, else the band between minimum and maximum; outliers as arrows,
 * `steps` as a staircase.
 */
export function paintColumn(
  { context, height }: Surface,
  view: View,
  column: Column,
  range: TimeRange,
  { colour, width, steps = false }: CurveStyle,
): void {
  const { axis } = column;
  const y: ToY = (value) => {
    const share = range.to > range.from ? (value - range.from) / (range.to - range.from) : 0.5;
    return height - inset_px - Math.min(1.05, Math.max(-0.05, share)) * (height - 2 * inset_px);
  };
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = width;
  context.lineJoin = 'round';
  if (steps) paintSteps(context, view, column, y);
  else
    for (const run of findRuns(column)) (axis.exact ? paintLine : paintBand)(context, view, column, y, run);
  if (axis.exact && !steps) paintDots(context, view, column, y);
  for (const { bucket, greatest } of column.outliers)
    paintArrow(context, view.x(axis.first[bucket]), greatest > range.to, height);
}

type Run = readonly [first: number, last: number];

/** Returns the runs of buckets without a missing value or a gap in time. */
function findRuns({ axis, low }: Column): Run[] {
  const maxInterval_s = gapFactor * axis.step_s;
  const runs: Run[] = [];
  let from = -1;
  for (let b = 0; b < axis.count; b++) {
    const isGap = b > 0 && axis.step_s > 0 && axis.first[b] - axis.last[b - 1] > maxInterval_s;
    if (from >= 0 && (isGap || Number.isNaN(low[b]))) {
      runs.push([from, b - 1]);
      from = -1;
    }
    if (from < 0 && !Number.isNaN(low[b])) from = b;
  }
  if (from >= 0) runs.push([from, axis.count - 1]);
  return runs;
}

type Context = CanvasRenderingContext2D;

function paintLine(context: Context, view: View, { axis, low }: Column, y: ToY, [from, to]: Run): void {
  context.beginPath();
  for (let b = from; b <= to; b++) context.lineTo(view.x(axis.first[b]), y(low[b]));
  context.stroke();
}

/** Draws a dot on each sample if they are far apart, and always on samples between missing values. */
function paintDots(context: Context, view: View, { axis, low }: Column, y: ToY): void {
  const length_s = Math.max(1e-9, axis.last[axis.count - 1] - axis.first[0]);
  const visible = Math.max(1, ((view.to - view.from) * (axis.count - 1)) / length_s);
  const all = view.width / visible > dotSpacing_px;
  for (let b = 0; b < axis.count; b++) {
    if (Number.isNaN(low[b])) continue;
    const isAlone = !all && Number.isNaN(low[b - 1] ?? Number.NaN) && Number.isNaN(low[b + 1] ?? Number.NaN);
    const x = view.x(axis.first[b]);
    if ((!all && !isAlone) || x < -4 || x > view.width + 4) continue;
    context.beginPath();
    context.arc(x, y(low[b]), 1.7, 0, 2 * Math.PI);
    context.fill();
  }
}

/** Draws each interval over the time that it spans, so that a gap is as wide and as high as it is long. */
function paintSteps(context: Context, view: View, { axis, low, high }: Column, y: ToY): void {
  context.beginPath();
  for (let b = 0; b < axis.count; b++) {
    const before = b > 0 ? axis.last[b - 1] : axis.first[0];
    context.lineTo(view.x(before), y(high[b]));
    context.lineTo(view.x(axis.last[b]), y(high[b]));
  }
  context.stroke();
  if (axis.exact) return;
  context.globalAlpha = 0.3;
  for (let b = 0; b < axis.count; b++) {
    const x = view.x(axis.first[b]);
    context.fillRect(x, y(high[b]), Math.max(1, view.x(axis.last[b]) - x), y(low[b]) - y(high[b]));
  }
  context.globalAlpha = 1;
}

function paintBand(context: Context, view: View, { axis, low, high }: Column, y: ToY, [from, to]: Run): void {
  context.beginPath();
  for (let b = from; b <= to; b++) {
    const at = y(high[b]);
    context.lineTo(view.x(axis.first[b]), at);
    context.lineTo(view.x(axis.last[b]), at);
  }
  for (let b = to; b >= from; b--) {
    const at = y(low[b]);
    context.lineTo(view.x(axis.last[b]), at);
    context.lineTo(view.x(axis.first[b]), at);
  }
  context.closePath();
  context.globalAlpha = 0.3;
  context.fill();
  context.globalAlpha = 1;
  context.stroke();
}

function paintArrow(context: Context, x: number, up: boolean, height: number): void {
  const [tip, foot] = up ? [1, 7] : [height - 1, height - 7];
  context.beginPath();
  context.moveTo(x, tip);
  context.lineTo(x - 4, foot);
  context.lineTo(x + 4, foot);
  context.closePath();
  context.fill();
}

/** Draws a cross at each bucket with a value that is NaN or infinite. */
export function paintBroken(
  { context, height }: Surface,
  view: View,
  column: Column,
  palette: Palette,
): void {
  context.strokeStyle = palette.reject;
  context.lineWidth = 1.6;
  for (const bucket of column.broken) {
    const x = view.x(column.axis.first[bucket]);
    const y = height - 7;
    context.beginPath();
    context.moveTo(x - 3, y - 3);
    context.lineTo(x + 3, y + 3);
    context.moveTo(x + 3, y - 3);
    context.lineTo(x - 3, y + 3);
    context.stroke();
  }
}

/** Draws the mark of a flag as a band behind curves; hatched if the flag is blocking. */
export function paintMark(
  { context, height }: Surface,
  view: View,
  mark: TimelineMark,
  palette: Palette,
  isChosen: boolean,
): void {
  const isBlocking = mark.severity === 'blocking';
  const [from, to] = widen(view.x(mark.from_s), view.x(mark.to_s), 3);
  const colour = isBlocking ? palette['reject-fill'] : palette['review-fill'];
  context.fillStyle = colour;
  context.globalAlpha = isChosen ? 0.24 : 0.15;
  context.fillRect(from, 0, to - from, height);
  context.globalAlpha = isChosen ? 0.6 : 0.4;
  if (isBlocking && to - from > 8) paintHatching(context, from, to, height, colour);
  context.globalAlpha = 1;
  context.fillRect(from, 0, to - from, 2);
}

function widen(from: number, to: number, minWidth: number): readonly [number, number] {
  if (to - from >= minWidth) return [from, to];
  const middle = (from + to) / 2;
  return [middle - minWidth / 2, middle + minWidth / 2];
}

function paintHatching(context: Context, from: number, to: number, height: number, colour: string): void {
  context.save();
  context.beginPath();
  context.rect(from, 0, to - from, height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 0.6;
  context.beginPath();
  for (let x = Math.max(from, -height) - height; x < Math.min(to, 6000); x += 7) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}
