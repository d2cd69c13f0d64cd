import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSet, temporaryFolder, writeSet } from '#test/support/lerobot-set';
import { rounds } from '#test/support/tiers';
import { type EditRequest, planRowRanges, readEdits } from '../../shared/write/edits/registry.ts';
import { toTrainingEpisode } from '../../shared/write/training-episode.ts';
import { LeRobotCopy } from './copy-set.ts';
import { type CopySource, readSetInfo, resolveSetFeatures } from './features.ts';
import { type LeRobotVersion, lerobotLayouts } from './layouts/layouts.ts';

const sizes = fc.record({
  layout: fc.constantFrom('v2' as const, 'v3' as const),
  // A dimension holds the number of the episode: of one it is constant, and the reader says so.
  episodes: fc.integer({ min: 2, max: 4 }),
  rows: fc.integer({ min: 8, max: 20 }),
  files: fc.integer({ min: 1, max: 2 }),
  /** Its first episodes are `train`, the others `test`; 0: all are `train`. */
  tested: fc.integer({ min: 0, max: 1 }),
});
type Shape = typeof sizes extends fc.Arbitrary<infer Value> ? Value : never;
const requests = fc.record({
  shift: fc.constantFrom([], ['action=-2']),
  trim: fc.constantFrom([], ['0.3..']),
  split: fc.constantFrom([], ['a=0.5', 'b=0.5']),
});

/** The second set calls its state something else, and has a task that the first has too under another index. */
async function setOf({ episodes, tested, ...shape }: Shape, place: number) {
  const last = Math.max(0, episodes - tested);
  const splits =
    tested === 0 ? { train: `0:${episodes}` } : { train: `0:${last}`, test: `${last}:${episodes}` };
  const joints = (text: string) =>
    place === 0 ? text : text.replace('observation.state', 'observation.joints');
  const root = await writeSet({
    ...shape,
    episodes,
    files: Math.min(shape.files, episodes),
    data: (rows) =>
      `SELECT * ${place === 0 ? '' : 'RENAME ("observation.state" AS "observation.joints")'} FROM (${rows})`,
    info: (info) => JSON.parse(joints(JSON.stringify({ ...info, splits }))),
  });
  const names: Readonly<Record<string, string>> =
    place === 0 ? {} : { 'observation.joints': 'observation.state' };
  return { source: { name: `set ${place}`, root, names }, read: await readSet(root), last };
}

async function merged(
  sets: readonly Awaited<ReturnType<typeof setOf>>[],
  version: LeRobotVersion,
  request: EditRequest,
) {
  const folder = join(await temporaryFolder(), 'merged');
  const copy = new LeRobotCopy(
    folder,
    sets.map(({ source }) => source),
    {
      layout: lerobotLayouts[version],
      edits: readEdits(request),
      rate_hz: null,
      decode: async function* () {},
      signal: new AbortController().signal,
      onProgress: () => {},
    },
  );
  for (const [place, { source, read }] of sets.entries())
    for (const episode of read.episodes) await copy.add(place, toTrainingEpisode(episode, source.root, 10));
  await copy.finish();
  return { folder, copy };
}

it('a merge has every row of every set once, tasks by text, splits as ranges, and totals that add up', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sizes, { minLength: 2, maxLength: 3 }),
      fc.constantFrom<LeRobotVersion>('lerobot-v3', 'lerobot-v2.1'),
      requests,
      async (shapes, version, request) => {
        const sets = await Promise.all(shapes.map(setOf));
        const { folder, copy } = await merged(sets, version, request);
        const after = await readSet(folder);
        expect(after.codes.filter((code) => code !== 'stats_quantiles_equal')).toEqual([]);
        const steps = readEdits(request);
        const wanted = sets.flatMap(({ source, read }, place) =>
          read.episodes.flatMap((episode) =>
            planRowRanges(steps, toTrainingEpisode(episode, source.root, 10)).map((piece) => ({
              place,
              episode,
              ...piece,
            })),
          ),
        );
        const rows = wanted.reduce((sum, { first, until }) => sum + until - first, 0);
        expect(after.dataset.facts).toMatchObject({
          declared_episodes: wanted.length,
          declared_frames: rows,
        });
        expect(copy.rows).toBe(rows);
        for (const [index, { source, source_index, first, rows: own }] of copy.episodes.entries()) {
          const from = sets[source].read.episodes[source_index];
          const to = after.episodes[index];
          expect(to.tasks?.map(({ text }) => text)).toEqual(from.tasks?.map(({ text }) => text));
          for (const { id, series } of from.streams.filter((stream) => stream.series !== undefined)) {
            const { dims, values } = series!;
            const name = id === 'observation.joints' ? 'observation.state' : id;
            const by = name === 'action' && request.shift.length > 0 ? 2 : 0;
            const written = to.streams.find((stream) => stream.id === name)?.series?.values ?? [];
            expect(Array.from(written)).toEqual(
              Array.from(values.subarray((first + by) * dims, (first + own + by) * dims)),
            );
          }
        }
        checkSplits(JSON.parse(readFileSync(join(folder, 'meta/info.json'), 'utf8')), sets, copy, request);
        checkCounts(JSON.parse(readFileSync(join(folder, 'meta/stats.json'), 'utf8')), rows);
      },
    ),
    { numRuns: rounds(4, 160) },
  );
}, 240_000);

function checkSplits(
  { splits }: { splits: Record<string, string> },
  sets: readonly { readonly last: number }[],
  { episodes: kept }: LeRobotCopy,
  { split }: EditRequest,
): void {
  const ranges = Object.entries(splits).map(
    ([name, range]) => [name, ...range.split(':').map(Number)] as const,
  );
  expect(ranges.reduce((sum, [, from, until]) => sum + until - from, 0)).toBe(kept.length);
  for (const [name, from, until] of ranges)
    for (const { source, source_index } of kept.slice(from, until))
      if (split.length === 0) expect(source_index < sets[source].last ? 'train' : 'test').toBe(name);
}

function checkCounts(statistics: Record<string, { count: number[]; max: number[] }>, rows: number): void {
  for (const { count } of Object.values(statistics)) expect(count).toEqual([rows]);
  expect(statistics.index.max).toEqual([rows - 1]);
}

it('a merge of sets that differ is refused with every difference', async () => {
  const info = (change: object) => (own: Record<string, unknown>) => ({ ...own, ...change });
  const features = (own: Record<string, unknown>) => own.features as Record<string, object>;
  const roots = await Promise.all([
    writeSet({}),
    writeSet({
      info: (own) => ({
        ...info({ fps: 20, robot_type: 'koch' })(own),
        features: {
          ...features(own),
          action: { dtype: 'float64', shape: [4], names: { motors: ['a', 'z'] } },
          more: { dtype: 'float32', shape: [1], names: null },
        },
      }),
    }),
  ]);
  const sources: CopySource[] = roots.map((root, place) => ({ name: 'ab'[place], root, names: {} }));
  const planned = () => resolveSetFeatures(sources.map(readSetInfo), null, []);
  for (const difference of [
    'fps is 10 in a and 20 in b',
    'robot_type is so101_follower in a and koch in b',
    'dtype of action is float32 in a and float64 in b',
    'shape of action is [2] in a and [4] in b',
    'names of action is {"motors":["a","b"]} in a and {"motors":["a","z"]} in b',
    'more exists in b but not in a',
  ])
    expect(planned).toThrow(difference);
});
