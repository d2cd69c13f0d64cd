import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { seededRandom } from '#core';
import type { Stream } from '#core/episode';
import { readShardEpisode, readShardEpisodes, readShardStream } from './shard-reader.ts';
import { openShardWriter } from './shard-writer.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-test-shards-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Numbers = Float32Array | Float64Array;

function stream(id: string, values: Numbers, dims: number, time_s: Float64Array | null): Stream {
  return {
    id,
    role: 'state',
    modality: 'numeric',
    shape: [dims],
    names: null,
    unit: { unit: 'rad', evidence: 'declared', reason: 'said so' },
    declared_rate_hz: 30,
    sample_count: values.length / dims,
    clocks: time_s === null ? [] : [{ name: 'timestamp', provenance: 'log', time_s }],
    clock: time_s === null ? null : { index: 0, reason: 'the only one' },
    series: { values, dims },
  };
}

const random = seededRandom(7);
const noise32 = (length: number) => Float32Array.from({ length }, () => random.next() - 0.5);
const noise64 = (length: number) => Float64Array.from({ length }, () => random.next() - 0.5);
const grid = (rows: number, rate_hz: number) =>
  Float64Array.from({ length: rows }, (_, row) => row / rate_hz);
/** Every bit, so that −0 and a NaN's payload count. */
const bits = (values: Numbers) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');

describe('a shard', () => {
  test('gives back every bit of every type, shape and special value', async () => {
    const special = new Float32Array([0, -0, Number.NaN, Infinity, -Infinity, 1e-45, 3.4e38, 1]);
    const odd = new Float64Array([Number.NaN, -0, Number.MIN_VALUE, 2 ** 53, 1 / 3, Infinity]);
    const episodes: Stream[][] = [
      [stream('state', noise32(300 * 6), 6, grid(300, 30)), stream('pose', noise64(50 * 7), 7, grid(50, 5))],
      [stream('special', special, 2, null), stream('odd', odd, 3, grid(2, 1))],
      [stream('wide', noise32(3 * 40_000), 40_000, grid(3, 1)), stream('one', noise64(1), 1, grid(1, 1))],
      [stream('empty', new Float32Array(0), 4, new Float64Array(0))],
      [],
    ];
    const path = join(scratch, "it's [a] shard*?.parquet");
    const writer = await openShardWriter(path);
    for (const [at, streams] of episodes.entries()) {
      expect(await writer.add(`episode ${at}`, streams)).toBe(at);
    }
    expect(await writer.close()).toEqual({ path, episodes: episodes.length });
    for (const [place, streams] of episodes.entries()) {
      const about = await readShardEpisode(path, place);
      expect(about.name).toBe(`episode ${place}`);
      expect(about.streams.map(({ id }) => id)).toEqual(streams.map(({ id }) => id));
      for (const { id, series, clocks, shape, unit } of streams) {
        const read = await readShardStream(path, place, id);
        expect(read.values.constructor).toBe(series!.values.constructor);
        expect(bits(read.values)).toBe(bits(series!.values));
        expect(read.dims).toBe(series!.dims);
        expect(read.time_s && bits(read.time_s)).toBe(clocks.length === 0 ? null : bits(clocks[0].time_s));
        expect(read.stream).toMatchObject({ shape, unit });
      }
    }
  });

  test('keeps a clock that streams share once, and of pictures only their stamps and where they lie', async () => {
    const path = join(scratch, 'shared.parquet');
    const writer = await openShardWriter(path);
    const clock = grid(10, 10);
    const { series: _, ...camera } = stream('camera', new Float32Array(10), 1, clock);
    const state = stream('state', noise32(20), 2, clock);
    const locator = { type: 'video', path: 'a.mp4', from_s: 1, to_s: 2, expected_frames: 10 } as const;
    const frames = { locator, declared_size_px: null, declared_codec: 'h264' };
    const kept = [{ index: 0, time_s: 0, bytes: new Uint8Array(4) }];
    await writer.add('e', [state, { ...camera, modality: 'video', frames: { ...frames, kept } }]);
    await writer.close();
    expect((await readShardEpisode(path, 0)).arrays).toHaveLength(2);
    const read = await readShardStream(path, 0, 'camera');
    expect([read.values.length, read.dims, read.total_rows]).toEqual([0, 0, 10]);
    expect(read.stream.frames).toEqual(frames);
    expect(bits(read.time_s!)).toBe(bits(clock));
  });

  test('reads a window of a long stream: the rows from the first to the last stamp inside it', async () => {
    const path = join(scratch, 'long.parquet');
    const writer = await openShardWriter(path);
    const rows = 20_000;
    const [values, clock] = [noise32(rows * 3), grid(rows, 1000)];
    await writer.add('other', [stream('s', noise32(30), 3, grid(10, 1))]);
    await writer.add('long', [stream('s', values, 3, clock)]);
    await writer.close();
    for (const [from_s, to_s] of [
      [0, 0.0005],
      [1.0239, 1.0251],
      [7.5, 12.25],
      [19.99, 500],
      [-5, 30],
    ]) {
      const read = await readShardStream(path, 1, 's', { from_s, to_s });
      const first = clock.findIndex((time) => time >= from_s);
      const end = clock.findLastIndex((time) => time <= to_s) + 1;
      expect([read.first_row, read.total_rows, read.time_s!.length]).toEqual([first, rows, end - first]);
      expect(bits(read.values)).toBe(bits(values.slice(first * 3, end * 3)));
      expect(bits(read.time_s!)).toBe(bits(clock.slice(first, end)));
    }
    const open = await readShardStream(path, 1, 's', { from_s: 19.995 });
    expect(open.time_s!.length).toBe(5);
    const none = await readShardStream(path, 1, 's', { from_s: 50 });
    expect([none.values.length, none.time_s!.length]).toEqual([0, 0]);
  });

  test('finds a window on a clock that jumps back and has gaps of NaN', async () => {
    const path = join(scratch, 'jumps.parquet');
    const writer = await openShardWriter(path);
    const clock = grid(5000, 100);
    clock.copyWithin(3000, 100, 200);
    clock.fill(Number.NaN, 2000, 2500);
    await writer.add('e', [stream('s', noise64(5000), 1, clock)]);
    await writer.close();
    const read = await readShardStream(path, 0, 's', { from_s: 1.5, to_s: 1.6 });
    expect([read.first_row, read.time_s!.length]).toEqual([150, 3061 - 150]);
  });

  test('larger than what is held in memory is one file all the same', async () => {
    const path = join(scratch, 'large.parquet');
    const writer = await openShardWriter(path);
    const [first, second] = [noise32(6_000_000), noise32(6_000_000)];
    await writer.add('first', [stream('s', first, 12, null)]);
    expect(writer.full).toBe(true);
    await writer.add('second', [stream('s', second, 12, null)]);
    await writer.close();
    expect(readdirSync(scratch).filter((name) => name.startsWith('large'))).toEqual(['large.parquet']);
    expect(bits((await readShardStream(path, 0, 's')).values)).toBe(bits(first));
    expect(bits((await readShardStream(path, 1, 's')).values)).toBe(bits(second));
  });

  test('an absent episode or stream is not found, a damaged file is unavailable', async () => {
    const path = join(scratch, 'small.parquet');
    const writer = await openShardWriter(path);
    await writer.add('e', [stream('s', noise32(3), 1, null)]);
    await writer.close();
    await expect(readShardEpisode(path, 1)).rejects.toMatchObject({ code: 'not_found' });
    await expect(readShardStream(path, 0, 'x')).rejects.toMatchObject({ code: 'not_found' });
    await expect(readShardEpisode(join(scratch, 'none'), 0)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
  });

  test('gives every episode of a span, whatever else is read meanwhile', async () => {
    const path = join(scratch, 'span.parquet');
    const writer = await openShardWriter(path);
    for (let at = 0; at < 3000; at++) await writer.add(`e${at}`, [stream('s', noise32(6), 6, null)]);
    await writer.close();
    const names: string[] = [];
    for await (const { name } of readShardEpisodes(path, 0, 2999)) {
      names.push(name);
      if (names.length % 1000 === 1) await readShardStream(path, 7, 's');
    }
    expect(names).toEqual(Array.from({ length: 3000 }, (_, at) => `e${at}`));
  });

  test('several writers of one thread do not mix', async () => {
    const paths = [0, 1, 2].map((at) => join(scratch, `at-once-${at}.parquet`));
    const kept = paths.map(() => Array.from({ length: 40 }, () => noise32(600)));
    await Promise.all(
      paths.map(async (path, at) => {
        const writer = await openShardWriter(path);
        for (const values of kept[at]) await writer.add('e', [stream('s', values, 6, null)]);
        await writer.close();
      }),
    );
    for (const [at, path] of paths.entries()) {
      for (const place of [0, 39]) {
        const read = await readShardStream(path, place, 's');
        expect(bits(read.values)).toBe(bits(kept[at][place]));
      }
    }
  });

  test('given up, nothing is left', async () => {
    const folder = join(scratch, 'given-up');
    mkdirSync(folder);
    const writer = await openShardWriter(join(folder, 'x.parquet'));
    await writer.add('e', [stream('s', noise32(9_000_000), 1, null)]);
    await writer.abandon();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a writer that was killed leaves nothing under the shard’s name', async () => {
    const folder = join(scratch, 'killed');
    mkdirSync(folder);
    const script = `
      import { openShardWriter } from ${JSON.stringify(join(import.meta.dirname, 'shard-writer.ts'))};
      const writer = await openShardWriter(${JSON.stringify(join(folder, 'x.parquet'))});
      const values = new Float32Array(8_000_000).map(Math.random);
      process.stdout.write('started');
      for (;;) await writer.add('e', [{ id: 's', clocks: [], clock: null, series: { values, dims: 1 } }]);`;
    const writer = spawn(process.execPath, ['--input-type=module-typescript', '-e', script]);
    await once(writer.stdout, 'data');
    const died = once(writer, 'exit');
    while (readdirSync(folder).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    writer.kill('SIGKILL');
    await died;
    expect(readdirSync(folder)).not.toContain('x.parquet');
  });
});
