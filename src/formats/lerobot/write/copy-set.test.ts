import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Episode, type Stream, timesOf } from '#core/episode';
import { type ReadSet, readSet, temporaryFolder, writeSet } from '#test/support/lerobot-set';
import { rounds } from '#test/support/tiers';
import { type EditRequest, planRowRanges, readEdits } from '../../shared/write/edits/registry.ts';
import { type TrainingEpisode, toTrainingEpisode } from '../../shared/write/training-episode.ts';
import type { CopiedAnnotations } from './copied-annotations.ts';
import { LeRobotCopy } from './copy-set.ts';
import { type LeRobotVersion, lerobotLayouts } from './layouts/layouts.ts';

const requests = fc.record({
  shift: fc.constantFrom([], ['action=-2'], ['action=3', 'observation.state=-1']),
  trim: fc.constantFrom([], ['0.3..1.5'], ['..1'], ['0.6..']),
  convert: fc.constantFrom([], ['action=deg:rad']),
  rename: fc.constantFrom([], ['observation.state=observation.joints']),
  drop: fc.constantFrom([], ['action']),
});
const targets = fc.constantFrom<LeRobotVersion>('lerobot-v3', 'lerobot-v2.1');

const valuesOf = ({ streams }: Episode, key: string) => streams.find(({ id }) => id === key)?.series;

/** What a feature of the new set has to hold. */
function expected(stream: Stream, first: number, until: number, shift: number, factor: number): number[] {
  const { values, dims } = stream.series!;
  const rows = values.subarray((first - shift) * dims, (until - shift) * dims);
  return Array.from(rows, (value) => Math.fround(value * factor));
}

type Request = Readonly<Record<'shift' | 'trim' | 'convert' | 'rename' | 'drop', readonly string[]>>;

const shiftOf = (texts: readonly string[], key: string) =>
  Number(texts.find((text) => text.startsWith(`${key}=`))?.split('=')[1] ?? 0);

async function copied(
  source: ReadSet,
  root: string,
  version: LeRobotVersion,
  request: EditRequest,
  told: CopiedAnnotations | null = null,
) {
  const folder = join(await temporaryFolder(), 'copy');
  const copy = new LeRobotCopy(folder, [{ name: 'set', root, names: {} }], {
    layout: lerobotLayouts[version],
    edits: readEdits(request),
    rate_hz: null,
    decode: async function* () {},
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  const training = source.episodes.map((episode) => toTrainingEpisode(episode, root, 10));
  for (const episode of training) await copy.add(0, episode, told);
  await copy.finish().finally(() => copy.close());
  return { folder, copy, training };
}

function planned(training: readonly TrainingEpisode[], request: EditRequest) {
  const steps = readEdits(request);
  return training.flatMap((episode, at) => planRowRanges(steps, episode).map((piece) => ({ at, ...piece })));
}

it('a copy has the rows that the edits leave, counted anew, and statistics and totals that add up', async () => {
  const roots = [
    await writeSet({ layout: 'v2', episodes: 4, rows: 24 }),
    await writeSet({ episodes: 4, rows: 24 }),
  ];
  const sources = await Promise.all(roots.map(readSet));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 1), targets, requests, async (which, version, asked) => {
      const request: Request = asked.drop.length > 0 ? { ...asked, shift: [], convert: [] } : asked;
      const { folder, training } = await copied(sources[which], roots[which], version, request);
      const pieces = planned(training, request);
      const after = await readSet(folder);
      // A dimension of these sets is constant in each episode.
      expect(after.codes.filter((code) => code !== 'stats_quantiles_equal')).toEqual([]);
      const total = pieces.reduce((sum, { first, until }) => sum + until - first, 0);
      expect(after.dataset.facts).toMatchObject({ declared_episodes: pieces.length, declared_frames: total });
      for (const [place, { at, first, until }] of pieces.entries()) {
        const own = after.episodes[place];
        for (const stream of sources[which].episodes[at].streams.filter(
          ({ series }) => series !== undefined,
        )) {
          const renamed = stream.id === 'observation.state' && request.rename.length > 0;
          const key = renamed ? 'observation.joints' : stream.id;
          if (request.drop.includes(stream.id)) {
            expect(valuesOf(own, key)).toBeUndefined();
            continue;
          }
          const factor = stream.id === 'action' && request.convert.length > 0 ? Math.PI / 180 : 1;
          const wanted = expected(stream, first, until, shiftOf(request.shift, stream.id), factor);
          expect(Array.from(valuesOf(own, key)!.values)).toEqual(wanted);
        }
        const times = timesOf(own.streams[0]) ?? [];
        expect(Array.from(times)).toEqual(
          Array.from({ length: until - first }, (_, row) => Math.fround(row / 10)),
        );
      }
      if (version === 'lerobot-v3') checkStatistics(folder, after.episodes, total);
    }),
    { numRuns: rounds(4, 160) },
  );
}, 120_000);

/** The set's statistics are those of all rows. */
function checkStatistics(folder: string, episodes: readonly Episode[], rows: number): void {
  const statistics = JSON.parse(readFileSync(join(folder, 'meta/stats.json'), 'utf8'));
  for (const { id, series } of episodes[0].streams) {
    if (series === undefined) continue;
    const all = episodes.flatMap((episode) => Array.from(valuesOf(episode, id)!.values));
    for (let dim = 0; dim < series.dims; dim++) {
      const column = all.filter((_, at) => at % series.dims === dim);
      expect(statistics[id].count).toEqual([rows]);
      expect(statistics[id].min[dim]).toBe(Math.min(...column));
      expect(statistics[id].max[dim]).toBe(Math.max(...column));
      expect(statistics[id].mean[dim]).toBeCloseTo(column.reduce((sum, value) => sum + value, 0) / rows, 6);
    }
  }
  expect(statistics.index.max).toEqual([rows - 1]);
  expect(statistics.episode_index.max).toEqual([episodes.length - 1]);
}

const languageInfo = (info: object) => ({
  ...info,
  features: {
    ...((info as { features: object }).features ?? {}),
    language_persistent: { dtype: 'language', shape: [1], names: null },
    language_events: { dtype: 'language', shape: [1], names: null },
  },
});

async function wordsIn(folder: string) {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const read = await connection.runAndReadAll(
    `SELECT frame_index, language_persistent, language_events FROM read_parquet('${folder}/data/*/*.parquet') ORDER BY "index"`,
  );
  return read.getRowObjectsJson();
}

it('carries the words of an episode along, with times from its new beginning', async () => {
  const said = `[{'role': 'user', 'content': 'reach', 'timestamp': 0.2::FLOAT}, {'role': 'user', 'content': 'lift', 'timestamp': 1.0::FLOAT},
    {'role': 'user', 'content': 'put', 'timestamp': 2.2::FLOAT}]`;
  const root = await writeSet({
    episodes: 2,
    rows: 24,
    data: (rows) => `SELECT *, ${said} AS language_persistent, CASE WHEN frame_index = 9
      THEN [{'role': 'user', 'content': 'careful'}] ELSE [] END AS language_events FROM (${rows})`,
    info: languageInfo,
  });
  const { folder } = await copied(await readSet(root), root, 'lerobot-v3', { trim: ['0.5..1.5'] });
  const rows = await wordsIn(folder);
  expect(rows).toHaveLength(20);
  for (const { frame_index, language_persistent, language_events } of rows) {
    expect(language_persistent).toEqual([
      { role: 'user', content: 'reach', timestamp: 0 },
      { role: 'user', content: 'lift', timestamp: 0.5 },
    ]);
    const events = Number(frame_index) === 4 ? [{ role: 'user', content: 'careful' }] : [];
    expect(language_events).toEqual(events);
  }
});

const untold: CopiedAnnotations = {
  ...{ segments: null, captions: [], text: null, masks: new Map(), sightings: {}, tasks: ['put'] },
};

it('puts what layers say in place of what the set says in the same styles, and only the last that held before a cut', async () => {
  const said = (content: string, style: string, timestamp: number) =>
    `{'role': 'assistant', 'content': '${content}', 'style': '${style}', 'timestamp': ${timestamp}::FLOAT, 'camera': NULL::VARCHAR, 'tool_calls': NULL::JSON[]}`;
  const words = [said('old', 'subtask', 0), said('seen', 'memory', 0), said('held', 'memory', 0.3)].join(
    ', ',
  );
  const root = await writeSet({
    episodes: 2,
    rows: 24,
    data: (rows) => `SELECT *, [${words}] AS language_persistent, [] AS language_events FROM (${rows})`,
    info: languageInfo,
  });
  const segments = [
    { from_s: 0, to_s: 0.8, kind: 'still' },
    { from_s: 0.8, to_s: 2.4, kind: 'move' },
  ];
  const told = { ...untold, segments, text: { text: 'Put it there.', source: 'person' } as const };
  const { folder } = await copied(await readSet(root), root, 'lerobot-v3', { trim: ['0.5..1.5'] }, told);
  const rows = await wordsIn(folder);
  expect(rows).toHaveLength(20);
  const held = (content: string, style: string, timestamp = 0, role = 'assistant') => ({
    ...{ role, content, style, timestamp, camera: null, tool_calls: null },
  });
  for (const { language_persistent, language_events } of rows) {
    expect(language_events).toEqual([]);
    expect(language_persistent).toEqual([
      held('held', 'memory'),
      held('still', 'subtask'),
      held('put', 'task_aug', 0, 'user'),
      held('Put it there.', 'task_aug', 0, 'user'),
      held('move', 'subtask', Math.fround(0.3)),
    ]);
  }
});

it('refuses more text than each row may hold', async () => {
  const root = await writeSet({ episodes: 1, rows: 24 });
  const told = { ...untold, text: { text: 'a'.repeat(100_000), source: 'machine' } as const };
  await expect(copied(await readSet(root), root, 'lerobot-v3', {}, told)).rejects.toMatchObject({
    code: 'usage',
  });
});
