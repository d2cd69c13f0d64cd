import type { StreamRole } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { numericRole } from '../../shared/messages/topic-roles.ts';
import { openTable } from '../open-table.ts';
import type { Table, TableChunk, TableColumn } from '../table.ts';

/** A guess with its reason. `check` says what a person must confirm; `null` if nothing. */
export interface Guess<Value> {
  readonly value: Value;
  readonly because: string;
  readonly check: string | null;
}

interface ClockGuess {
  readonly column: string;
  readonly unit: 's' | 'ms' | 'us' | 'ns' | 'iso8601';
  readonly epoch: 'unix' | 'none';
}

/** A proposed stream, with the range of its values in the sampled rows. */
export interface StreamGuess {
  readonly id: string;
  readonly role: Guess<StreamRole>;
  readonly columns: readonly string[];
  readonly low: number;
  readonly high: number;
  readonly grippers: readonly string[];
}

/** Proposed meaning of a table's columns. */
export interface Guesses {
  readonly clocks: readonly Guess<ClockGuess>[];
  readonly episode: Guess<string> | null;
  readonly task: Guess<string> | null;
  readonly outcome: Guess<string> | null;
  readonly streams: readonly StreamGuess[];
  /** Columns that are not used, with reasons. */
  readonly skipped: readonly { readonly name: string; readonly because: string }[];
}

const timeName = /(^|[_. ])(t|time|times|timestamp|stamp|timestamps|sec|secs|nsec|ns|us|ms)([_. \d]|$)|time/i;
const episodeName =
  /^(episode|ep|run|trial|demo|traj|trajectory|rollout)([_ ]?(id|index|idx|no|num|number))?$/i;
const taskName = /^(task|instruction|language(_instruction)?|prompt|goal_text|description)$/i;
const outcomeName = /(^|[_.])(success|succeeded|outcome|is_success)$/i;
const indexName = /(^|[_. ])(index|idx|frame|frame_id|row|step|seq|count|unnamed: 0)$|^$/i;
const gripperName = /gripper|finger|jaw|claw/i;

/**
 * Guesses the meaning of a table's columns from names, types, ranges and order of the first rows.
 * @param isSingle true if there is only one table, which may hold several episodes
 */
export function guessMapping(columns: readonly ColumnFacts[], isSingle: boolean): Guesses {
  const remaining = new Map(columns.map((column) => [column.name, column]));
  const takeColumn = (
    test: (column: ColumnFacts) => boolean,
    toGuess: (column: ColumnFacts) => Guess<string>,
  ): Guess<string> | null => {
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
    ({ name, distinct_texts: [first = ''] }) =>
      makeGuess(name, `text, for example ${JSON.stringify(first)}`, null),
  );
  const outcome = takeColumn(
    ({ name }) => outcomeName.test(name),
    (column) => makeGuess(column.name, `values: ${describeValues(column)}`, outcomeCheck),
  );
  const skipped = [...remaining.values()].flatMap((column) => reasonToSkip(column) ?? []);
  for (const { name } of skipped) remaining.delete(name);
  return { clocks, episode, task, outcome, streams: groupStreams([...remaining.values()]), skipped: skipped };
}

const outcomeCheck = 'which value means success and which failure; remove the line if you are not sure';

function describeValues({ distinct_texts, low, high }: ColumnFacts): string {
  return distinct_texts.length > 0
    ? distinct_texts.slice(0, 3).join(', ')
    : `${shortNumber(low)} to ${shortNumber(high)}`;
}

function makeGuess<Value>(value: Value, reason: string, check: string | null): Guess<Value> {
  return { value, because: reason, check };
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
    const ownStem: string = column.kind === 'list' ? column.name : nameStem(column.name);
    const stem: string =
      ownStem === unnamedStream && previousStem !== null && gripperName.test(column.name)
        ? previousStem
        : ownStem;
    groups.set(stem, [...(groups.get(stem) ?? []), column]);
    previousStem = stem;
  }
  return [...groups].map(([id, members]) => ({
    id,
    role: guessRole(id),
    columns: members.map(({ name }) => name),
    low: Math.min(...members.map(({ low }) => low)),
    high: Math.max(...members.map(({ high }) => high)),
    grippers: members.filter(({ name }) => gripperName.test(name)).map(({ name }) => name),
  }));
}

const lastPart =
  /[_. /[-]*(\d+\]?|q?[xyzw]|roll|pitch|yaw|(shoulder|elbow|wrist|waist|base|arm|hip|knee|ankle|forearm|gripper|finger|jaw|claw)([_. ](pan|lift|flex|roll|pitch|yaw|rotate|angle|pos|position|width))*)$/i;

const unnamedStream = 'signals';

function nameStem(name: string): string {
  const stem = name.replace(lastPart, '');
  if (stem !== name) return stem || unnamedStream;
  return name.replace(/[./][^./]*$/, '') || unnamedStream;
}

function guessRole(id: string): Guess<StreamRole> {
  const role = /^(j|q|joint|joints|dq|signals)$/i.test(id) ? 'state' : numericRole(id, '');
  return role === 'other'
    ? makeGuess(
        role,
        'unknown column name',
        'the role: action, state, imu, gnss, vehicle, effort, …; other is kept but not evaluated',
      )
    : makeGuess(
        role,
        'from its name',
        role === 'action' || role === 'state' ? 'commands are action, measurements are state' : null,
      );
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** Statistics of a column's first rows. */
interface ColumnFacts {
  readonly name: string;
  readonly kind: TableColumn['kind'];
  /** Number of sampled rows. */
  readonly rows: number;
  readonly missing: number;
  readonly low: number;
  readonly high: number;
  readonly is_whole: boolean;
  /** True if values never decrease and change at least once. */
  readonly is_rising: boolean;
  readonly median_step: number;
  readonly distinct_texts: readonly string[];
}

const maxSampledRows = 5000;
const maxTexts = 5;

/**
 * Reads the first rows of a table and returns statistics of each column.
 * @throws AssayError if the table cannot be read
 */
export async function readColumnFacts(tree: SourceTree, path: string): Promise<readonly ColumnFacts[]> {
  await using table = await openTable(tree, path, undefined);
  const numbers = table.columns.filter(({ kind }) => kind === 'number' || kind === 'list');
  const texts = table.columns.filter(({ kind }) => kind === 'number' || kind === 'text');
  const values = numbers.map((): number[] => []);
  const textSets = texts.map(() => new Set<string>());
  await forEachRow(table, numbers, texts, (chunk, row) => {
    chunk.numbers.forEach(({ values: source, width }, at) => {
      values[at].push(width === 0 ? Number.NaN : source[row * width]);
    });
    textSets.forEach((set, at) => {
      const text = set.size < maxTexts ? chunk.text(at, row) : null;
      if (text !== null) set.add(text);
    });
  });
  return table.columns.map((column) =>
    computeFacts(column, values[numbers.indexOf(column)] ?? [], [...(textSets[texts.indexOf(column)] ?? [])]),
  );
}

async function forEachRow(
  table: Table,
  numbers: readonly TableColumn[],
  texts: readonly TableColumn[],
  takeColumn: (chunk: TableChunk, row: number) => void,
): Promise<void> {
  let rows = 0;
  for await (const chunk of table.chunks({ numbers, texts, stamps: [], key: null })) {
    for (let row = 0; row < chunk.rows && rows < maxSampledRows; row++, rows++) takeColumn(chunk, row);
    if (rows >= maxSampledRows) return;
  }
}

function computeFacts(
  { name, kind }: TableColumn,
  values: readonly number[],
  distinct_texts: readonly string[],
): ColumnFacts {
  const finite = values.filter((value) => Number.isFinite(value));
  const steps = finite.slice(1).map((value, at) => value - finite[at]);
  const sorted = steps.toSorted((a, b) => a - b);
  const isText = kind === 'number' && finite.length === 0 && distinct_texts.length > 0;
  return {
    name,
    kind: isText ? 'text' : kind,
    rows: values.length,
    missing: values.length - finite.length,
    low: finite.reduce((min, value) => Math.min(min, value), Number.POSITIVE_INFINITY),
    high: finite.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY),
    is_whole: finite.length > 0 && finite.every((value) => Number.isInteger(value)),
    is_rising: steps.length > 0 && sorted[0] >= 0 && sorted[sorted.length - 1] > 0,
    median_step: sorted[sorted.length >> 1] ?? Number.NaN,
    distinct_texts,
  };
}
