import type { StreamRole } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { numericRole } from '../../shared/messages/topic-roles.ts';
import { openTable } from '../open-table.ts';
import type { Table, TableChunk, TableColumn } from '../table.ts';

/** A guess, and why it was made; `check`: nobody but a person can know. */
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

export interface StreamGuess {
  readonly id: string;
  readonly role: Guess<StreamRole>;
  readonly columns: readonly string[];
  readonly low: number;
  readonly high: number;
  readonly grippers: readonly string[];
}

export interface Guesses {
  readonly clocks: readonly Guess<ClockGuess>[];
  readonly episode: Guess<string> | null;
  readonly task: Guess<string> | null;
  readonly outcome: Guess<string> | null;
  readonly streams: readonly StreamGuess[];
  /** Columns that none of it takes, and why. */
  readonly left: readonly { readonly name: string; readonly because: string }[];
}

const timeName = /(^|[_. ])(t|time|times|timestamp|stamp|timestamps|sec|secs|nsec|ns|us|ms)([_. \d]|$)|time/i;
const episodeName =
  /^(episode|ep|run|trial|demo|traj|trajectory|rollout)([_ ]?(id|index|idx|no|num|number))?$/i;
const taskName = /^(task|instruction|language(_instruction)?|prompt|goal_text|description)$/i;
const outcomeName = /(^|[_.])(success|succeeded|outcome|is_success)$/i;
const indexName = /(^|[_. ])(index|idx|frame|frame_id|row|step|seq|count|unnamed: 0)$|^$/i;
const gripperName = /gripper|finger|jaw|claw/i;

/** What the columns of a table may mean, by names, types, ranges and order of their first rows. */
export function guess(columns: readonly ColumnFacts[], isSingle: boolean): Guesses {
  const rest = new Map(columns.map((column) => [column.name, column]));
  const take = (
    test: (column: ColumnFacts) => boolean,
    make: (column: ColumnFacts) => Guess<string>,
  ): Guess<string> | null => {
    const found = [...rest.values()].find(test);
    if (found === undefined) return null;
    rest.delete(found.name);
    return make(found);
  };
  const episode = take(
    ({ name }) => isSingle && episodeName.test(name),
    ({ name }) => because(name, 'by its name', 'that it tells episodes apart'),
  );
  const clocks = [...rest.values()].flatMap((column) => clockOf(column) ?? []);
  for (const { value } of clocks) rest.delete(value.column);
  const task = take(
    ({ name, kind }) => kind === 'text' && taskName.test(name),
    ({ name, distinct_texts: [first = ''] }) => because(name, `text, ${JSON.stringify(first)} for one`, null),
  );
  const outcome = take(
    ({ name }) => outcomeName.test(name),
    (column) => because(column.name, `holds ${valuesOf(column)}`, outcomeCheck),
  );
  const left = [...rest.values()].flatMap((column) => reasonToLeave(column) ?? []);
  for (const { name } of left) rest.delete(name);
  return { clocks, episode, task, outcome, streams: streamsOf([...rest.values()]), left };
}

const outcomeCheck = 'which value means success, and that others mean failure; leave out what is not sure';

function valuesOf({ distinct_texts, low, high }: ColumnFacts): string {
  return distinct_texts.length > 0
    ? distinct_texts.slice(0, 3).join(', ')
    : `${short(low)} to ${short(high)}`;
}

function because<Value>(value: Value, reason: string, check: string | null): Guess<Value> {
  return { value, because: reason, check };
}

function clockOf(column: ColumnFacts): Guess<ClockGuess> | null {
  const { name, kind, low, is_rising, median_step } = column;
  if (kind === 'time')
    return because({ column: name, unit: 'ns', epoch: 'unix' }, 'a column of points in time', null);
  if (
    kind === 'text' &&
    column.distinct_texts.some((text) => /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/.test(text))
  )
    return because(
      { column: name, unit: 'iso8601', epoch: 'unix' },
      'dates and times as text',
      'the zone: UTC is taken where none is written',
    );
  if (kind !== 'number' || !is_rising || !timeName.test(name) || indexName.test(name)) return null;
  const since1970 = unitSince1970(low);
  const rising = `never goes back; from ${short(low)} in steps of ${short(median_step)}`;
  if (since1970 !== null)
    return because(
      { column: name, unit: since1970, epoch: 'unix' },
      `${rising}: ${since1970} since 1970`,
      null,
    );
  const suffix = /(?:^|[_. ])(ns|nsec|us|usec|ms|msec|s|sec|secs|seconds)$/i.exec(name)?.[1].toLowerCase();
  const unit = suffix === undefined ? null : ({ n: 'ns', u: 'us', m: 'ms', s: 's' } as const)[suffix[0]];
  if (unit != null)
    return because({ column: name, unit, epoch: 'none' }, `${rising}; its name ends in the unit`, null);
  const likely = median_step >= 1e5 ? 'ns' : median_step >= 1000 ? 'us' : median_step >= 1 ? 'ms' : 's';
  return because(
    { column: name, unit: likely, epoch: 'none' },
    rising,
    `the unit: ${likely} fits usual rates, nothing says so`,
  );
}

/** Of the years 2000 to 2100. */
function unitSince1970(value: number): 's' | 'ms' | 'us' | 'ns' | null {
  const units = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 } as const;
  for (const unit of ['s', 'ms', 'us', 'ns'] as const)
    if (value > 946_684_800 * units[unit] && value < 4_102_444_800 * units[unit]) return unit;
  return null;
}

function reasonToLeave(column: ColumnFacts): { name: string; because: string } | null {
  const { name, kind } = column;
  if (kind === 'text') return { name, because: 'text' };
  if (kind !== 'number' && kind !== 'list') return { name, because: 'no numbers' };
  if (column.rows > 0 && column.missing === column.rows) return { name, because: 'empty' };
  return indexName.test(name) ||
    (column.is_whole && column.is_rising && column.median_step === 1 && /id|index|idx/i.test(name))
    ? { name, because: 'counts rows' }
    : null;
}

/** Columns whose names differ in their last part alone are one stream; a gripper goes with the joints before it. */
function streamsOf(columns: readonly ColumnFacts[]): StreamGuess[] {
  const groups = new Map<string, ColumnFacts[]>();
  let before: string | null = null;
  for (const column of columns) {
    const own: string = column.kind === 'list' ? column.name : stemOf(column.name);
    const stem: string = own === nameless && before !== null && gripperName.test(column.name) ? before : own;
    groups.set(stem, [...(groups.get(stem) ?? []), column]);
    before = stem;
  }
  return [...groups].map(([id, members]) => ({
    id,
    role: roleOf(id),
    columns: members.map(({ name }) => name),
    low: Math.min(...members.map(({ low }) => low)),
    high: Math.max(...members.map(({ high }) => high)),
    grippers: members.filter(({ name }) => gripperName.test(name)).map(({ name }) => name),
  }));
}

const lastPart =
  /[_. /[-]*(\d+\]?|q?[xyzw]|roll|pitch|yaw|(shoulder|elbow|wrist|waist|base|arm|hip|knee|ankle|forearm|gripper|finger|jaw|claw)([_. ](pan|lift|flex|roll|pitch|yaw|rotate|angle|pos|position|width))*)$/i;

const nameless = 'signals';

function stemOf(name: string): string {
  const stem = name.replace(lastPart, '');
  if (stem !== name) return stem || nameless;
  return name.replace(/[./][^./]*$/, '') || nameless;
}

function roleOf(id: string): Guess<StreamRole> {
  const role = /^(j|q|joint|joints|dq|signals)$/i.test(id) ? 'state' : numericRole(id, '');
  return role === 'other'
    ? because(
        role,
        'its name is no known one',
        'the role: action, state, imu, gnss, vehicle, effort, … ; other is kept and not judged',
      )
    : because(
        role,
        'by its name',
        role === 'action' || role === 'state'
          ? 'what was commanded is action, what was measured is state'
          : null,
      );
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** What the first rows of a column show. */
interface ColumnFacts {
  readonly name: string;
  readonly kind: TableColumn['kind'];
  /** Of the rows looked at. */
  readonly rows: number;
  readonly missing: number;
  readonly low: number;
  readonly high: number;
  readonly is_whole: boolean;
  /** Never goes back, and moves. */
  readonly is_rising: boolean;
  readonly median_step: number;
  readonly distinct_texts: readonly string[];
}

const rowsLooked = 5000;
const textsKept = 5;

/** Looks at the first rows of a table. Throws what makes it unreadable. */
export async function lookAtColumns(tree: SourceTree, path: string): Promise<readonly ColumnFacts[]> {
  await using table = await openTable(tree, path, undefined);
  const numbers = table.columns.filter(({ kind }) => kind === 'number' || kind === 'list');
  const texts = table.columns.filter(({ kind }) => kind === 'number' || kind === 'text');
  const values = numbers.map((): number[] => []);
  const said = texts.map(() => new Set<string>());
  await eachRow(table, numbers, texts, (chunk, row) => {
    chunk.numbers.forEach(({ values: source, width }, at) => {
      values[at].push(width === 0 ? Number.NaN : source[row * width]);
    });
    said.forEach((set, at) => {
      const text = set.size < textsKept ? chunk.text(at, row) : null;
      if (text !== null) set.add(text);
    });
  });
  return table.columns.map((column) =>
    factsOf(column, values[numbers.indexOf(column)] ?? [], [...(said[texts.indexOf(column)] ?? [])]),
  );
}

async function eachRow(
  table: Table,
  numbers: readonly TableColumn[],
  texts: readonly TableColumn[],
  take: (chunk: TableChunk, row: number) => void,
): Promise<void> {
  let rows = 0;
  for await (const chunk of table.chunks({ numbers, texts, stamps: [], key: null })) {
    for (let row = 0; row < chunk.rows && rows < rowsLooked; row++, rows++) take(chunk, row);
    if (rows >= rowsLooked) return;
  }
}

function factsOf(
  { name, kind }: TableColumn,
  values: readonly number[],
  distinct_texts: readonly string[],
): ColumnFacts {
  const there = values.filter((value) => Number.isFinite(value));
  const steps = there.slice(1).map((value, at) => value - there[at]);
  const sorted = steps.toSorted((a, b) => a - b);
  const isText = kind === 'number' && there.length === 0 && distinct_texts.length > 0;
  return {
    name,
    kind: isText ? 'text' : kind,
    rows: values.length,
    missing: values.length - there.length,
    low: there.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    high: there.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    is_whole: there.length > 0 && there.every((value) => Number.isInteger(value)),
    is_rising: steps.length > 0 && sorted[0] >= 0 && sorted[sorted.length - 1] > 0,
    median_step: sorted[sorted.length >> 1] ?? Number.NaN,
    distinct_texts,
  };
}
