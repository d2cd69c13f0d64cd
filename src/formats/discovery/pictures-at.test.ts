import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopMcap } from '#apps/samples';
import type { Episode, Stream } from '#core/episode';
import { temporaryFolder, writeSet } from '#test/support/lerobot-set';
import type { PictureRequest } from '../shared/reader.ts';
import { type DiscoveredDataset, discover } from './discover.ts';

const shared = join(import.meta.dirname, '../../../../shared/data');

interface Embedded {
  readonly dataset: DiscoveredDataset['dataset'];
  readonly episode: Episode;
  readonly stream: Stream;
}

/** Every stream below a folder whose pictures lie inside its recording. */
async function embeddedStreams(path: string): Promise<Embedded[]> {
  const found: Embedded[] = [];
  for (const { dataset } of (await discover(path)).datasets)
    for (const unit of dataset.units)
      for await (const episode of dataset.read(unit, {})) {
        if ('unreadable' in episode) continue;
        for (const stream of episode.streams)
          if (stream.frames?.locator.type === 'embedded') found.push({ dataset, episode, stream });
      }
  return found;
}

function wantedOf({ episode, stream }: Embedded, row: number): PictureRequest {
  const locator = stream.frames!.locator as PictureRequest['locator'];
  const log = stream.clocks.find(({ provenance }) => provenance === 'log');
  const { index: episode_index, start_ns } = episode;
  return { locator, episode_index, start_ns, row, log_s: log?.time_s[row] ?? null };
}

/** Checks that rows spread over the stream are found again, by the checksums that were taken on reading. */
async function expectFound(embedded: Embedded, rows: number): Promise<void> {
  const { crc32: sums, bytes: sizes } = embedded.stream.frames!.payloads!;
  for (let i = 0; i < rows; i++) {
    const row = Math.round((i * (sums.length - 1)) / Math.max(1, rows - 1));
    const pictures = await embedded.dataset.picturesAt!(wantedOf(embedded, row));
    const { bytes } = pictures.at(-1)!;
    expect([bytes.length, crc32(bytes)]).toEqual([sizes[row], sums[row]]);
  }
}

describe('pictures inside recordings', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await writeTeleopMcap(join(folder, 'mcap'), 3, () => {}, { episodes: 2, plan: {} });
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('in MCAP are found again one by one', async () => {
    const streams = await embeddedStreams(join(folder, 'mcap'));
    expect(streams.length).toBeGreaterThan(0);
    for (const stream of streams) await expectFound(stream, 6);
  });

  it('are none where the recording has none at that time', async () => {
    const [stream] = await embeddedStreams(join(folder, 'mcap'));
    const wanted = { ...wantedOf(stream, 0), log_s: 1e6 };
    expect(await stream.dataset.picturesAt!(wanted)).toEqual([]);
  });

  it('in the columns of a LeRobot set are found again by their row', async () => {
    const key = 'observation.images.cam';
    const picture = `{'bytes': ('\\x89PNG' || episode_index || ' ' || frame_index)::BLOB, 'path': NULL::VARCHAR}`;
    const withPictures = (layout: 'v2' | 'v3') =>
      writeSet({
        layout,
        data: (rows) => `SELECT *, ${picture} AS "${key}" FROM (${rows})`,
        info: (info) => {
          const features = info.features as Record<string, unknown>;
          return {
            ...info,
            features: { ...features, [key]: { dtype: 'image', shape: [4, 6, 3], names: null } },
          };
        },
      });
    for (const layout of ['v2', 'v3'] as const) {
      const streams = await embeddedStreams(await withPictures(layout));
      expect(streams).toHaveLength(3);
      for (const stream of streams) await expectFound(stream, 4);
    }
  });

  it.skipIf(!existsSync(shared))(
    'of real recordings are found again (skipped without shared/data)',
    async () => {
      const streams = [
        ...(await embeddedStreams(join(shared, 'mcap'))),
        ...(await embeddedStreams(join(shared, 'driving'))),
      ];
      expect(streams.length).toBeGreaterThan(0);
      for (const stream of streams) await expectFound(stream, 3);
    },
  );
});
