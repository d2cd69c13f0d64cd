import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Receipt } from '#core/api';
import { runAssay } from './run-assay.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-rate-'));
const [recordings, out] = ['recordings', 'out'].map((name) => join(folder, name));
const d4rl = resolve(import.meta.dirname, 'conformance/hdf5/d4rl/input');

beforeAll(() => cpSync(d4rl, recordings, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function receiptsOf(...more: readonly string[]): Promise<readonly Receipt[]> {
  const { out: printed } = await runAssay(['assess', recordings, '--json', ...more]);
  return (JSON.parse(printed) as { receipts: readonly Receipt[] }).receipts;
}

const statusOf = ({ checks }: Receipt, id: string) => checks.find((check) => check.id === id)?.status;

describe('recordings whose format keeps no times', () => {
  it('are judged by what they can carry, and say what was not', async () => {
    const [receipt] = await receiptsOf();
    expect(statusOf(receipt, 'timeline_integrity')).toBe('inapplicable');
    expect(statusOf(receipt, 'signal_sync')).not.toBe('not_assessable');
    expect(statusOf(receipt, 'episode_length')).toBe('scored');
    expect(receipt.limits[0]).toContain('capture times');
    expect(receipt.episode.declared_rate).toBeUndefined();
  });

  it('have a clock at the rate that is declared, and their receipts say so and can be made again', async () => {
    const [receipt] = await receiptsOf('--rate-hz', '20');
    expect(receipt.episode.declared_rate).toEqual({ hz: 20, source: '--rate-hz', used: true });
    const action = receipt.streams.find(({ role }) => role === 'action')!;
    expect(action.clock).toMatchObject({ name: 'step / 20 Hz', provenance: 'synthesised' });
    expect(action.clock?.reason).toContain('declared by --rate-hz');
    expect([action.declared_rate_hz, action.measured_rate_hz]).toEqual([20, 20]);
    expect(receipt.episode.duration_s).toBeCloseTo(action.sample_count / 20, 6);
    await runAssay(['assess', recordings, '--rate-hz', '20', '--out', out]);
    const verified = await runAssay(['verify', join(out, 'receipts'), '--source', recordings]);
    expect(verified.code).toBe(0);
  });

  it('have the rate of a mapping file beside them, unless the command says another', async () => {
    writeFileSync(join(recordings, 'assay.map.yaml'), 'rate_hz: 10\n');
    const [receipt] = await receiptsOf();
    expect(receipt.episode.declared_rate).toEqual({ hz: 10, source: 'assay.map.yaml', used: true });
    const [other] = await receiptsOf('--rate-hz', '20');
    expect(other.episode.declared_rate).toMatchObject({ hz: 20, source: '--rate-hz' });
    writeFileSync(join(recordings, 'assay.map.yaml'), 'rate_hz: fast\n');
    expect((await runAssay(['assess', recordings])).err).toContain('rate_hz');
    rmSync(join(recordings, 'assay.map.yaml'));
  });

  it('refuse a rate that is none', async () => {
    expect((await runAssay(['assess', recordings, '--rate-hz', '0'])).code).toBe(2);
  });
});
