import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { writeTeleopMcap } from '#apps/samples';
import type { Stream } from '#core/episode';
import { assess } from '#engine/local';
import { exportDataset, verifyExport } from '#engine/local/export';
import { x264 } from '#test/support/encode-video';
import { laidEpisodes } from '#test/support/export-truth';
import { temporaryFolder } from '#test/support/lerobot-set';
import { lerobotPython, onLeRobot, peersPython } from '#test/support/peers';
import { filmFrames, recordedFilm } from '#test/support/recorded-film';
import { robovetFailures } from './lerobot-validators.ts';
import { askScript } from './python-worker.ts';

const bridge = join(import.meta.dirname, '../../../shared/data/rlds/bridge');

async function exported(source: string, options: Parameters<typeof exportDataset>[2]) {
  const folder = join(await temporaryFolder(), 'export');
  const { lineage } = await exportDataset(source, folder, options);
  expect((await verifyExport(folder)).problems).toEqual([]);
  const seen = await askScript('lerobot', 'export_recorded.py', folder);
  if (peersPython) expect(await robovetFailures(folder)).toEqual([]);
  return { folder, seen, edits: lineage!.edits };
}

/** Numbers of some streams side by side, as float32, hashed over all rows; means of 4 x 4 blocks of each camera's rows. */
async function truthOf(source: string, only: readonly number[], reference: string | null) {
  const sides = { state: createHash('sha256'), action: createHash('sha256') };
  const blocks = new Map<string, number[][]>();
  const ends: number[] = [];
  for await (const { episode, rows, places, pictures } of laidEpisodes(source, only, reference)) {
    ends.push((ends.at(-1) ?? 0) + rows);
    for (const side of ['state', 'action'] as const) {
      const own = episode.streams.filter(({ role, series }) => role === side && series !== undefined);
      const all = own.map((stream) => [stream.series!, places(stream)] as const);
      for (let row = 0; row < rows; row++) {
        const numbers = all.flatMap(([{ values, dims }, at]) => [
          ...values.subarray(at[row] * dims, (at[row] + 1) * dims),
        ]);
        sides[side].update(new Uint8Array(Float64Array.from(Float32Array.from(numbers)).buffer));
      }
    }
    for (const stream of episode.streams.filter(({ role }) => role === 'camera'))
      blocks.set(stream.id, [
        ...(blocks.get(stream.id) ?? []),
        ...(await blocksOf(stream, places(stream), pictures)),
      ]);
  }
  return { ends, state: sides.state.digest('hex'), action: sides.action.digest('hex'), blocks };
}

async function blocksOf(
  stream: Stream,
  places: readonly number[],
  pictures: (stream: Stream) => Promise<ReadonlyMap<number, Uint8Array>>,
): Promise<number[][]> {
  const files = await pictures(stream);
  return Promise.all(
    places.map(async (place) => {
      const { data, info } = await sharp(files.get(place))
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { width, height, channels } = info;
      const sums = new Array<number>(16).fill(0);
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const at = (y * width + x) * channels;
          const block = Math.floor((y * 4) / height) * 4 + Math.floor((x * 4) / width);
          sums[block] += (data[at] + data[at + 1] + data[at + 2]) / 3;
        }
      return sums.map((sum) => (sum * 16) / (width * height));
    }),
  );
}

/** Encoding moves a block's mean by a few levels at most. */
function expectLike(seen: readonly number[][], blocks: readonly number[][]): void {
  expect(seen.length).toBe(blocks.length);
  for (const [row, own] of seen.entries())
    for (const [block, level] of own.entries()) expect(Math.abs(level - blocks[row][block])).toBeLessThan(4);
}

describe.skipIf(!lerobotPython)(onLeRobot('LeRobot sets'), () => {
  it.skipIf(!existsSync(bridge))(
    'of real RLDS give the loader its numbers and pictures',
    async () => {
      const only = [0, 7, 24];
      const { seen } = await exported(bridge, { only: only.map(String), rate_hz: 5 });
      const truth = await truthOf(bridge, only, null);
      expect(seen).toMatchObject({ rows: 30, ends: truth.ends, batch: { action: [4, 2, 7] } });
      expect(seen.numbers).toMatchObject({ 'observation.state': truth.state, action: truth.action });
      for (const camera of [0, 1, 2, 3])
        expectLike(
          seen.pictures[`observation.images.image_${camera}`],
          truth.blocks.get(`observation/image_${camera}`)!,
        );
    },
    240_000,
  );

  it('of multi-rate MCAP hold the latest sample of each topic, and are judged as before', async () => {
    const source = join(await temporaryFolder(), 'recordings');
    await writeTeleopMcap(source, 5, () => {}, { episodes: 3, plan: {} });
    const { seen, edits, folder } = await exported(source, { only: ['0', '2'] });
    const reference = String(edits.find(({ edit }) => edit === 'align')?.reference);
    const truth = await truthOf(source, [0, 2], reference);
    expect(seen.ends).toEqual(truth.ends);
    expect(seen.numbers).toMatchObject({ 'observation.state': truth.state, action: truth.action });
    const [[key, pictures]] = Object.entries<number[][]>(seen.pictures);
    const [, blocks] = [...truth.blocks].find(([id]) =>
      key.endsWith(id.replace(/^\//, '').replaceAll('/', '.')),
    )!;
    expectLike(pictures, blocks);
    const result = await assess(folder);
    await result.close();
    expect(result.verdicts.map(({ decision }) => decision)).toEqual(['accept', 'accept']);
  }, 240_000);

  it('of video in messages, copied, give the loader the very frames of the source', async () => {
    const late = 8;
    const { source, video } = await recordedFilm({ ...x264, keyframe_every: 12 }, late);
    const folder = join(await temporaryFolder(), 'export');
    const { lineage } = await exportDataset(source, folder, { only: ['0'] });
    const copied = lineage?.edits.find(({ edit }) => edit === 'copy_video');
    const feature = String(copied?.feature);
    const seen = await askScript('lerobot', 'export_copied.py', folder, feature, video, String(late));
    expect(seen).toEqual({ rows: filmFrames - late, different: 0 });
  }, 120_000);
});
