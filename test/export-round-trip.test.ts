import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import {
  LeRobotCopy,
  type LeRobotVersion,
  lerobotLayouts,
  readEdits,
  toTrainingEpisode,
} from '#formats/write';
import { type ReadSet, readSet, temporaryFolder } from '#test/support/lerobot-set';

const data = join(import.meta.dirname, '../../shared/data');
const roots = globSync('**/meta/info.json', { cwd: data })
  .map((path) => dirname(dirname(path)))
  // Some are kept for what is missing.
  .filter((path) => globSync('data/**/*.parquet', { cwd: join(data, path) }).length > 0);
const most = 4;

/** Numbers of each feature, row by row. */
const valuesOf = ({ streams }: Episode) =>
  Object.fromEntries(
    streams.flatMap(({ id, series }) => (series === undefined ? [] : [[id, series.values]])),
  );

/** With the texts that annotations of GR00T's sets name by their index, which no row has as its task. */
const textsOf = ({ tasks }: Episode) => tasks?.map(({ text }) => text);

/** Episodes whose videos are all there. */
function whole(root: string, { episodes }: ReadSet) {
  const read = episodes.map((episode) => ({
    episode,
    training: toTrainingEpisode(episode, root, rateOf(episode)),
  }));
  const cameras = Math.max(0, ...read.map(({ training }) => training.videos.length));
  return read
    .filter(({ training }) => training.videos.length === cameras && training.rows > 0)
    .filter(({ training }) =>
      [training.data, ...training.videos.map(({ path }) => path)].every((path) => existsSync(path)),
    )
    .slice(0, most);
}

const rateOf = ({ streams }: Episode) =>
  streams.find(({ declared_rate_hz }) => declared_rate_hz !== null)?.declared_rate_hz ?? 30;

async function copied(root: string, set: ReadSet, version: LeRobotVersion) {
  const absent = set.dataset.findings.find(({ code }) => code === 'camera_without_files')?.evidence?.cameras;
  const drop = Array.isArray(absent) ? absent.map(String) : [];
  const folder = join(await temporaryFolder(), 'copy');
  const copy = new LeRobotCopy(folder, [{ name: 'set', root, names: {} }], {
    layout: lerobotLayouts[version],
    edits: readEdits(drop.length === 0 ? {} : { drop }),
    rate_hz: null,
    decode: async function* () {},
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  const kept = whole(root, set);
  for (const { training } of kept) await copy.add(0, training);
  await copy.finish();
  return { folder, kept: kept.map(({ episode }) => episode) };
}

describe.skipIf(roots.length === 0)('a real LeRobot set', () => {
  it.each(roots)(
    'comes back from v2.1 and v3.0 as it was: %s',
    async (path) => {
      const root = join(data, path);
      const source = await readSet(root);
      if (whole(root, source).length === 0) return;
      const there = await copied(root, source, 'lerobot-v2.1');
      const middle = await readSet(there.folder);
      const back = await copied(there.folder, middle, 'lerobot-v3');
      const after = await readSet(back.folder);
      expect(after.episodes.map(valuesOf)).toEqual(there.kept.map(valuesOf));
      expect(after.episodes.map(textsOf)).toEqual(there.kept.map(textsOf));
    },
    240_000,
  );
});
