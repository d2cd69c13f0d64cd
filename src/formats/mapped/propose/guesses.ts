import type { StreamRole } from '#core/episode';
import type { FileValue } from '../table.ts';
import {
  fullTurn_rad,
  type Guess,
  guessRole,
  guessUnit,
  isObservedCommand,
  makeGuess,
  shortNumber,
  stepRole,
} from './meaning.ts';
import { type ColumnFacts, rowsAhead, type TableFacts } from './table-facts.ts';

interface ClockGuess {
  readonly column: string;
  readonly unit: 's' | 'ms' | 'us' | 'ns' | 'iso8601';
  readonly epoch: 'unix' | 'none';
}

/** A proposed stream, with the range of its values in the sampled rows. */
export interface StreamGuess {
  readonly id: string;
  readonly role: Guess<StreamRole>;
  /** `null` if neither name nor range tells. */
  readonly unit: Guess<string> | null;
  readonly columns: readonly string[];
  readonly low: number;
  readonly high: number;
  readonly grippers: readonly string[];
}

/** A column, or the path of a value of the whole file. */
export interface TextSource {
  readonly kind: 'column' | 'path';
  readonly name: string;
}

/** A proposed camera whose pictures are a column. */
export interface CameraGuess {
  readonly id: string;
  readonly role: 'camera' | 'depth';
  readonly column: Guess<string>;
  /** True for raw pixels, whose order of colours is not stored. */
  readonly isRaw: boolean;
}

/** Proposed meaning of a table's columns. */
export interface Guesses {
  readonly clocks: readonly Guess<ClockGuess>[];
  /** Path of the rate in the file. */
  readonly rate: Guess<string> | null;
  readonly episode: Guess<string> | null;
  readonly task: Guess<TextSource> | null;
  readonly outcome: Guess<TextSource> | null;
  readonly streams: readonly StreamGuess[];
  readonly cameras: readonly CameraGuess[];
  /** Columns that are not used, with reasons. */
  readonly skipped: readonly { readonly name: string; readonly because: string }[];
}

const timeName = /(^|[_. ])(t|time|times|timestamp|stamp|timestamps|sec|secs|nsec|ns|us|ms)([_. \d]|$)|time/i;
const episodeName =
  /^(episode|ep|run|trial|demo|traj|trajectory|rollout)([_ ]?(id|index|idx|no|num|number))?$/i;
const taskName =
  /(^|[./@])(task(_(text|name|description|instruction))?|instructions?|lang(uage)?(_(instruction|raw|text|annotation))?|prompt|goal(_text)?|(\w+_)?(instruction|description)\d?)$/i;
const rateName =
  /(^|[./@])(fps|hz|rate(_hz)?|(control|sampling|sample|recording)?_?freq(uency)?|frame_?rate)$/i;
const outcomeName = /(^|[_./@])(success|succeeded|outcome|is_success)$/i;
const indexName = /(^|[_. ])(index|idx|frame|frame_id|row|step|seq|count|unnamed: 0)$|^$/i;
const gripperName = /gripper|finger|jaw|claw/i;

/**
 * Guesses which columns of a table are clocks, streams, cameras, episode, task and outcome, from names, types, ranges
 * and order of the first rows; others are skipped with a reason.
 * @param isSingle true if there is only one table, which may hold several episodes
 */
export function guessMapping({ columns, others, values, pictures }: TableFacts, isSingle: boolean): Guesses {
  const remaining = new Map(columns.map((column) => [column.name, column]));
  const cameras = [...pictures].map((picture) => guessCamera(picture));
  for (const { column } of cameras) remaining.delete(column.value);
  const takeColumn = <Value>(
    test: (column: ColumnFacts) => boolean,
    toGuess: (column: ColumnFacts) => Guess<Value>,
  ): Guess<Value> | null => {
    const found = [...remaining.values()].find(test);
    if (found === undefined) return null;
    remaining.delete(found.name);
    return toGuess(found);
  };
  const episode = takeColumn(
    ({ name }) => isSingle && episodeName.test(name),
    ({ name }) => makeGuess(name, 'from its name', 'that it identifies the episode'),
  );
  const clocks = [...remaining.values()].flatMap((column) => guessClock(column) ?? []);
  for (const { value } of clocks) remaining.delete(value.column);
  const task = takeColumn(
    ({ name, kind }) => kind === 'text' && taskName.test(name),
    ({ name, distinct_texts: [first = ''] }) => textGuess('column', name, first),
  );
  const outcome = takeColumn(
    ({ name }) => outcomeName.test(name),
    (column) =>
      makeGuess<TextSource>(
        { kind: 'column', name: column.name },
        `values: ${describeValues(column)}`,
        outcomeCheck,
      ),
  );
  const skipped = [...remaining.values()].flatMap((column) => reasonToSkip(column) ?? []);
  for (const { name } of skipped) remaining.delete(name);
  return {
    clocks,
    rate: clocks.length > 0 ? null : guessRate(values),
    episode,
    task: task ?? guessFileText(values),
    outcome: outcome ?? guessFileOutcome(values),
    streams: withVectorUnits(
      withLeader(withoutObserved(groupStreams([...remaining.values()])), remaining),
      remaining,
    ),
    cameras,
    skipped: [
      ...skipped,
      ...others.map(({ name, rows, unreadable }) => ({
        name,
        because: unreadable ?? `${rows ?? 0} rows, unlike most`,
      })),
    ],
  };
}

function textGuess(kind: TextSource['kind'], name: string, example: string): Guess<TextSource> {
  return makeGuess({ kind, name }, `text, for example ${JSON.stringify(example)}`, null);
}

function guessRate(values: TableFacts['values']): Guess<string> | null {
  const isRate = (path: string, value: FileValue) =>
    typeof value === 'number' && value >= 1 && value <= 1000 && rateName.test(path) && !/audio/i.test(path);
  const found = [...values].find(([path, value]) => isRate(path, value));
  return found === undefined ? null : makeGuess(found[0], `a number named like a rate: ${found[1]}`, null);
}

function guessFileText(values: TableFacts['values']): Guess<TextSource> | null {
  const found = [...values].find(
    ([path, value]) => typeof value === 'string' && value.trim() !== '' && taskName.test(path),
  );
  return found === undefined ? null : textGuess('path', found[0], String(found[1]).slice(0, 80));
}

function guessFileOutcome(values: TableFacts['values']): Guess<TextSource> | null {
  const found = [...values].find(([path]) => outcomeName.test(path));
  return found === undefined
    ? null
    : makeGuess({ kind: 'path', name: found[0] }, `value: ${String(found[1]).slice(0, 40)}`, outcomeCheck);
}

const genericName =
  /^(observations?|obs|images?|imgs?|pictures|rgb(_images?)?|colou?rs?|depths?|data|frames?|videos?|cameras?)$/i;

function guessCamera({ column, role, isRaw, because }: TableFacts['pictures'][number]): CameraGuess {
  const parts = column.split(/[/.]/);
  const id = parts.findLast((part) => part !== '' && !genericName.test(part)) ?? parts.at(-1) ?? column;
  return { id, role, isRaw, column: makeGuess(column, because, null) };
}

const outcomeCheck = 'which value means success and which failure; remove the line if you are not sure';

function describeValues({ distinct_texts, low, high }: ColumnFacts): string {
  return distinct_texts.length > 0
    ? distinct_texts.slice(0, 3).join(', ')
    : `${shortNumber(low)} to ${shortNumber(high)}`;
}

function guessClock(column: ColumnFacts): Guess<ClockGuess> | null {
  const { name, kind, low, is_rising, median_step } = column;
  if (kind === 'time')
    return makeGuess({ column: name, unit: 'ns', epoch: 'unix' }, 'a timestamp column', null);
  if (
    kind === 'text' &&
    column.distinct_texts.some((text) => /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/.test(text))
  )
    return makeGuess(
      { column: name, unit: 'iso8601', epoch: 'unix' },
      'dates and times as text',
      'the time zone: UTC is assumed if none is given',
    );
  if (kind !== 'number' || !is_rising || !timeName.test(name) || indexName.test(name)) return null;
  const since1970 = unitSince1970(low);
  const rising = `never decreases; starts at ${shortNumber(low)} with steps of ${shortNumber(median_step)}`;
  if (since1970 !== null)
    return makeGuess(
      { column: name, unit: since1970, epoch: 'unix' },
      `${rising}: ${since1970} since 1970`,
      null,
    );
  const suffix = /(?:^|[_. ])(ns|nsec|us|usec|ms|msec|s|sec|secs|seconds)$/i.exec(name)?.[1].toLowerCase();
  const unit = suffix === undefined ? null : ({ n: 'ns', u: 'us', m: 'ms', s: 's' } as const)[suffix[0]];
  if (unit != null)
    return makeGuess({ column: name, unit, epoch: 'none' }, `${rising}; unit from its name`, null);
  const likely = median_step >= 1e5 ? 'ns' : median_step >= 1000 ? 'us' : median_step >= 1 ? 'ms' : 's';
  return makeGuess(
    { column: name, unit: likely, epoch: 'none' },
    rising,
    `the unit: ${likely} would give a usual rate, but nothing confirms it`,
  );
}

/** Returns the unit in which the value is a time since 1970 in the years 2000 to 2100; `null` if none. */
function unitSince1970(value: number): 's' | 'ms' | 'us' | 'ns' | null {
  const units = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 } as const;
  for (const unit of ['s', 'ms', 'us', 'ns'] as const)
    if (value > 946_684_800 * units[unit] && value < 4_102_444_800 * units[unit]) return unit;
  return null;
}

function reasonToSkip(column: ColumnFacts): { name: string; because: string } | null {
  const { name, kind } = column;
  if (kind === 'text') return { name, because: 'text' };
  if (kind !== 'number' && kind !== 'list') return { name, because: 'not numeric' };
  if (column.rows > 0 && column.missing === column.rows) return { name, because: 'empty' };
  if (/(^|[/_.])next_(obs|observations?|states?)([/.]|$)/i.test(name))
    return { name, because: 'repeats the observations one step later' };
  return indexName.test(name) ||
    (column.is_whole && column.is_rising && column.median_step === 1 && /id|index|idx/i.test(name))
    ? { name, because: 'row counter' }
    : null;
}

/**
 * Groups columns whose names differ in the last part only into one stream; a gripper column without a group joins the
 * stream before it.
 */
function groupStreams(columns: readonly ColumnFacts[]): StreamGuess[] {
  const groups = new Map<string, ColumnFacts[]>();
  let previousStem: string | null = null;
  for (const column of columns) {
    const isAlone = column.kind === 'list' || stepRole(column.name) !== null;
    const ownStem: string = isAlone ? column.name : nameStem(column.name);
    const stem: string =
      ownStem === unnamedStream && previousStem !== null && gripperName.test(column.name)
        ? previousStem
        : ownStem;
    groups.set(stem, [...(groups.get(stem) ?? []), column]);
    previousStem = stem;
  }
  return [...groups].map(([id, members]) => {
    const name = streamName(id, members);
    const low = Math.min(...members.map((member) => member.low));
    const high = Math.max(...members.map((member) => member.high));
    const role = guessRole(name);
    return {
      ...{ id: name, role, low, high, unit: guessUnit(name, role.value, low, high) },
      columns: members.map(({ name }) => name),
      grippers: members
        .filter(({ name, kind }) => kind === 'number' && gripperName.test(name))
        .map(({ name }) => name),
    };
  });
}

/** Gives commands among the observations, such as the previous action, the role `other` if there is an action besides. */
function withoutObserved(streams: readonly StreamGuess[]): readonly StreamGuess[] {
  const isObserved = ({ id, role }: StreamGuess) => role.value === 'action' && isObservedCommand(id);
  if (!streams.some((stream) => stream.role.value === 'action' && !isObserved(stream))) return streams;
  const role = makeGuess<StreamRole>('other', 'a command among the observations, beside the action', null);
  return streams.map((stream) => (isObserved(stream) ? { ...stream, role, unit: null } : stream));
}

/** An end effector's pose, with a gripper, has up to this many dimensions. */
const maxPoseWidth = 7;

/**
 * Guesses radians for a state and an action of equal width that have more dimensions than a pose, and values beyond 1 and
 * within a full turn: vectors of joints whose names do not say so.
 */
function withVectorUnits(
  streams: readonly StreamGuess[],
  columns: ReadonlyMap<string, ColumnFacts>,
): readonly StreamGuess[] {
  const widthOf = ({ columns: [only, ...more] }: StreamGuess) =>
    more.length > 0 ? 0 : (columns.get(only)?.series.width ?? 0);
  const isAngular = ({ unit, low, high }: StreamGuess) => {
    const largest = Math.max(Math.abs(low), Math.abs(high));
    return unit === null && largest > 1.05 && largest <= fullTurn_rad * 1.05;
  };
  const found = (role: StreamRole) =>
    streams.filter(
      (stream) => stream.role.value === role && widthOf(stream) > maxPoseWidth && isAngular(stream),
    );
  const [states, actions] = [found('state'), found('action')];
  const paired = [
    ...states.filter((state) => actions.some((action) => widthOf(action) === widthOf(state))),
    ...actions.filter((action) => states.some((state) => widthOf(action) === widthOf(state))),
  ];
  return streams.map((stream) => {
    if (!paired.includes(stream)) return stream;
    const range = `state and action of ${widthOf(stream)} dimensions, with values from ${shortNumber(stream.low)} to ${shortNumber(stream.high)}`;
    return { ...stream, unit: makeGuess('rad', range, 'that these are joints in rad') };
  });
}

/** Maximum number of streams that are compared in pairs. */
const maxCompared = 16;

/**
 * Returns the streams, with the one that moves before another of its width as the action if no name tells the action.
 */
function withLeader(
  streams: readonly StreamGuess[],
  columns: ReadonlyMap<string, ColumnFacts>,
): readonly StreamGuess[] {
  if (streams.some(({ role }) => role.value === 'action')) return streams;
  const factsOf = ({ columns: [only, ...more] }: StreamGuess) =>
    more.length > 0 ? undefined : columns.get(only);
  let best: { leader: StreamGuess; follower: StreamGuess; rows: number } | null = null;
  const moving = streams.filter(isMotion).slice(0, maxCompared);
  for (const leader of moving)
    for (const follower of moving) {
      if (leader === follower) continue;
      const rows = rowsAhead(factsOf(leader), factsOf(follower));
      if (rows > 0 && (best === null || rows < best.rows)) best = { leader, follower, rows };
    }
  if (best === null) return streams;
  const { leader, follower, rows } = best;
  const reason = `moves like ${follower.id}, ${rows} ${rows === 1 ? 'row' : 'rows'} earlier`;
  return streams.map((stream) => {
    if (stream === leader)
      return { ...stream, role: makeGuess<StreamRole>('action', reason, 'that it is the command') };
    if (stream !== follower) return stream;
    const role = makeGuess<StreamRole>('state', `follows ${leader.id}`, 'that it is the measurement');
    return { ...stream, role };
  });
}

/** Returns the stem of a group; of a single column whose name ends in a letter, its name, which may be a word. */
function streamName(stem: string, [first, ...more]: readonly ColumnFacts[]): string {
  return more.length === 0 && stem !== unnamedStream && /[a-z]$/i.test(first.name) ? first.name : stem;
}

const isMotion = ({ role }: StreamGuess) => role.value === 'state' || role.value === 'other';

const lastPart =
  /[_. /[-]*(\d+\]?|q?[xyzw]|roll|pitch|yaw|(shoulder|elbow|wrist|waist|base|arm|hip|knee|ankle|forearm|gripper|finger|jaw|claw)([_. ](pan|lift|flex|roll|pitch|yaw|rotate|angle|pos|position|width))*)$/i;

const unnamedStream = 'signals';

function nameStem(name: string): string {
  const stem = name.replace(lastPart, '');
  if (stem !== name) return stem || unnamedStream;
  return name.replace(/[./][^./]*$/, '') || unnamedStream;
}
