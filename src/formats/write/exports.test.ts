import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Demuxer } from 'node-av';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { openJpegEncoder, openVideoWriter } from '#io/video';
import { discover } from '../discovery/discover.ts';
import { lerobotVideoPath, writeLeRobotV3 } from '../lerobot/write/layouts/write-v3-set.ts';
import { computeCameraStatistics, computeSeriesStatistics } from '../lerobot/write/statistics.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-writers-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const grey = (level: number): Uint8Array => new Uint8Array((64 * 48 * 3) / 2).fill(level);

describe('the video writer', () => {
  it('stamps frame k at exactly k / rate, from 0', async () => {
    const path = join(folder, 'clip.mp4');
    const writer = await openVideoWriter(path, { width_px: 64, height_px: 48, rate_hz: 30 });
    for (let i = 0; i < 12; i++) await writer.write(grey(60 + i));
    await writer.close();
    await using input = await Demuxer.open(path);
    const stream = input.video();
    const { num, den } = stream?.timeBase ?? { num: 0, den: 1 };
    const stamps: number[] = [];
    for await (const packet of input.packets(stream?.index)) {
      if (packet !== null) stamps.push((Number(packet.pts) * num) / den);
    }
    expect(den % 30).toBe(0);
    expect(stamps).toEqual(Array.from({ length: 12 }, (_, i) => i / 30));
  });

  it('says which file could not be opened and what to do', async () => {
    const path = join(folder, 'absent/clip.mp4');
    const opened = openVideoWriter(path, { width_px: 64, height_px: 48, rate_hz: 30 });
    await expect(opened).rejects.toMatchObject({ code: 'output_unwritable', path });
  });
});

describe('the JPEG encoder', () => {
  it('writes files that others decode to the picture it was given', async () => {
    const encoder = await openJpegEncoder(64, 48);
    const [dark, light] = [encoder.encode(grey(40)), encoder.encode(grey(200))];
    encoder.close();
    const mean = async (jpeg: Uint8Array) => (await sharp(jpeg).greyscale().stats()).channels[0].mean;
    expect(await mean(light)).toBeGreaterThan((await mean(dark)) + 100);
    expect(await sharp(dark).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 });
  });
});

describe('the LeRobot v3 writer', () => {
  it('writes what the reader reads back: values, tasks, spans over several files', async () => {
    const root = join(folder, 'set');
    const rows = [5, 8, 6];
    const series = rows.map((count, e) => Float32Array.from({ length: count * 2 }, (_, i) => e + i / 8));
    await writeLeRobotV3(root, {
      rate_hz: 10,
      robot_type: "the maker's arm",
      features: [
        { key: 'observation.state', names: ['a', 'b'] },
        { key: 'action', names: ['a', 'b'] },
      ],
      cameras: [],
      episodes: rows.map((count, e) => ({
        task: e === 1 ? "don't spill" : 'pour',
        rows: count,
        series: { 'observation.state': series[e], action: series[e] },
        videos: {},
      })),
      episodes_per_file: 2,
      camera_statistics: {},
    });
    const { datasets } = await discover(root);
    const [{ dataset }] = datasets;
    const episodes: Episode[] = [];
    for (const unit of dataset.units) {
      for await (const read of dataset.read(unit, {})) if (!('unreadable' in read)) episodes.push(read);
    }
    await dataset.close();
    expect(dataset.findings).toEqual([]);
    expect(dataset.facts).toMatchObject({
      declared_episodes: 3,
      declared_frames: 19,
      robot: "the maker's arm",
    });
    expect(episodes.map((episode) => episode.tasks?.[0].text)).toEqual(['pour', "don't spill", 'pour']);
    expect(episodes.map(({ streams }) => Array.from(streams[0].series?.values ?? []))).toEqual(
      series.map((values) => Array.from(values)),
    );
  });

  it('puts videos where the metadata says that they are', () => {
    expect(lerobotVideoPath('observation.images.front', 12)).toBe(
      'videos/observation.images.front/chunk-000/file-012.mp4',
    );
  });
});

describe('statistics', () => {
  it('leave out what JSON cannot carry', () => {
    const { min, max, mean, count } = computeSeriesStatistics(Float32Array.of(1, 5, Number.NaN, 6, 3, 7), 2);
    expect({ min, max, mean, count }).toEqual({ min: [1, 5], max: [3, 7], mean: [2, 6], count: [3] });
  });

  it('of a camera are shaped (3, 1, 1) in 0..1', () => {
    const channel = Float64Array.of(0, 255);
    const { min, max, q50, count } = computeCameraStatistics([channel, channel, channel], 1);
    expect([min[0], max[1], q50[2], count]).toEqual([[[0]], [[1]], [[0.5]], [1]]);
  });
});
