import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nested, numbers, text, writeGoproVideo } from '#test/support/gopro-video';
import { readEverything } from '#test/support/read-dataset';
import { readAxisOrder } from './axes.ts';
import { GpmfError, listEntries, readNumbers, readText } from './parse-gpmf.ts';
import type { PayloadSpan } from './payload-spans.ts';
import { computeSampleTimes } from './sample-times.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-gopro-'));
afterAll(() => rmSync(folder, { recursive: true }));

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

async function readPayloads(name: string, payloads: readonly Buffer[], payload_ms = 1000) {
  const path = join(folder, name);
  await writeGoproVideo(path, 60, payloads, payload_ms);
  return readOne(path);
}

async function readOne(path: string) {
  const { sets } = await readEverything(path);
  const [episode] = sets[0].episodes;
  const stream = (id: string) => episode.streams.find((candidate) => candidate.id === id)!;
  const times = (id: string) => [...stream(id).clocks[0].time_s];
  return { episode, stream, times };
}

const camera = (...streams: readonly Buffer[]) =>
  nested('DEVC', numbers('DVID', 'L', 1, [1]), text('DVNM', 'Camera'), ...streams);
const gyroscope = (rows: number, ...before: readonly Buffer[]) =>
  nested('STRM', ...before, text('SIUN', 'rad/s', 5), numbers('GYRO', 's', 3, range(3 * rows)));

describe('times of telemetry', () => {
  const at = (from_s: number): PayloadSpan => ({ offset: 0, bytes: 0, from_s, to_s: from_s + 1 });
  const block = (from_s: number, rows: number, stamp_us: number | null, total: number | null = null) => ({
    ...{ payload: at(from_s), rows, stamp_us, total, delay_s: 0 },
  });
  const clock = { offset_s: -10, reason: 'test' };

  it('come from STMP, evenly up to the next payload', () => {
    const { clock: result } = computeSampleTimes(
      [block(0, 2, 10_000_000), block(1, 2, 10_900_000)],
      clock,
      0,
    );
    expect(result).toMatchObject({ name: 'STMP', provenance: 'hardware' });
    expect([...result.time_s]).toEqual([0, 0.45, 0.9, 1.35].map((time) => expect.closeTo(time, 9)));
  });

  it('leave room for samples that the running total says are lost', () => {
    const blocks = [block(0, 2, 10_000_000, 2), block(1, 2, 11_000_000, 6)];
    expect([...computeSampleTimes(blocks, clock, 0).clock.time_s]).toEqual([0, 0.25, 1, 1.25]);
  });

  it('come from the MP4 track where STMP falls, is absent or runs at another rate', () => {
    for (const stamps of [
      [11_000_000, 10_000_000],
      [10_000_000, null],
      [10_000_000, 40_000_000],
    ]) {
      const blocks = stamps.map((stamp, i) => block(i, 2, stamp));
      const { clock: result, reason } = computeSampleTimes(blocks, clock, 0);
      expect(result).toMatchObject({ name: 'mp4', provenance: 'synthesised' });
      expect([...result.time_s]).toEqual([0, 0.5, 1, 1.5]);
      expect(reason).toContain('no usable times');
    }
  });

  it('do not stretch the samples of a last payload that is not full', () => {
    const blocks = [block(0, 100, null), block(1, 10, null)];
    expect(computeSampleTimes(blocks, null, 0).clock.time_s.at(-1)).toBeCloseTo(1.09, 9);
  });

  it('are delayed by TIMO, and count from the first frame', () => {
    const [first] = computeSampleTimes([{ ...block(2, 1, null), delay_s: 0.5 }], null, 1).clock.time_s;
    expect(first).toBe(0.5);
  });
});

describe('axes of telemetry', () => {
  it('are turned by ORIN, where lower case is the negative axis', () => {
    expect(readAxisOrder([...listEntries(text('ORIN', 'XzY', 3))])?.matrix).toEqual(
      [1, 0, 0, 0, 0, 1, 0, -1, 0].map((value) => value || 0),
    );
  });

  it('are turned by a calibrated MTRX in the order of ORIO', () => {
    const bytes = Buffer.concat([
      text('ORIO', 'ZXY'),
      numbers('MTRX', 'f', 9, [0, -1, 0, 1, 0.5, 0, 0, 0, 1]),
    ]);
    expect(readAxisOrder(listEntries(bytes))?.matrix).toEqual([1, 0.5, 0, 0, 0, 1, 0, -1, 0]);
  });

  it('are unknown without either, or with letters that are none', () => {
    expect(readAxisOrder([])).toBeNull();
    expect(readAxisOrder(listEntries(text('ORIN', 'XXY')))).toBeNull();
  });
});

describe('GPMF entries', () => {
  it('give text in Latin-1 and numbers by type', () => {
    const [unit, row] = listEntries(
      Buffer.concat([text('SIUN', 'm/s²', 4), numbers('DATA', 'l', 2, [1, -2])]),
    );
    expect(readText(unit)).toBe('m/s²');
    expect(readNumbers(row)).toEqual({ rows: 1, dims: 2, values: Float64Array.of(1, -2) });
  });

  it('that reach beyond the end are refused, and types that are no numbers give none', () => {
    expect(() => listEntries(numbers('DATA', 'l', 1, [1, 2]).subarray(0, 12))).toThrow(GpmfError);
    expect(readNumbers(listEntries(text('NAME', 'abc'))[0])).toBeNull();
  });
});

describe('GoPro videos', () => {
  it('give signals in the axes of the camera, and UTC from satellite fixes', async () => {
    const { episode, stream } = await readOne('test/conformance/videos/gopro-stamped/input/GX010001.MP4');
    expect(stream('ACCL')).toMatchObject({ role: 'imu', names: ['x', 'y', 'z'], unit: { unit: 'm/s²' } });
    // Recorded as x, -z, y: the second column of -4180 / 418 is 10 m/s² along z.
    const [x, y, z] = stream('ACCL').series!.values.subarray(3, 6);
    expect([x, y, z]).toEqual([expect.closeTo(1 / 418, 6), 0, 10]);
    expect(episode.start_ns).toBe('1704110400484000000');
  });

  it('keep the order of axes that they do not name, and say so', async () => {
    const { episode, stream, times } = await readPayloads('axes.mp4', [
      camera(gyroscope(4)),
      camera(gyroscope(4)),
    ]);
    expect(stream('GYRO')).toMatchObject({ names: null, sample_count: 8 });
    expect(times('GYRO')).toEqual([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75]);
    expect(episode.findings.find(({ code }) => code === 'telemetry_read')?.message).toContain('GYRO');
  });

  it('with payloads that lie, are cut off or change their columns are read without them', async () => {
    const other = camera(nested('STRM', numbers('GYRO', 's', 2, [1, 2])));
    const scaled = camera(gyroscope(2, numbers('SCAL', 's', 1, [0])));
    const { episode, stream } = await readPayloads('damaged.mp4', [
      camera(gyroscope(2)),
      other,
      scaled,
      Buffer.from('DEVC'),
    ]);
    expect(stream('GYRO').sample_count).toBe(2);
    const finding = episode.findings.find(({ code }) => code === 'telemetry_unreadable');
    expect(finding).toMatchObject({ severity: 'warning', evidence: { parts: 3 } });
    expect(finding?.message).toContain('GYRO changes its columns');
  });

  it('whose tables claim more than the file holds are read as videos', async () => {
    const path = join(folder, 'claims.mp4');
    await writeGoproVideo(path, 30, [camera(gyroscope(2))]);
    const bytes = readFileSync(path);
    bytes.writeUInt32BE(0x7fffffff, bytes.lastIndexOf('stsz') + 16);
    writeFileSync(path, bytes);
    const { episode } = await readOne(path);
    expect(episode.streams.map(({ id }) => id)).toEqual(['video']);
    expect(episode.findings).toEqual([]);
  });
});
