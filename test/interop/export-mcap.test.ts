import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import type { Receipt } from '#core/api';
import { assess } from '#engine/local';
import { annotateInto } from '#engine/local/annotate';
import { type ExportOptions, exportDataset, verifyExport } from '#engine/local/export';
import { rowsTruth } from '#test/support/export-truth';
import { temporaryFolder } from '#test/support/lerobot-set';
import { onPeers, peersPython } from '#test/support/peers';
import { readEverything } from '#test/support/read-dataset';
import { askScript } from './python-worker.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const bottle = join(data, 'lerobot-v21-g1-bottle');
const bridge = join(data, 'rlds/bridge');
const flight = join(data, 'ulog/pyulog/test/sample.ulg');

interface SeenTopic {
  readonly schema: string;
  readonly count: number;
  readonly numbers: string;
  readonly data: string;
  readonly frames?: number;
  readonly different?: number;
}

const seenBy = (...args: string[]): Promise<Record<string, SeenTopic>> =>
  askScript('peers', 'export_mcap.py', ...args);

async function exported(source: string, only: readonly number[], options: ExportOptions = {}) {
  const folder = join(await temporaryFolder(), 'export');
  await exportDataset(source, folder, { format: 'mcap', only: only.map(String), ...options });
  expect((await verifyExport(folder)).problems).toEqual([]);
  return folder;
}

async function decisions(path: string) {
  const result = await assess(path);
  await result.close();
  return result.verdicts.map(({ decision }) => decision);
}

describe.skipIf(!peersPython)(onPeers('MCAP recordings'), () => {
  it.skipIf(!existsSync(bottle))(
    'of a real LeRobot set hold its rows, and its video packet by packet',
    async () => {
      const folder = await exported(bottle, [1, 2]);
      const truth = await rowsTruth(bottle, [1], null);
      const topic = '/observation.images.cam_high';
      const video = join(bottle, 'videos/chunk-000/observation.images.cam_high/episode_000001.mp4');
      const seen = await seenBy(join(folder, 'episode_000000.mcap'), topic, video, '0');
      expect(seen['/observation.state'].numbers).toBe(truth.numbers['observation.state']);
      expect(seen['/action'].numbers).toBe(truth.numbers.action);
      expect(seen[topic]).toMatchObject({
        schema: 'foxglove.CompressedVideo',
        count: 393,
        frames: 393,
        different: 0,
      });
      expect(await decisions(folder)).toEqual(['accept', 'accept']);
    },
    240_000,
  );

  it.skipIf(!existsSync(bridge))(
    'of real RLDS hold its numbers, and its pictures byte by byte',
    async () => {
      const folder = await exported(bridge, [7]);
      const truth = await rowsTruth(bridge, [7], null);
      const seen = await seenBy(join(folder, 'episode_000000.mcap'));
      expect(seen['/observation/state'].numbers).toBe(truth.numbers['observation/state']);
      for (const camera of [0, 1, 2, 3])
        expect(seen[`/observation/image_${camera}`]).toMatchObject({
          schema: 'foxglove.CompressedImage',
          data: truth.pictures[`observation/image_${camera}`],
        });
    },
    120_000,
  );

  it('of MCAP give our reader the same streams at the same times, and the same verdicts', async () => {
    const source = join(await temporaryFolder(), 'recordings');
    await writeTeleopMcap(source, 5, () => {}, { episodes: 2, plan: {} });
    const folder = await exported(source, [0, 1]);
    const [before, after] = await Promise.all([readEverything(source), readEverything(folder)]);
    const told = ({ sets }: typeof before) =>
      sets[0].episodes.map(({ streams, tasks, robot, outcome, start_ns }) => ({
        tasks: new Set(tasks?.map(({ text }) => text)),
        robot,
        outcome: outcome.value,
        start_ns,
        streams: streams
          .filter(({ series, frames }) => series !== undefined || frames !== undefined)
          .map(({ id, role, sample_count, clock, clocks, series, frames }) => ({
            ...{ id, role, sample_count },
            times: clock === null ? null : clocks[clock.index].time_s,
            values: series === undefined ? null : Float64Array.from(series.values),
            pictures: frames?.payloads?.crc32,
          })),
      }));
    expect(told(after)).toEqual(told(before));
    expect(await decisions(folder)).toEqual(await decisions(source));
  }, 120_000);

  it.skipIf(!existsSync(flight))(
    'of a real PX4 log hold every topic at its own rate',
    async () => {
      const folder = await exported(flight, [0]);
      const { sets } = await readEverything(flight);
      const numeric = sets[0].episodes[0].streams.filter(
        ({ series, sample_count }) => series !== undefined && sample_count > 0,
      );
      const seen = await seenBy(join(folder, 'episode_000000.mcap'));
      const counts = Object.values(seen).map(({ count }) => count);
      for (const { sample_count } of numeric) expect(counts).toContain(sample_count);
    },
    120_000,
  );
});

describe.skipIf(!peersPython)(onPeers('MCAP recordings in viewers'), () => {
  it('show flags and segments as spans and as lines of a log, by Foxglove’s schemas and in Rerun', async () => {
    const source = join(await temporaryFolder(), 'set');
    await writeTeleopLeRobot(source, 5, () => {}, { episodes: 3, plan: { 1: ['nan', 'medium'] } });
    const result = await assess(source, { receipts: true });
    const receipts = [...result.receipts()].map((text): Receipt => JSON.parse(text));
    await result.close();
    const { flags, content_hash, decision, episode } = receipts[1];
    const [{ code, severity, message, check, marks }] = flags;
    const annotations = join(await temporaryFolder(), 'said');
    const models = { data_folder: join(annotations, '..', 'data'), environment_models: {} };
    const layers = [{ layer: 'segments', config: {} }] as const;
    await annotateInto(annotations, source, { layers, models }, { signal: new AbortController().signal });
    const folder = await exported(source, [1], { annotations });
    const path = join(folder, 'episode_000000.mcap');
    const { foxglove, rerun } = await askScript('peers', 'export_mcap_viewers.py', path);
    expect(foxglove.alien).toEqual([]);
    const [from_ns, to_ns, about] = foxglove.seen['/assay/flags'][0];
    expect(about).toMatchObject({ code, severity, check, message, stream: marks[0].stream });
    const [{ from_s, to_s }] = marks;
    expect([from_ns / 1e9, to_ns / 1e9]).toEqual([expect.closeTo(from_s, 6), expect.closeTo(to_s, 6)]);
    const segments: [number, number, { kind: string; source: string }][] = foxglove.seen['/assay/segments'];
    expect(new Set(segments.map(([, , { source: by }]) => by))).toEqual(new Set(['machine']));
    expect(segments.length).toBeGreaterThan(1);
    for (const [i, [begins]] of segments.entries()) if (i > 0) expect(begins).toBe(segments[i - 1][1]);
    expect(segments.at(-1)?.[1]).toBeCloseTo(episode.duration_s * 1e9, -8);
    const [task] = episode.tasks ?? [];
    const lines = [
      task,
      `${code}: ${message}`,
      ...segments.map(([, , { kind }], i) => `segment ${i}: ${kind}`),
    ];
    expect(rerun.logs['/assay/log']).toHaveLength(lines.length);
    expect(rerun.logs['/assay/log']).toEqual(expect.arrayContaining(lines));
    expect(rerun.columns['/observation.images.front']).toMatchObject({ 'VideoStream:sample': 175 });
    expect(rerun.metadata).toMatchObject({
      assay: { receipt: content_hash, decision, task },
      assay_flag_001: { code, severity, marks: JSON.stringify(marks) },
    });
  }, 120_000);
});
