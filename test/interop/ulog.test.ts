import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Episode, Stream } from '#core/episode';
import { onPeers, peersPython } from '../support/peers.ts';
import { readEverything } from '../support/read-dataset.ts';
import { askScript } from './python-worker.ts';

const shared = join(import.meta.dirname, '../../../shared/data/ulog');
const isPresent = existsSync(shared);
const title = isPresent
  ? onPeers('PX4 logs, beside pyulog')
  : 'PX4 logs, beside pyulog (skipped: no ../shared/data)';

interface Theirs {
  readonly start_us: number;
  readonly columns: readonly { topic: string; instance: number; field: string; rows: number }[];
  readonly messages: number;
  readonly dropouts_ms: readonly number[];
  readonly texts: number;
  readonly parameters: number;
}

describe.skipIf(!peersPython || !isPresent)(title, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-interop-ulog-'));
  afterAll(() => rmSync(scratch, { recursive: true }));

  it.each([
    'pyulog/test/sample.ulg',
    'pyulog/test/sample_log_small.ulg',
    'pyulog/test/sample_px4_events.ulg',
    'pyulog/test/sample_appended_multiple.ulg',
    'pyulog/test/sample_logging_tagged_and_default_params.ulg',
    'flight-review/battery_brownout.ulg',
    'flight-review/gps_interference.ulg',
  ])('are the same numbers in every topic and field of %s', { timeout: 60_000 }, async (path) => {
    const dump = join(scratch, 'columns');
    const theirs: Theirs = await askScript('peers', 'pyulog_columns.py', join(shared, path), dump);
    const bytes = readFileSync(dump);
    const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
    const { sets } = await readEverything(join(shared, path));
    const [episode] = sets[0].episodes;
    const ours = columnsOf(episode);

    let at = 0;
    const wrong: string[] = [];
    for (const { topic, instance, field, rows } of theirs.columns) {
      const values = numbers.subarray(at, at + rows);
      at += rows;
      if (rows === 0) continue;
      const name = `${instance === 0 ? topic : `${topic}[${instance}]`} ${field}`;
      const column = ours.get(name);
      const isClock = field === 'timestamp' || field === 'timestamp_sample';
      const same = isClock ? sameTimes : sameNumbers;
      if (
        column === undefined
          ? !(isClock && values.every((value) => value === 0))
          : !same(column, values, theirs.start_us)
      )
        wrong.push(name);
      ours.delete(name);
    }
    expect(wrong).toEqual([]);
    expect([...ours.keys()]).toEqual([]);
    expect(episode.dropouts?.map(({ duration_s }) => Math.round((duration_s ?? 0) * 1e3))).toEqual(
      theirs.dropouts_ms,
    );
    expect(episode.events.filter(({ source }) => source.startsWith('logged text'))).toHaveLength(
      theirs.texts,
    );
  });
});

type Column = ArrayLike<number>;

/** Every column of an episode under its topic and field, clocks included. */
function columnsOf({ streams }: Episode): Map<string, Column> {
  const columns = new Map<string, Column>();
  for (const stream of streams) {
    const topic = stream.id.split('.')[0];
    for (const { name, time_s } of stream.clocks) columns.set(`${topic} ${name}`, time_s);
    for (const [d, name] of (stream.names ?? []).entries())
      columns.set(`${topic} ${name}`, dimension(stream, d));
  }
  return columns;
}

function dimension({ series }: Stream, d: number): Float64Array {
  const { values, dims } = series!;
  return Float64Array.from({ length: values.length / dims }, (_, row) => values[row * dims + d]);
}

function sameNumbers(ours: Column, theirs: Float64Array): boolean {
  return ours.length === theirs.length && theirs.every((value, i) => Object.is(value + 0, ours[i] + 0));
}

/** Ours are seconds from the start; back to the same microsecond. */
function sameTimes(ours: Column, theirs: Float64Array, start_us: number): boolean {
  return (
    ours.length === theirs.length &&
    theirs.every((value, i) => Math.round(ours[i] * 1e6) + start_us === value)
  );
}
