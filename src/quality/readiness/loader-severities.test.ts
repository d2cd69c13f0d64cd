import { expect, it } from 'vitest';
import { judgeMeasurements, measureEpisode } from './run-checks.ts';
import { resolveSettings } from './scoring.ts';
import { mapValues, swingingArm, testEpisode, testSubject } from './test-subject.ts';

const [state, action] = swingingArm(7);
const measured = measureEpisode(
  testSubject(testEpisode(0, [mapValues(state, (value) => 57.3 * value), action])),
);
const judge = (severities: Parameters<typeof judgeMeasurements>[4]) =>
  judgeMeasurements(measured, {}, { findings: [], streams: [] }, resolveSettings(), severities);
const flagsOf = ({ flags }: ReturnType<typeof judge>) => flags.map(({ code, severity }) => [code, severity]);

it('a flag that does not block for the chosen loader does not reject', () => {
  const own = judge(null);
  expect(flagsOf(own)).toEqual([['unit_mismatch', 'blocking']]);
  expect(own.decision_reason).toContain('blocking: unit_mismatch');
  expect(flagsOf(judge({ unit_mismatch: 'info' }))).toEqual([['unit_mismatch', 'info']]);
  expect(flagsOf(judge({ unit_mismatch: 'error' }))).toEqual([['unit_mismatch', 'warning']]);
  expect(judge({ unit_mismatch: 'info' }).decision_reason).not.toContain('blocking');
  expect(judge({ unit_mismatch: 'blocking' })).toEqual(own);
  expect(judge({ signal_jump: 'info' })).toEqual(own);
});
