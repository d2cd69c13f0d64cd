import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Episode, Stream } from '#core/episode';
import { discover } from '#formats';
import { onPeers, peersPython } from '../support/peers.ts';
import { runScript } from './python-worker.ts';

const scratch = join(tmpdir(), `assay-interop-zarr-${process.pid}`);

interface Truth {
  readonly ends: readonly number[];
  /** The sum of each row, by array. */
  readonly sums: Readonly<Record<string, readonly number[]>>;
}

beforeAll(async () => {
  if (!peersPython) return;
  mkdirSync(scratch);
  await runScript('peers', 'zarr_files.py', scratch);
}, 60_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function episodesOf(name: string): Promise<{ episodes: Episode[]; codes: string[] }> {
  const { datasets } = await discover(scratch);
  const found = datasets.find(({ path, recognition }) => path === name || recognition.files?.[0] === name);
  if (found === undefined) throw new Error(`${name} is not among ${datasets.map(({ path }) => path)}`);
  const episodes: Episode[] = [];
  for (const unit of found.dataset.units)
    for await (const item of found.dataset.read(unit, { hashes: false })) {
      if ('unreadable' in item) throw new Error(item.finding.message);
      episodes.push(item);
    }
  for (const { dataset } of datasets) await dataset.close();
  const codes = [...found.dataset.findings, ...episodes.flatMap(({ findings }) => findings)].map(
    ({ code }) => code,
  );
  return { episodes, codes };
}

function sumOfRow({ series, frames }: Stream, row: number): number {
  const bytes = frames?.kept?.find(({ index }) => index === row)?.bytes ?? new Uint8Array(0);
  const values =
    series === undefined ? bytes : series.values.subarray(row * series.dims, (row + 1) * series.dims);
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

describe.skipIf(!peersPython)(onPeers('replay buffers that zarr wrote'), () => {
  it.each(['plain.zarr', 'nested.zarr', 'packed0.zarr.zip', 'packed8.zarr.zip'])(
    'give the numbers that zarr gives, of every codec, type, order and filter: %s',
    async (name) => {
      const truth = JSON.parse(readFileSync(join(scratch, `${name}.json`), 'utf8')) as Truth;
      const { episodes, codes } = await episodesOf(name);
      expect(codes).toEqual(['rate_unknown']);
      expect(episodes.map(({ locator }) => locator.span?.to)).toEqual(truth.ends);
      let compared = 0;
      for (const { streams, locator } of episodes) {
        expect(streams.map(({ id }) => id)).toEqual(Object.keys(truth.sums).sort());
        for (const stream of streams) {
          for (let row = 0; row < stream.sample_count; row++) {
            const wanted = truth.sums[stream.id][locator.span!.from + row];
            if (stream.frames !== undefined && !stream.frames.kept!.some(({ index }) => index === row))
              continue;
            const close = Math.abs(sumOfRow(stream, row) - wanted) <= 1e-4 * Math.max(1, Math.abs(wanted));
            if (!close)
              throw new Error(`${stream.id} row ${row}: ${sumOfRow(stream, row)}, zarr says ${wanted}`);
            compared++;
          }
        }
      }
      expect(compared).toBeGreaterThan(700 * 30);
    },
    60_000,
  );
});
