import { codeTitle, type GlyphName, glyphPaths, number, shortNumber, spread } from '../views/index.ts';
import { type Column, rangeOf, valueAt } from './column.ts';
import { type Child, h } from './element.ts';
import { formatSpan, maxMarks, type Span, type TimelineFlag, type TimelineMark } from './marks.ts';
import {
  canvasFont,
  type Palette,
  paintBroken,
  paintColumn,
  paintMark,
  type Surface,
  surface,
} from './paint.ts';
import type { TimeRange, View } from './view.ts';

/** A row of the timeline. */
export interface Lane {
  readonly element: HTMLElement;
  readonly marks?: readonly Span[];
  /** Draws the visible range. `chosen`: index of the highlighted flag. */
  draw(view: View, palette: Palette, chosen: number | null): void;
  /** Shows the values at a time; `null` clears them. */
  read?(time_s: number | null): void;
}

/** Creates the SVG icon of this name, which is hidden from screen readers. */
export const glyph = (name: GlyphName): Element =>
  h('svg', { class: `glyph glyph-${name}`, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, [
    h('path', { d: glyphPaths[name] ?? glyphPaths.info }),
  ]);

/** Creates the HTML row of a lane: label, plot and scale, with CSS classes for `kind` and `isFlagged`. */
export function laneRow(
  kind: string,
  label: Child,
  plot: Child,
  { isFlagged = false, scale = null }: { readonly isFlagged?: boolean; readonly scale?: Child } = {},
): HTMLElement {
  return h(
    'div',
    { class: `lane lane-${kind}${isFlagged ? ' is-flagged' : ''}` },
    h('div', { class: 'lane-label' }, label),
    h('div', { class: 'lane-plot' }, plot),
    scale,
  );
}

/** A curve of a lane. */
export interface Curve {
  readonly name: string;
  readonly column: Column;
  readonly colour: 'state' | 'action';
  readonly width: number;
  readonly steps?: boolean;
}

interface SeriesOptions {
  readonly label: string;
  /** Curves on one scale, the last on top. */
  readonly curves: readonly Curve[];
  readonly marks: readonly TimelineMark[];
  /** `trace`: a low lane of a derived measure, such as brightness. */
  readonly kind?: 'series' | 'trace';
}

/** Draws curves over time, with the marks of flags behind them and the values at the cursor in the label. */
export class SeriesLane implements Lane {
  readonly element: HTMLElement;
  readonly marks: readonly TimelineMark[];
  readonly #curves: readonly Curve[];
  readonly #isTrace: boolean;
  readonly #range: TimeRange;
  readonly #readings: readonly HTMLElement[];
  readonly #canvas: HTMLCanvasElement;

  constructor({ label, curves, marks, kind = 'series' }: SeriesOptions) {
    this.#curves = curves;
    this.#isTrace = kind === 'trace';
    this.marks = marks;
    this.#range = rangeOf(curves.map(({ column }) => column));
    this.#readings = curves.map(({ colour }) => h('span', { class: `reading is-${colour}` }));
    this.#canvas = h('canvas', { role: 'img', 'aria-label': describe(label, curves, this.#range, marks) });
    const texts = scaleTexts(this.#range).map((text) => h('span', {}, text));
    this.element = laneRow(
      kind,
      [
        h('span', { class: 'lane-name', title: label }, label),
        h('span', { class: 'readings' }, this.#readings.toReversed()),
      ],
      this.#canvas,
      {
        isFlagged: marks.length > 0,
        scale: h('span', { class: 'scale', 'aria-hidden': 'true' }, texts),
      },
    );
  }

  /** Draws marks and curves on the canvas; marks of the flag with index `chosen` are highlighted. */
  draw(view: View, palette: Palette, chosen: number | null): void {
    const canvas = surface(this.#canvas);
    if (canvas === null) return;
    for (const mark of this.marks) paintMark(canvas, view, mark, palette, mark.flag === chosen);
    for (const { column, colour, width, steps = false } of this.#curves) {
      paintColumn(canvas, view, column, this.#range, { colour: palette[colour], width, steps });
      if (!this.#isTrace) paintBroken(canvas, view, column, palette);
    }
  }

  /** Shows the values at a time in the label; `null` clears them. */
  read(time_s: number | null): void {
    for (const [i, { column, steps }] of this.#curves.entries())
      this.#readings[i].textContent = time_s === null ? '' : valueAt(column, time_s, steps);
  }
}

/** Top and bottom of a scale with as many digits as tell them apart; one text if they are equal. */
function scaleTexts({ from, to }: TimeRange): string[] {
  if (from === to) return [shortNumber(to)];
  for (let digits = 3; digits < 8; digits++) {
    const texts = [to, from].map((value) => number(value, digits));
    if (texts[0] !== texts[1]) return digits === 3 ? [to, from].map(shortNumber) : texts;
  }
  return [number(to, 8), `−${number(to - from, 2)}`];
}

function describe(
  label: string,
  curves: readonly Curve[],
  { from, to }: TimeRange,
  marks: readonly TimelineMark[],
): string {
  const names = curves.map(({ name }) => name).join(' and ');
  const titles = [...new Set(marks.map(({ code }) => codeTitle(code)))];
  const flagged = titles.length > 0 ? `; flagged: ${titles.join(', ')}` : '';
  return `${label}: ${names} between ${number(from)} and ${number(to)}${flagged}`;
}

const minMarkWidth_px = 5;

/** Shows the marks of one flag as buttons, at most `maxMarks`; `onChoose` is called with the one that is clicked. */
export class FlagLane implements Lane {
  readonly element: HTMLElement;
  readonly marks: readonly TimelineMark[];
  readonly #buttons: readonly HTMLButtonElement[];

  constructor(flag: TimelineFlag, marks: readonly TimelineMark[], onChoose: (mark: TimelineMark) => void) {
    this.marks = spread(marks, maxMarks);
    const title = codeTitle(flag.code);
    this.#buttons = this.marks.map((mark, i) =>
      h('button', {
        type: 'button',
        class: `mark is-${flag.severity}`,
        'aria-label': `${title}, mark ${i + 1} of ${this.marks.length}: ${formatSpan(mark)}${mark.stream ? `, ${mark.stream}` : ''}`,
        title: `${formatSpan(mark)} ${mark.stream}`,
        on: { click: () => onChoose(mark) },
      }),
    );
    const label = h(
      'span',
      { class: 'lane-name', title: `${title} ${marks[0].stream}` },
      glyph(flag.severity),
      title,
      h('span', { class: 'faint' }, ` ${marks[0].stream}`),
    );
    const note = flag.note ? h('span', { class: 'lane-sub faint' }, flag.note) : null;
    this.element = laneRow('flag', [label, note], this.#buttons);
  }

  /** Places the buttons of the marks on the visible range; those of the flag with index `chosen` are highlighted. */
  draw(view: View, _palette: Palette, chosen: number | null): void {
    for (const [i, button] of this.#buttons.entries()) {
      const mark = this.marks[i];
      const from = view.x(mark.from_s);
      const width = Math.max(minMarkWidth_px, view.x(mark.to_s) - from);
      // In per cent of the plot, so that they are right on paper, too.
      button.style.left = `${(100 * (from - (width === minMarkWidth_px ? 2 : 0))) / view.width}%`;
      button.style.width = `${(100 * width) / view.width}%`;
      button.classList.toggle('is-chosen', mark.flag === chosen);
    }
  }
}

/** Draws spans with texts, such as segments and captions; the text of the span at the cursor is the tooltip. */
export class SpanLane implements Lane {
  readonly element: HTMLElement;
  readonly #spans: readonly (Span & { readonly text: string })[];
  readonly #canvas: HTMLCanvasElement;

  constructor(label: string, spans: readonly (Span & { readonly text: string })[]) {
    this.#spans = spans;
    this.#canvas = h('canvas', {
      role: 'img',
      'aria-label': `${label}: ${spans.map((span) => `${formatSpan(span)} ${span.text}`).join('; ')}`,
    });
    this.element = laneRow('events', h('span', { class: 'lane-name' }, label), this.#canvas);
  }

  /** Draws the spans and their texts on the canvas. */
  draw(view: View, palette: Palette): void {
    const canvas = surface(this.#canvas);
    if (canvas === null) return;
    canvas.context.font = canvasFont();
    for (const [at, span] of this.#spans.entries()) paintSpan(canvas, view, palette, span, at % 2 === 0);
  }

  /** Sets the tooltip to the text of the span at a time; `null` clears it. */
  read(time_s: number | null): void {
    const now = this.#spans.find(({ from_s, to_s }) => time_s !== null && time_s >= from_s && time_s < to_s);
    this.#canvas.title = now?.text ?? '';
  }
}

function paintSpan(
  { context, height }: Surface,
  view: View,
  palette: Palette,
  { from_s, to_s, text }: Span & { readonly text: string },
  isEven: boolean,
): void {
  const [from, to] = [view.x(from_s), view.x(to_s)];
  if (to < 0 || from > view.width) return;
  context.fillStyle = palette.accent;
  context.globalAlpha = isEven ? 0.22 : 0.12;
  context.fillRect(from, 2, Math.max(1, to - from - 1), height - 4);
  context.globalAlpha = 1;
  const start = Math.max(0, from) + 4;
  context.save();
  context.beginPath();
  context.rect(start, 0, Math.max(0, to - start - 4), height);
  context.clip();
  context.fillStyle = palette.soft;
  context.fillText(text, start, height / 2 + 4);
  context.restore();
}

/** Draws labelled moments of the recording; omits labels that would overlap the previous one. */
export class EventLane implements Lane {
  readonly element: HTMLElement;
  readonly #events: readonly { readonly time_s: number; readonly label: string }[];
  readonly #canvas: HTMLCanvasElement;

  constructor(events: readonly { readonly time_s: number; readonly label: string }[]) {
    this.#events = events;
    this.#canvas = h('canvas', {
      role: 'img',
      'aria-label': events.map(({ time_s, label }) => `${label} at ${time_s.toFixed(2)} s`).join(', '),
    });
    this.element = laneRow('events', h('span', { class: 'lane-name' }, 'events'), this.#canvas);
  }

  /** Draws the events on the canvas, with the labels that do not overlap the previous one. */
  draw(view: View, palette: Palette): void {
    const canvas = surface(this.#canvas);
    if (canvas === null) return;
    const { context, height } = canvas;
    context.font = canvasFont();
    let free = Number.NEGATIVE_INFINITY;
    for (const { time_s, label } of this.#events) {
      const x = view.x(time_s);
      context.fillStyle = palette['line-strong'];
      context.fillRect(x, 0, 1, height);
      if (x < free) continue;
      context.fillStyle = palette.soft;
      context.fillText(label, x + 4, height / 2 + 4);
      free = x + context.measureText(label).width + 12;
    }
  }
}
