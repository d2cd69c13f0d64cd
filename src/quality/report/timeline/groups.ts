import { plural } from '../views/index.ts';
import type { Column } from './column.ts';
import { type Child, h } from './element.ts';
import { FlagLane, type Lane, SeriesLane } from './lanes.ts';
import type { TimelineFlag, TimelineMark } from './marks.ts';

/** Lanes under one heading. */
export interface LaneGroup {
  readonly title: string;
  /** Facts beside the title, such as unit and rate. */
  readonly about: readonly string[];
  readonly lanes: Lane[];
  /** Lanes that are added by the button "Show more". */
  readonly more: Lane[];
  /** Id of the stream of actions that is drawn over the states. */
  readonly partner?: string | null;
  /** Controls beside the title. */
  readonly controls?: Child;
}

/** A stream of numbers to draw. */
export interface SignalStream {
  readonly id: string;
  readonly role: string | null;
  /** Name of each drawn dimension; `null` if it has none. */
  readonly names: readonly (string | null)[];
  readonly columns: readonly Column[];
  /** Number of dimensions of the recording; more than `columns` if not all are drawn. */
  readonly dims: number;
  readonly about: readonly string[];
}

/** Number of lanes of a group that are shown at first if it has more than `maxLanes`. */
const maxInitialLanes = 16;
/** Number of lanes up to which a group is shown whole: no button for a handful more. */
const maxLanes = 20;

/**
 * Splits lanes into those shown at first, which are all if they are few and always include marked ones, and the rest
 * (`more`).
 */
export function splitLanes(
  lanes: readonly Lane[],
  isMarked: (at: number) => boolean = () => false,
): Pick<LaneGroup, 'lanes' | 'more'> {
  const isInitial = (_: Lane, at: number) => lanes.length <= maxLanes || at < maxInitialLanes || isMarked(at);
  return {
    lanes: lanes.filter(isInitial),
    more: lanes.filter((lane, at) => !isInitial(lane, at)),
  };
}

/**
 * Returns the group with one lane for each flag that marks spans; `null` if none does. A click on a mark calls
 * `onChoose`.
 */
export function flagGroup(
  flags: readonly TimelineFlag[],
  marks: readonly TimelineMark[],
  onChoose: (mark: TimelineMark) => void,
): LaneGroup | null {
  const lanes = flags.flatMap((flag, index) => {
    const own = marks.filter((mark) => mark.flag === index);
    return own.length === 0 ? [] : [new FlagLane(flag, own, onChoose)];
  });
  return lanes.length === 0 ? null : { title: 'Flags', about: [], lanes, more: [] };
}

const roleOrder: readonly (string | null)[] = ['state', 'action'];

/**
 * Returns a group for each stream, states first: a lane for each dimension, with the action drawn over the state if both
 * have the same dimensions on similar scales.
 */
export function signalGroups(streams: readonly SignalStream[], marks: readonly TimelineMark[]): LaneGroup[] {
  const rank = ({ role }: SignalStream) => {
    const at = roleOrder.indexOf(role);
    return at < 0 ? roleOrder.length : at;
  };
  const sorted = streams.filter(({ columns }) => columns.length > 0).sort((a, b) => rank(a) - rank(b));
  const drawn = new Set<SignalStream>();
  const groups: LaneGroup[] = [];
  for (const stream of sorted) {
    if (drawn.has(stream)) continue;
    const partner = findPartner(stream, sorted);
    if (partner !== null) drawn.add(partner);
    groups.push(signalGroup(stream, partner, marks));
  }
  return groups;
}

/** Returns the action that can be drawn over a state: the same dimensions, most of them on overlapping ranges. */
function findPartner(state: SignalStream, streams: readonly SignalStream[]): SignalStream | null {
  if (state.role !== 'state') return null;
  const action = streams.find(
    ({ role, dims, columns }) =>
      role === 'action' && dims === state.dims && columns.length === state.columns.length,
  );
  if (action === undefined) return null;
  const alike = state.columns.filter((column, d) => sharesScale(column, action.columns[d])).length;
  return alike > state.columns.length / 2 ? action : null;
}

function sharesScale(a: Column, b: Column): boolean {
  const overlap = Math.min(a.to, b.to) - Math.max(a.from, b.from);
  const spread = Math.max(a.to - a.from, b.to - b.from);
  return spread === 0 ? a.from === b.from : overlap > 0.2 * spread;
}

function signalGroup(
  stream: SignalStream,
  partner: SignalStream | null,
  marks: readonly TimelineMark[],
): LaneGroup {
  const members = partner === null ? [stream] : [stream, partner];
  const own = marks.filter((mark) => members.some(({ id }) => id === mark.stream));
  const all = stream.columns.map((_, d) => {
    const curves = members.map(({ id, role, columns }, i) => ({
      name: id,
      column: columns[d],
      colour: i === 0 && role !== 'action' ? ('state' as const) : ('action' as const),
      width: i === 0 ? 1.5 : 1.2,
    }));
    return new SeriesLane({
      label: stream.names[d] ?? `${d}`,
      curves: curves.reverse(),
      marks: own.filter(({ dimension }) => dimension === undefined || dimension === d),
    });
  });
  return {
    title: stream.id,
    partner: partner?.id ?? null,
    about: stream.about,
    ...splitLanes(all, (d) => own.some(({ dimension }) => dimension === d)),
  };
}

/**
 * Creates the HTML of a group: a heading that folds and unfolds the lanes, and a button for further lanes; both call
 * `onChange` after each change.
 */
export function groupElement(group: LaneGroup, onChange: () => void): HTMLElement {
  const lanes = h(
    'div',
    { class: 'lanes' },
    group.lanes.map((lane) => lane.element),
  );
  const more = group.more.length > 0 ? moreButton(group, lanes, onChange) : null;
  const fold = h('button', { type: 'button', class: 'group-title', 'aria-expanded': 'true' }, group.title);
  fold.addEventListener('click', () => {
    const isFolded = fold.getAttribute('aria-expanded') === 'true';
    fold.setAttribute('aria-expanded', String(!isFolded));
    lanes.hidden = isFolded;
    if (more !== null) more.hidden = isFolded;
    onChange();
  });
  return h(
    'section',
    { class: 'group', 'aria-label': group.title },
    h(
      'h3',
      {},
      fold,
      group.partner ? legend(group.partner) : null,
      h('span', { class: 'faint' }, group.about.join(' · ')),
      group.controls ?? null,
    ),
    lanes,
    more,
  );
}

function legend(partner: string): Element {
  return h(
    'span',
    { class: 'legend' },
    h('span', { class: 'swatch is-state' }),
    'state',
    h('span', { class: 'swatch is-action' }),
    h('code', {}, partner),
  );
}

function moreButton(group: LaneGroup, lanes: HTMLElement, onChange: () => void): HTMLButtonElement {
  const text = `Show ${plural(group.more.length, 'more dimension')}`;
  const button = h('button', { type: 'button', class: 'quiet more' }, text);
  button.addEventListener('click', () => {
    lanes.append(...group.more.map((lane) => lane.element));
    group.lanes.push(...group.more.splice(0));
    button.remove();
    onChange();
  });
  return button;
}
