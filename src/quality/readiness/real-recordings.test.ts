import { beforeAll, describe, expect, it } from 'vitest';
import { type Judged, judged, missing } from '#test/support/judge-recording';
import { verifyReceipt } from './documents/validate.ts';

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

  it('has neither copies nor drifting units, offset joints, drifting lags or wrong texts', () => {
    const codes = compared.findings.map(({ code }) => code);
    for (const code of [
      'duplicate_episodes',
      'unit_drift',
      'joint_offset',
      'lag_drift',
      'instruction_mismatch',
      'schema_drift',
    ])
      expect(codes).not.toContain(code);
  });

  it('has no flag but for the missing videos', () => {
    const codes = new Set(receipts.flatMap(({ flags }) => flags.map(({ code }) => code)));
    expect(codes).toEqual(new Set(['camera_missing']));
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
