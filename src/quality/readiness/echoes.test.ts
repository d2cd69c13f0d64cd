import { describe, expect, it } from 'vitest';
import { checks } from './check-registry.ts';
import { verifyReceipt } from './documents/validate.ts';
import { sealedReceipt } from './test-receipt.ts';
import { mapValues, swingingArm, testEpisode, testSubject } from './test-subject.ts';

const [state, action] = swingingArm(7);
const inDegrees = testSubject(testEpisode(0, [mapValues(state, (value) => 57.3 * value), action]));
const drift = {
  unit_drift: {
    dimension: 0,
    dimensions: 6,
    factor: 57.3,
    meaning: 'degrees instead of radians',
    stream: state.id,
  },
};
const flagsOf = ({ receipt }: ReturnType<typeof sealedReceipt>) => receipt.flags.map(({ code }) => code);
const scoreOf = ({ receipt }: ReturnType<typeof sealedReceipt>, id: string) => {
  const component = receipt.checks.find((one) => one.id === id);
  return component?.status === 'scored' ? component.score : null;
};

describe('one cause that a check and a comparison see', () => {
  it('is one flag, the more exact one, and lowers both scores', () => {
    const sealed = sealedReceipt(inDegrees, {}, drift);
    expect(flagsOf(sealed)).toEqual(['unit_drift']);
    expect(sealed.receipt.decision_reason).toBe('blocking: unit_drift');
    expect(scoreOf(sealed, 'kinematic_sanity')).toBe(0);
    expect(scoreOf(sealed, 'action_state_agreement')).toBe(0);
    expect(verifyReceipt(sealed.json)).toMatchObject({ ok: true, problems: [] });
  });

  it('is reported by the other flag if the more exact one is not raised', () => {
    expect(flagsOf(sealedReceipt(inDegrees))).toEqual(['unit_mismatch']);
    const without = { checks: { kinematic_sanity: { enabled: false } } };
    expect(flagsOf(sealedReceipt(inDegrees, without, drift))).toEqual(['unit_mismatch']);
  });

  it('is one flag for a lag that is both long and unlike that of the other episodes', () => {
    const late = mapValues(state, (_, row, d) => state.series!.values[Math.max(0, row - 15) * 6 + d]);
    const note = { excess: 4, lag_s: 0.5, stream: state.id, usual_s: 0 };
    const subject = testSubject(testEpisode(0, [late, action]));
    expect(flagsOf(sealedReceipt(subject, {}, { lag_drift: note }))).toEqual(['action_state_lag']);
    const own = testSubject(testEpisode(0, [state, action]));
    expect(flagsOf(sealedReceipt(own, {}, { lag_drift: note }))).toEqual(['lag_drift']);
  });
});

it('only names flags that some check declares', () => {
  const flags = checks.rows.flatMap((check) => check.flags);
  const codes = new Set(flags.map(({ code }) => code));
  for (const { echo_of } of flags) if (echo_of !== undefined) expect(codes).toContain(echo_of);
});
