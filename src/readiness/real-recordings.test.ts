import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Episode } from '#episode';
import { type Dataset, discover } from '#formats';
import { collectRows, concludeComparisons } from './compare-episodes.ts';
import { verifyReceipt } from './documents/verify.ts';
import { createFeatures } from './features/episode-features.ts';
import { judgeEpisode } from './judge-episode.ts';
import { deriveKind } from './kind.ts';
import { measureEpisode } from './measure-episode.ts';
import { recordOf, sealReceipt } from './receipt.ts';
import { resolveSettings } from './settings.ts';

const shared = resolve(import.meta.dirname, '../../../shared/data');
const missing = existsSync(shared) ? '' : ' (skipped: no ../shared/data here)';

async function read(path: string): Promise<{ dataset: Dataset; episodes: Episode[] }> {
  const { datasets } = await discover(resolve(shared, path));
  const [{ dataset }] = datasets;
  const episodes: Episode[] = [];
  for (const unit of dataset.units) {
    for await (const episode of dataset.read(unit, {}))
      if (!('unreadable' in episode)) episodes.push(episode);
  }
  await dataset.close();
  return { dataset, episodes: episodes.sort((a, b) => a.index - b.index) };
}

/** As an assessment does, with pictures left unmeasured. */
async function judged(path: string) {
  const { dataset, episodes } = await read(path);
  const settings = resolveSettings();
  const measured = episodes.map((episode) => {
    const { kind, evidence } = deriveKind(episode);
    const subject = { episode, kind, cameras: new Map(), features: createFeatures(episode) };
    return {
      record: recordOf(subject, evidence),
      measurements: measureEpisode(subject),
      rows: collectRows(subject),
    };
  });
  const compared = concludeComparisons(
    measured.map(({ record, rows }) => ({ episode: record.episode.id, rows })),
    dataset.facts,
  );
  const sealed = measured.map(({ record, measurements }) => {
    const kept = JSON.parse(JSON.stringify({ record, measurements }));
    const notes = compared.notesOf(record.episode.id);
    return sealReceipt(judgeEpisode(kept.record, kept.measurements, notes, settings));
  });
  return { compared, dataset, sealed, receipts: sealed.map(({ receipt }) => receipt) };
}

type Judged = Awaited<ReturnType<typeof judged>>;

describe.skipIf(missing !== '')(`the real Unitree G1 set${missing}`, () => {
  let compared: Judged['compared'];
  let sealed: Judged['sealed'];
  let receipts: Judged['receipts'];
  beforeAll(async () => {
    ({ compared, sealed, receipts } = await judged('lerobot-v21-g1-bottle'));
  });

  it('gives one receipt an episode, each verifiable', () => {
    expect(receipts).toHaveLength(100);
    for (const { json } of sealed) expect(verifyReceipt(json)).toMatchObject({ ok: true, problems: [] });
  });

  it('is teleoperation in every episode', () => {
    expect(new Set(receipts.map(({ kind }) => kind.kind))).toEqual(new Set(['teleop']));
  });

  it('has 96 missing videos, named by one finding and rejected one by one', () => {
    const finding = compared.findings.find(({ code }) => code === 'camera_missing');
    expect(finding?.evidence).toMatchObject({ missing: 96 });
    const lacking = receipts.filter(({ flags }) => flags.some(({ code }) => code === 'camera_missing'));
    expect(lacking).toHaveLength(96);
    expect(lacking.every(({ decision }) => decision === 'reject')).toBe(true);
  });

  it('has neither copies nor drifting units, offset joints or wrong texts', () => {
    const codes = compared.findings.map(({ code }) => code);
    for (const code of [
      'duplicate_episodes',
      'unit_drift',
      'joint_offset',
      'instruction_mismatch',
      'schema_drift',
    ])
      expect(codes).not.toContain(code);
  });

  it('has receipts of a few kilobytes', () => {
    expect(Math.max(...sealed.map(({ json }) => json.length))).toBeLessThan(12_000);
  });
});

describe.skipIf(missing !== '')(`the GR00T set whose metadata lies${missing}`, () => {
  it('says once that the declared camera has no pictures, and blames no episode', async () => {
    const { compared, dataset, receipts } = await judged('lerobot-v20-gr00t-pick-place');
    expect(compared.findings).toEqual([]);
    const said = dataset.findings.filter(({ evidence }) => evidence?.cameras !== undefined);
    expect(said.map(({ evidence }) => evidence)).toEqual([{ cameras: ['observation.images.egoview'] }]);
    expect(receipts).toHaveLength(5);
    for (const { flags } of receipts) expect(flags.map(({ code }) => code)).not.toContain('camera_missing');
  });
});
