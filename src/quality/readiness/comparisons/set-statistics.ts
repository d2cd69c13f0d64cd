import { significant } from '#core';
import type { DeclaredStatistics, Finding, StreamStatistics } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import type { Subject } from '../check.ts';
import { type ComparisonRow, defineComparison } from '../comparison.ts';
import { decodeIdList, encodeIdList, selectComparedStreams } from './shared/comparison-rows.ts';

/**
 * Moments of an episode's state and action dimensions, one stream after the other, and the luma of its
 * cameras.
 */
export type StatisticsRow = {
  /** List of stream id, dimensions and rows, as in `action 6 300`. */
  readonly streams: string;
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly mean: readonly number[];
  readonly std: readonly number[];
  /** List of camera ids. */
  readonly cameras: string;
  /** Mean luma of the cameras' sampled frames, 0..255. */
  readonly luma: readonly number[];
};

/**
 * Maximum difference of mean luma. Declared statistics are of samples before encoding, so only an obvious
 * difference is reported.
 */
const maxLumaDifference = 64;

export const setStatistics = defineComparison<StatisticsRow>({
  id: 'set_statistics',
  title: comparisonTitles.set_statistics,
  about:
    'If the metadata declares min, max, mean and std over all rows (LeRobot: meta/stats.json), compares those of state and action with the rows, up to float32 precision: min and max to 2⁻²², mean to (n + 8√N) · 2⁻²⁴ of the root mean square, variance to three times that of its square, with n rows in the longest episode and N in total. Mean and std only if every episode could be read. The declared mean of a camera is compared with the luma of its sampled frames and reported if they differ by more than 64 of 255.',
  judged_by: [],
  collect(subject) {
    if (subject.declared_statistics === undefined) return null;
    const row = createRow(subject, subject.declared_statistics);
    return row.streams === '' && row.cameras === '' ? null : row;
  },
  conclude(rows, { declared_statistics: declared }) {
    const findings =
      declared === undefined
        ? []
        : [...createSignalFindings(rows, declared), ...createPictureFindings(rows, declared)];
    return { findings, notes: new Map() };
  },
});

function createRow(subject: Subject, declared: DeclaredStatistics): StatisticsRow {
  const streams: string[] = [];
  const numbers = { min: [] as number[], max: [] as number[], mean: [] as number[], std: [] as number[] };
  for (const stream of [
    ...selectComparedStreams(subject, 'state'),
    ...selectComparedStreams(subject, 'action'),
  ]) {
    if (declared.streams[stream.id] === undefined) continue;
    const { minimum, maximum, mean, std, dims, samples, non_finite } = subject.features.forStream(stream);
    // Non-finite values are reported elsewhere and leave no sums to compare.
    if (non_finite > 0 || samples === 0) continue;
    streams.push(`${stream.id} ${dims} ${samples}`);
    numbers.min.push(...minimum);
    numbers.max.push(...maximum);
    numbers.mean.push(...mean);
    numbers.std.push(...std);
  }
  const cameras: string[] = [];
  const luma: number[] = [];
  for (const [id, { sampled }] of subject.cameras) {
    if (declared.luma[id] === undefined || sampled.luma_mean.length === 0) continue;
    cameras.push(id);
    luma.push(sampled.luma_mean.reduce((sum, value) => sum + value, 0) / sampled.luma_mean.length);
  }
  return { streams: encodeIdList(streams), ...numbers, cameras: encodeIdList(cameras), luma };
}

type Rows = readonly ComparisonRow<StatisticsRow>[];

function createSignalFindings(rows: Rows, declared: DeclaredStatistics): Finding[] {
  const wrong = [...poolRows(rows)].flatMap(([id, pool]) => {
    const of = declared.streams[id];
    const difference =
      of === undefined ? null : findDisagreement(id, pool, of, pool.episodes === declared.episodes);
    return difference === null ? [] : [{ id, said: difference }];
  });
  if (wrong.length === 0) return [];
  const others = wrong.slice(1).map(({ id }) => id);
  return [
    {
      ...declared.wrong,
      path: declared.path,
      message: `${declared.path} does not match the data: ${wrong[0].said}${others.length === 0 ? '' : `; also wrong: ${others.join(', ')}`}`,
      evidence: { streams: wrong.map(({ id }) => id) },
    },
  ];
}

function poolRows(rows: Rows): Map<string, Pool> {
  const pools = new Map<string, Pool>();
  for (const { row } of rows) {
    let first = 0;
    for (const line of decodeIdList(row.streams)) {
      const [, id, dims, samples] = /^(.*) (\d+) (\d+)$/s.exec(line)!;
      let pool = pools.get(id);
      if (pool === undefined) {
        pool = createPool(Number(dims));
        pools.set(id, pool);
      }
      if (pool.dims === Number(dims)) addMoments(pool, row, first, Number(samples));
      first += Number(dims);
    }
  }
  return pools;
}

const float32Unit = 2 ** -24;

/**
 * Describes the first declared statistic of a stream that differs from the rows; `null` if none. `complete`:
 * the pool contains every row of the dataset.
 */
function findDisagreement(
  id: string,
  pool: Pool,
  { min, max, mean, std, count }: StreamStatistics,
  complete: boolean,
): string | null {
  const { dims, rows, longest } = pool;
  for (const list of [min, max, mean, std])
    if (list !== null && list.length !== dims) return `${id} has ${list.length} values, a row has ${dims}`;
  const rounding = (longest + 8 * Math.sqrt(rows)) * float32Unit;
  for (let d = 0; d < dims; d++) {
    const say = (name: string, said: number, found: number) =>
      `${name} of ${id} dimension ${d} is ${significant(said)}, computed from the rows ${significant(found)}`;
    const [low, high, middle, spread] = [pool.min[d], pool.max[d], pool.mean[d], pool.squares[d] / rows];
    if (min !== null && differs(min[d], low, 4 * float32Unit * Math.abs(low), complete ? 'both' : 'above'))
      return say('min', min[d], low);
    if (max !== null && differs(max[d], high, 4 * float32Unit * Math.abs(high), complete ? 'both' : 'below'))
      return say('max', max[d], high);
    if (!complete) continue;
    const square = spread + middle * middle;
    if (mean !== null && differs(mean[d], middle, rounding * Math.sqrt(square), 'both'))
      return say('mean', mean[d], middle);
    const slack = 3 * rounding * square + spread / Math.max(1, rows - 1);
    if (std !== null && differs(std[d] ** 2, spread, slack, 'both'))
      return say('std', std[d], Math.sqrt(spread));
  }
  return complete && count !== null && count !== rows
    ? `count of ${id} is ${count}, but there are ${rows} rows`
    : null;
}

/**
 * Returns `true` if a declared value differs by more than `slack` to the given side. Unread rows may only
 * extend a range, so an incomplete pool is compared on one side.
 */
function differs(declared: number, found: number, slack: number, side: 'above' | 'below' | 'both'): boolean {
  const over = declared - found;
  return (side !== 'below' && over > slack) || (side !== 'above' && over < -slack);
}

function createPictureFindings(rows: Rows, declared: DeclaredStatistics): Finding[] {
  const lumaByCamera = new Map<string, { sum: number; episodes: number }>();
  for (const { row } of rows) {
    for (const [at, id] of decodeIdList(row.cameras).entries()) {
      const { sum, episodes } = lumaByCamera.get(id) ?? { sum: 0, episodes: 0 };
      lumaByCamera.set(id, { sum: sum + row.luma[at], episodes: episodes + 1 });
    }
  }
  return [...lumaByCamera].flatMap(([id, { sum, episodes }]) => {
    const [declaredLuma, found] = [declared.luma[id], sum / episodes];
    if (declaredLuma === undefined || Math.abs(declaredLuma - found) <= maxLumaDifference) return [];
    return [
      {
        ...declared.pictures_wrong,
        path: declared.path,
        message: `${declared.path} declares a mean brightness of ${Math.round(declaredLuma)} of 255 for camera ${id}; sampled frames of ${episodes} episodes have ${Math.round(found)}`,
        evidence: { camera: id, declared: Math.round(declaredLuma), found: Math.round(found) },
      },
    ];
  });
}

/** Pooled moments of the episodes' rows, by dimension. */
interface Pool {
  readonly dims: number;
  episodes: number;
  rows: number;
  /** Rows of the longest episode. */
  longest: number;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
  /** Sums of squared deviations from the mean. */
  readonly squares: Float64Array;
}

function createPool(dims: number): Pool {
  return {
    dims,
    episodes: 0,
    rows: 0,
    longest: 0,
    min: new Float64Array(dims).fill(Number.POSITIVE_INFINITY),
    max: new Float64Array(dims).fill(Number.NEGATIVE_INFINITY),
    mean: new Float64Array(dims),
    squares: new Float64Array(dims),
  };
}

interface Moments {
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly mean: readonly number[];
  readonly std: readonly number[];
}

/**
 * Adds an episode of `samples` rows, whose dimensions begin at `first`, to a pool (Chan, Golub and LeVeque
 * 1979).
 */
function addMoments(pool: Pool, moments: Moments, first: number, samples: number): void {
  const rows = pool.rows + samples;
  for (let d = 0; d < pool.dims; d++) {
    const at = first + d;
    const delta = moments.mean[at] - pool.mean[d];
    pool.min[d] = Math.min(pool.min[d], moments.min[at]);
    pool.max[d] = Math.max(pool.max[d], moments.max[at]);
    pool.mean[d] += (delta * samples) / rows;
    pool.squares[d] += moments.std[at] ** 2 * samples + (delta * delta * pool.rows * samples) / rows;
  }
  pool.rows = rows;
  pool.episodes += 1;
  pool.longest = Math.max(pool.longest, samples);
}
