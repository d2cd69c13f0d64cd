import { expect, it } from 'vitest';
import { flagGroups, type RaisedFlag, reasonText, spread } from './outcomes.ts';

const flag = (code: string, severity: RaisedFlag['severity'], score: number): RaisedFlag => ({
  ...{ code, severity, score },
  check: 'a_check',
  advice: `mend ${code}`,
});

it('puts flags of one code together, what blocks before what warns and the worst of each first', () => {
  const flags = [
    flag('gap', 'warning', 0.4),
    flag('late', 'warning', 0.2),
    flag('black', 'blocking', 0.9),
    flag('gap', 'warning', 0.1),
  ];
  expect(
    flagGroups(flags).map(({ raised, score, advices }) => [raised.map(({ index }) => index), score, advices]),
  ).toEqual([
    [[2], 0.9, ['mend black']],
    [[0, 3], 0.1, ['mend gap']],
    [[1], 0.2, ['mend late']],
  ]);
});

it('selects items evenly, first and last included', () => {
  expect(spread([1, 2, 3], 3)).toEqual([1, 2, 3]);
  expect(spread([0, 1, 2, 3, 4, 5, 6, 7, 8], 3)).toEqual([0, 4, 8]);
});

it('shows the reason of a decision with titles instead of codes, and leaves names of streams alone', () => {
  expect(reasonText('blocking: camera_frozen, unit_drift; failed: signal_jump')).toBe(
    'blocking: Frozen camera, Inconsistent units; failed: Signal jump',
  );
  expect(reasonText('observation.state_left has no unit')).toBe('observation.state_left has no unit');
});
