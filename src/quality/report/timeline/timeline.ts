import { eachFrame, h } from './element.ts';
import { groupElement, type LaneGroup } from './groups.ts';
import { FlagLane, type Lane } from './lanes.ts';
import { formatSpan, listMarks, type Span, type TimelineFlag, type TimelineMark } from './marks.ts';
import { canvasFont, type Palette, readPalette, surface } from './paint.ts';
import { domainOf, type TimeRange, ticks, View } from './view.ts';

/** Content and callbacks of a timeline. */
export interface TimelineOptions {
  readonly flags: readonly TimelineFlag[];
  /** Creates the groups of lanes from the marks of all flags; lanes of flags call `choose`. */
  readonly groups: (
    marks: readonly TimelineMark[],
    choose: (mark: TimelineMark) => void,
  ) => readonly LaneGroup[];
  /** Times of the first and last sample of each stream. */
  readonly axes: readonly TimeRange[];
  /** Duration of the episode; 0 for a single picture. */
  readonly duration_s: number;
  /** Names of what is not drawn. */
  readonly omitted?: readonly string[];
  /** Called when a time is clicked, or dragged to on the time axis. Without it the cursor only follows the pointer. */
  readonly onSeek?: (time_s: number) => void;
}

/** A view beside a timeline that is drawn and read with it, such as a map. */
export type Companion = Pick<Lane, 'draw'> & Required<Pick<Lane, 'read'>>;

/** Minimum length of a drag that selects a time range to zoom to. */
const minDrag_px = 4;
const keyHelp =
  'Timeline. Arrow keys move the cursor, plus and minus zoom, zero shows the whole episode, n and p go to the next and previous mark.';

/** Shows lanes with a common time axis, cursor and zoom; the caller adds `element` to the page and calls `draw`. */
export class Timeline {
  readonly element: HTMLElement;
  readonly view: View;
  readonly flags: readonly TimelineFlag[];
  readonly marks: readonly TimelineMark[];
  /** False for a single picture, whose flags have no place in time. */
  readonly hasLength: boolean;
  /** Draws everything in the next frame. */
  readonly redraw: () => void;
  /** Time under the pointer, or that the keyboard moved to; `null` if there is none. */
  cursor: number | null = null;
  /** Time of the player; `null` without one. */
  time_s: number | null = null;
  readonly #groups: readonly LaneGroup[];
  readonly #companions = new Set<Companion>();
  readonly #onSeek: ((time_s: number) => void) | undefined;
  readonly #axis = h('canvas', { class: 'axis-canvas', 'aria-hidden': 'true' });
  readonly #overview = h('canvas', { class: 'overview', 'aria-hidden': 'true' });
  readonly #clock = h('span', { class: 'clock' });
  readonly #line = h('div', { class: 'cursor', hidden: true });
  readonly #playhead = h('div', { class: 'playhead', hidden: true });
  readonly #selection = h('div', { class: 'selection', hidden: true });
  readonly #status = h('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  readonly #field: HTMLElement;
  readonly #observer: ResizeObserver;
  #palette: Palette | null = null;
  #chosen: number | null = null;
  /** Time where a drag began. */
  #drag: number | null = null;

  constructor(options: TimelineOptions) {
    this.flags = options.flags;
    this.marks = listMarks(options.flags);
    this.view = new View(domainOf(options.duration_s, options.axes, this.marks));
    this.hasLength = options.duration_s > 0;
    this.#onSeek = options.onSeek;
    this.redraw = eachFrame(() => this.draw());
    this.#groups = options.groups(this.marks, (mark) => this.choose(mark.flag, mark));
    this.#field = h(
      'div',
      { class: 'field-lanes' },
      this.#groups.map((group) => groupElement(group, this.redraw)),
    );
    this.element = this.#build(options);
    this.#observer = new ResizeObserver(this.redraw);
    this.#observer.observe(this.element);
    this.#listen();
  }

  /** Lanes that are shown, from top to bottom. */
  get lanes(): readonly Lane[] {
    return this.#groups.flatMap(({ lanes }) => lanes);
  }

  /** Draws a companion with the timeline and shows it the time at the cursor; returns a function that detaches it. */
  attach(companion: Companion): () => void {
    this.#companions.add(companion);
    this.redraw();
    return () => void this.#companions.delete(companion);
  }

  #build({ omitted = [], onSeek }: TimelineOptions): HTMLElement {
    const button = (label: string, text: string, click: () => void) =>
      h('button', { type: 'button', class: 'quiet', title: label, 'aria-label': label, on: { click } }, text);
    const zoomButtons = h(
      'span',
      { class: 'zoom-buttons' },
      button('Zoom in', '+', () => this.zoom(0.5)),
      button('Zoom out', '−', () => this.zoom(2)),
      button('Whole episode', 'Whole', () => this.showWhole()),
    );
    const overlay = [this.#playhead, this.#line, this.#selection];
    // A player around the timeline takes the keys.
    const own = onSeek === undefined ? { tabindex: 0, role: 'group', 'aria-label': keyHelp } : {};
    return h(
      'div',
      { class: 'timeline', ...own },
      h(
        'div',
        { class: 'timeline-head' },
        h('div', { class: 'lane-label' }, this.#clock, zoomButtons),
        h('div', { class: 'lane-plot' }, this.#overview, this.#axis),
      ),
      h(
        'div',
        { class: 'timeline-body' },
        this.#field,
        h('div', { class: 'overlay', 'aria-hidden': 'true' }, overlay),
      ),
      this.#status,
      omitted.length > 0 ? h('p', { class: 'faint' }, `Not shown: ${omitted.join('; ')}.`) : null,
    );
  }

  /** Stops observing the size of the page; call it when the timeline is removed. */
  close(): void {
    this.#observer.disconnect();
  }

  /** Draws everything in the colours of the current theme. */
  refreshTheme(): void {
    this.#palette = null;
    this.draw();
  }

  /** Draws axis, overview, lanes and companions at once. */
  draw(): void {
    this.#palette ??= readPalette(this.element);
    this.view.width = this.#axis.clientWidth || 1;
    this.#drawAxis(this.#palette);
    this.#drawOverview(this.#palette);
    for (const each of [...this.lanes, ...this.#companions])
      each.draw(this.view, this.#palette, this.#chosen);
    this.moveCursor(this.cursor);
  }

  #drawAxis(palette: Palette): void {
    const canvas = surface(this.#axis);
    if (canvas === null) return;
    const { context, height, width } = canvas;
    context.font = canvasFont();
    for (const [time_s, text] of ticks(this.view)) {
      const x = this.view.x(time_s);
      context.fillStyle = palette['line-strong'];
      context.fillRect(x, height - 5, 1, 5);
      context.fillStyle = palette.faint;
      const size = context.measureText(`${text} s`).width;
      context.fillText(`${text} s`, Math.min(width - size, Math.max(0, x - size / 2)), height - 8);
    }
  }

  /** Draws the whole episode in small: the flags, and the visible range if it is a part. */
  #drawOverview(palette: Palette): void {
    const canvas = surface(this.#overview);
    if (canvas === null) return;
    const { context, width, height } = canvas;
    const { from, to } = this.view.domain;
    const x = (time_s: number) => ((time_s - from) / (to - from)) * width;
    context.fillStyle = palette.sunken;
    context.fillRect(0, 0, width, height);
    for (const { severity, from_s, to_s } of this.marks) {
      const isBlocking = severity === 'blocking';
      context.fillStyle = palette[isBlocking ? 'reject-fill' : 'review-fill'];
      const length = Math.max(2, x(to_s) - x(from_s));
      context.fillRect(x(from_s) - 0.5, isBlocking ? 0 : height / 2, length, height / 2);
    }
    if (this.view.isWhole) return;
    const [left, right] = [x(this.view.from), x(this.view.to)];
    context.fillStyle = palette.accent;
    context.globalAlpha = 0.16;
    context.fillRect(left, 0, right - left, height);
    context.globalAlpha = 1;
    context.strokeStyle = palette.accent;
    context.strokeRect(left + 0.5, 0.5, Math.max(2, right - left - 1), height - 1);
  }

  /**
   * Moves the cursor (`null` removes it), and shows the values there in the lanes and companions; without a cursor,
   * those at the player's time.
   */
  moveCursor(time_s: number | null): void {
    this.cursor = time_s;
    this.#showCursor();
  }

  /** Moves the playhead to the time of the player, and scrolls the visible range if it does not contain that time. */
  showTime(time_s: number): void {
    this.time_s = time_s;
    const { from } = this.view;
    this.view.follow(time_s);
    if (this.view.from !== from) this.redraw();
    this.#showCursor();
  }

  #showCursor(): void {
    this.#place(this.#line, this.cursor);
    this.#place(this.#playhead, this.time_s);
    const time_s = this.cursor ?? this.time_s;
    this.#clock.textContent = time_s === null ? '' : `${time_s.toFixed(3)} s`;
    for (const each of [...this.lanes, ...this.#companions]) each.read?.(time_s);
  }

  #place(line: HTMLElement, time_s: number | null): void {
    const x = time_s === null ? -1 : this.view.x(time_s);
    line.hidden = x < 0 || x > this.view.width;
    line.style.transform = `translateX(${x}px)`;
  }

  /**
   * Multiplies the visible range by `factor`, so below 1 it zooms in, around the cursor, else the player's time, else
   * the middle of the view.
   */
  zoom(factor: number): void {
    const { view } = this;
    const visible = [this.cursor, this.time_s].find((time_s) => time_s !== null && view.contains(time_s));
    view.zoom(factor, visible ?? (view.from + view.to) / 2);
    this.redraw();
  }

  /** Shows the whole episode and removes the highlight of a flag. */
  showWhole(): void {
    this.#chosen = null;
    this.view.set(this.view.domain.from, this.view.domain.to);
    this.redraw();
  }

  /**
   * Highlights the marks of a flag; with `mark`, also zooms to it and seeks the player to its start, or moves the
   * cursor to its middle without a player.
   */
  choose(flag: number, mark?: TimelineMark): void {
    this.#chosen = flag;
    if (mark !== undefined) {
      const whole = this.view.domain.to - this.view.domain.from;
      const room = Math.max((mark.to_s - mark.from_s) * 1.5, whole * 0.04);
      this.view.set(mark.from_s - room, mark.to_s + room);
      if (this.#onSeek === undefined) this.cursor = (mark.from_s + mark.to_s) / 2;
      else this.#onSeek(mark.from_s);
      this.#status.textContent = `${formatSpan(mark)}, ${mark.stream}`;
    }
    this.redraw();
  }

  /** Scrolls to the lane with a mark, or to the timeline if no lane has it. */
  reveal(mark: Pick<TimelineMark, 'from_s' | 'stream' | 'dimension'>): void {
    const isMarked = (marks: readonly TimelineMark[]) =>
      marks.some(
        ({ from_s, stream, dimension }) =>
          from_s === mark.from_s && stream === mark.stream && dimension === mark.dimension,
      );
    const lane = this.lanes.find(
      (each) => !(each instanceof FlagLane) && isMarked((each.marks ?? []) as readonly TimelineMark[]),
    );
    (lane?.element ?? this.element).scrollIntoView({ block: 'center' });
  }

  /**
   * Chooses the next mark after the cursor (1) or the previous one (-1), and continues at the other end after the
   * last.
   */
  step(direction: 1 | -1): void {
    const middle = ({ from_s, to_s }: Span) => (from_s + to_s) / 2;
    const sorted = this.marks.toSorted((a, b) => a.from_s - b.from_s);
    const now = this.cursor ?? Number.NEGATIVE_INFINITY;
    const next =
      direction > 0
        ? sorted.find((mark) => middle(mark) > now + 1e-6)
        : sorted.findLast((mark) => middle(mark) < now - 1e-6);
    const mark = next ?? sorted.at(direction > 0 ? 0 : -1);
    if (mark !== undefined) this.choose(mark.flag, mark);
  }

  #listen(): void {
    const field = this.#field;
    this.element.addEventListener('keydown', (event) => this.key(event));
    field.addEventListener('pointermove', (event) => this.#point(event));
    field.addEventListener('pointerleave', () => this.#drag === null && this.moveCursor(null));
    field.addEventListener('pointerdown', (event) => this.#press(event));
    field.addEventListener('pointerup', (event) => this.#release(event));
    field.addEventListener('pointercancel', () => this.#endDrag());
    field.addEventListener('dblclick', (event) => this.#inPlot(event) && this.showWhole());
    field.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    const drag = (canvas: HTMLElement, act: (event: PointerEvent) => void) => {
      canvas.addEventListener('pointerdown', (event) => {
        canvas.setPointerCapture(event.pointerId);
        act(event);
      });
      canvas.addEventListener('pointermove', (event) => event.buttons === 1 && act(event));
    };
    drag(this.#overview, (event) => this.#pan(event));
    if (this.#onSeek !== undefined) drag(this.#axis, (event) => this.#onSeek?.(this.#timeAt(event)));
  }

  #timeAt({ clientX }: MouseEvent): number {
    const { left, width } = this.#axis.getBoundingClientRect();
    return this.view.time(Math.min(width, Math.max(0, clientX - left)));
  }

  #inPlot({ clientX }: MouseEvent): boolean {
    return clientX >= this.#axis.getBoundingClientRect().left;
  }

  #point(event: PointerEvent): void {
    if (!this.#inPlot(event) && this.#drag === null) return;
    const now = this.#timeAt(event);
    this.moveCursor(now);
    if (this.#drag === null) return;
    const [from, to] = [Math.min(this.#drag, now), Math.max(this.#drag, now)];
    this.#selection.hidden = false;
    this.#selection.style.left = `${this.view.x(from)}px`;
    this.#selection.style.width = `${this.view.x(to) - this.view.x(from)}px`;
  }

  #press(event: PointerEvent): void {
    const isControl = event.target instanceof Element && event.target.closest('button, label') !== null;
    if (event.button !== 0 || event.pointerType === 'touch' || !this.#inPlot(event) || isControl) return;
    this.#drag = this.#timeAt(event);
    this.#field.setPointerCapture(event.pointerId);
  }

  #release(event: PointerEvent): void {
    if (this.#drag === null) return;
    const [start, end] = [this.#drag, this.#timeAt(event)];
    this.#endDrag();
    const isDrag = Math.abs(this.view.x(end) - this.view.x(start)) > minDrag_px;
    if (isDrag) {
      this.view.set(Math.min(start, end), Math.max(start, end));
      this.redraw();
    } else this.#onSeek?.(end);
  }

  #endDrag(): void {
    this.#drag = null;
    this.#selection.hidden = true;
  }

  #wheel(event: WheelEvent): void {
    if (!this.#inPlot(event)) return;
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    if (event.ctrlKey || event.metaKey) this.view.zoom(Math.exp(event.deltaY * 0.004), this.#timeAt(event));
    else if (isSideways && !this.view.isWhole) {
      const by = ((event.deltaX || event.deltaY) / this.view.width) * (this.view.to - this.view.from);
      this.view.set(this.view.from + by, this.view.to + by);
    } else return;
    event.preventDefault();
    this.redraw();
  }

  #pan({ clientX }: PointerEvent): void {
    const { left, width } = this.#overview.getBoundingClientRect();
    const { from, to } = this.view.domain;
    const middle = from + ((clientX - left) / width) * (to - from);
    const half = (this.view.to - this.view.from) / 2;
    this.view.set(middle - half, middle + half);
    this.redraw();
  }

  /** Handles a key (arrows, +, -, 0, n, p); does nothing for a timeline with a player, which has its own keys. */
  key(event: KeyboardEvent): void {
    if (this.#onSeek !== undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowRight: () => this.#moveBy(event.shiftKey ? 0.1 : 0.01),
      ArrowLeft: () => this.#moveBy(event.shiftKey ? -0.1 : -0.01),
      '+': () => this.zoom(0.5),
      '=': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      0: () => this.showWhole(),
      n: () => this.step(1),
      p: () => this.step(-1),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  /** Moves the cursor by a fraction of the visible range. */
  #moveBy(fraction: number): void {
    const { domain, from, to } = this.view;
    const span = to - from;
    const start = this.cursor ?? (fraction > 0 ? from : to);
    const next = Math.min(domain.to, Math.max(domain.from, start + fraction * span));
    if (next < from || next > to) this.view.set(next - span / 2, next + span / 2);
    this.cursor = next;
    this.#status.textContent = `${next.toFixed(3)} s`;
    this.redraw();
  }
}
