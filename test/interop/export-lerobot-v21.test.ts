import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportDataset } from '#engine/local/export';
import { computeCameraStatistics, lerobotVideoPath, writeLeRobotV3 } from '#formats/write';
import { type Encoding, encodeVideo, x264 } from '#test/support/encode-video';
import { temporaryFolder } from '#test/support/lerobot-set';
import { lerobotPython, onLeRobot, peersPython } from '#test/support/peers';
import { rounds } from '#test/support/tiers';
import { libraryRecording } from './lerobot-recording.ts';
import { robovetFailures } from './lerobot-validators.ts';
import { askScript } from './python-worker.ts';

const real = join(import.meta.dirname, '../../../shared/data/lerobot-v21-g1-bottle');

async function besideSource(source: string, only: string[]) {
  const folder = join(await temporaryFolder(), 'export');
  const { lineage } = await exportDataset(source, folder, { only, format: 'lerobot-v2.1' });
  // robovet counts the frames of a file, also those that its edit list leaves out.
  const hides = lineage?.edits.some(({ edit }) => edit === 'hide_frames');
  if (peersPython && hides !== true) expect(await robovetFailures(folder)).toEqual([]);
  return { lineage, seen: await askScript('lerobot-v21', 'export_v21_beside_source.py', source, folder) };
}

const [width, height] = [96, 64];
const rate_hz = 30;
const rows = [31, 44, 27];

/** A v3 set whose episodes lie in one file, their first frames anywhere between two keys. */
async function setOf(encoding: Encoding): Promise<string> {
  const folder = join(await temporaryFolder(), 'set');
  const camera = 'observation.images.top';
  const total = rows.reduce((sum, count) => sum + count, 0);
  const path = join(folder, lerobotVideoPath(camera, 0));
  await mkdir(dirname(path), { recursive: true });
  const frames = Array.from({ length: total }, (_, at) => {
    const yuv = new Uint8Array((width * height * 3) / 2).fill(128);
    for (let i = 0; i < width * height; i++)
      yuv[i] = ((i * 7) % 23) + 60 + ((i + at * 5) % 97 < 12 ? 120 : 0);
    return yuv;
  });
  await encodeVideo(path, width, height, frames, { ...encoding, rate_hz });
  const grey = computeCameraStatistics(
    [0, 1, 2].map(() => Float64Array.from([0, 128, 255])),
    3,
  );
  let before = 0;
  await writeLeRobotV3(folder, {
    rate_hz,
    robot_type: 'arm',
    features: ['observation.state', 'action'].map((key) => ({ key, names: ['a', 'b'] })),
    cameras: [{ key: camera, width_px: width, height_px: height, codec: 'h264' }],
    episodes: rows.map((count, episode) => {
      const series = Float32Array.from({ length: count * 2 }, (_, i) => Math.sin(i / 9 + episode));
      before += count;
      return {
        task: 'move',
        rows: count,
        series: { 'observation.state': series, action: series },
        videos: { [camera]: { file: 0, frames_before: before - count } },
      };
    }),
    episodes_per_file: 3,
    camera_statistics: { [camera]: grey },
  });
  return folder;
}

/** The first two in CI: episodes that begin between two keys, and at a key. */
const encodings: readonly (readonly [string, Encoding, hides: boolean])[] = [
  [
    'H.264 with frames that lean on later ones',
    { ...x264, keyframe_every: 12, b_frames: 2, options: { preset: 'medium' } },
    true,
  ],
  ['H.264 of keys alone', { ...x264, keyframe_every: 1 }, false],
  ['H.264 with a key every second frame', x264, true],
  ['H.264 with one key', { ...x264, keyframe_every: 250 }, true],
  ['AV1', { encoder: 'libsvtav1', container: 'mp4', keyframe_every: 10, options: { preset: '12' } }, true],
];

describe.skipIf(!lerobotPython)(onLeRobot('an export as LeRobot v2.1'), () => {
  it('gives the loader of that version the rows and pictures of a set that the library recorded', async () => {
    const { folder: source } = await libraryRecording();
    const { seen } = await besideSource(source, ['1', '3', '4']);
    expect(seen).toMatchObject({ episodes: 3, rows: 200, pictures: 200, different: [] });
    expect(seen.batch).toMatchObject({ 'observation.images.front': [4, 3, 96, 128], action: [4, 2, 6] });
  }, 300_000);

  it.skipIf(!existsSync(real))(
    'does so from a real one of version 2.1',
    async () => {
      const episodes = ['5', '1'].slice(0, rounds(1, 2));
      const { seen } = await besideSource(real, episodes);
      expect(seen).toMatchObject({ episodes: episodes.length, different: [] });
      expect(seen.rows).toBe(seen.pictures);
    },
    300_000,
  );

  it.each(encodings.slice(0, rounds(2, 5)))(
    'does so where episodes lie in one film: %s',
    async (_, encoding, hides) => {
      const { seen, lineage } = await besideSource(await setOf(encoding), ['0', '1', '2']);
      expect(seen).toMatchObject({ episodes: 3, rows: 102, pictures: 102, different: [] });
      expect(lineage?.edits.some(({ edit }) => edit === 'hide_frames')).toBe(hides);
    },
    300_000,
  );
});
