import { describe, expect, it } from 'vitest';
import { combineSetVerdicts, judgeSet, SetTally } from './set-verdict.ts';

const fixable = new Set(['timestamps_gap', 'json_refused']);
const accepted = { decision: 'accept', flags: [], findings: [] } as const;
const rejected = (...codes: readonly string[]) => ({
  decision: 'reject' as const,
  flags: [],
  findings: codes.map((code) => ({ code, severity: 'blocking' })),
});

function tally(...episodes: readonly Parameters<SetTally['add']>[0][]) {
  const all = new SetTally(fixable);
  for (const episode of episodes) all.add(episode);
  return all;
}

const judge = (all: SetTally, evidence: Partial<Parameters<typeof judgeSet>[0]> = {}) =>
  judgeSet({ counts: all.counts, loads: null, findings: [], unreadable: 0, fixable, ...evidence });

describe('the verdict on a dataset', () => {
  it('is usable if it loads, everything was read and nothing is rejected', () => {
    expect(judge(tally(accepted, { ...accepted, decision: 'review' }))).toEqual({
      verdict: 'usable',
      usable_episodes: 2,
      reasons: [],
    });
  });

  it('is not usable as it is if its loader refuses it, even if every episode is accepted', () => {
    const why = [{ rule: 'json_refused', does: 'refuses_set', episodes: null }] as const;
    expect(judge(tally(accepted), { loads: { why } })).toEqual({
      verdict: 'usable_after_fix',
      usable_episodes: 1,
      reasons: [{ code: 'json_refused', effect: 'refuses_set', episodes: null, remedy: 'fix' }],
    });
  });

  it('counts rejected episodes as usable after a fix only if all that rejects them can be fixed', () => {
    const all = tally(accepted, rejected('timestamps_gap'), rejected('timestamps_gap', 'camera_frozen'));
    expect(judge(all)).toEqual({
      verdict: 'usable_after_fix',
      usable_episodes: 2,
      reasons: [
        { code: 'camera_frozen', effect: 'rejected', episodes: 1, remedy: 'export' },
        { code: 'timestamps_gap', effect: 'rejected', episodes: 2, remedy: 'fix' },
      ],
    });
  });

  it('is not usable if no episode is, and then nothing but restoring the data helps', () => {
    const { verdict, reasons } = judge(tally(rejected('lfs_pointers'), rejected()));
    expect(verdict).toBe('not_usable');
    expect(reasons.map(({ code, remedy }) => [code, remedy])).toEqual([
      ['lfs_pointers', 'restore'],
      ['score_too_low', 'restore'],
    ]);
    expect(judge(tally()).verdict).toBe('not_usable');
  });

  it('does not pass over episodes that could not be read, nor findings that stop training', () => {
    expect(judge(tally(accepted), { unreadable: 2 }).reasons).toEqual([
      { code: 'episodes_unreadable', effect: 'unreadable', episodes: 2, remedy: 'export' },
    ]);
    const findings = [{ code: 'stats_incomplete', severity: 'blocking' }] as const;
    expect(judge(tally(accepted), { findings }).reasons[0].effect).toBe('stops_training');
    const companion = [{ code: 'companion_files_unread', severity: 'warning' }] as const;
    for (const also of [findings, companion])
      expect(judge(tally(accepted), { unreadable: 2, findings: also }).reasons).toContainEqual({
        ...{ code: 'episodes_unreadable', effect: 'unreadable', episodes: 2, remedy: 'export' },
      });
    const why = [{ rule: 'json_refused', does: 'refuses_set', episodes: null }] as const;
    expect(judge(tally(accepted), { unreadable: 2, loads: { why } }).reasons).toHaveLength(1);
  });

  it('is the same whether episodes are counted at once or in parts', () => {
    const whole = tally(accepted, rejected('camera_frozen'), rejected('timestamps_gap'));
    const parts = tally(accepted, rejected('camera_frozen'));
    parts.merge(tally(rejected('timestamps_gap')).counts);
    expect(parts.counts).toEqual(whole.counts);
  });
});

describe('the verdict on half a recording', () => {
  it('is not usable as it is, and no export helps', () => {
    const findings = [{ code: 'companion_files_unread', severity: 'warning' }] as const;
    expect(judge(tally(accepted), { findings })).toEqual({
      verdict: 'usable_after_fix',
      usable_episodes: 1,
      reasons: [{ code: 'companion_files_unread', effect: 'unreadable', episodes: null, remedy: 'restore' }],
    });
  });
});

describe('the verdict on several datasets', () => {
  const usable = judge(tally(accepted));
  const broken = judge(tally(rejected('lfs_pointers')));

  it('is usable only if each is, and not usable only if none is', () => {
    expect(combineSetVerdicts([usable, usable], []).verdict).toBe('usable');
    expect(combineSetVerdicts([usable, broken], []).verdict).toBe('usable_after_fix');
    expect(combineSetVerdicts([broken, broken], []).verdict).toBe('not_usable');
    expect(combineSetVerdicts([], []).verdict).toBe('not_usable');
  });

  it('names a reason that several datasets share once', () => {
    const one = judge(tally(accepted, rejected('camera_frozen')));
    const two = judge(tally(accepted, rejected('camera_frozen'), rejected('camera_frozen')));
    expect(combineSetVerdicts([one, two], []).reasons).toEqual([
      { code: 'camera_frozen', effect: 'rejected', episodes: 3, remedy: 'export' },
    ]);
  });

  it('does not pass over files that look like recordings and cannot be read', () => {
    const { verdict, reasons } = combineSetVerdicts([usable], [{ code: 'file_misnamed', severity: 'error' }]);
    expect(verdict).toBe('usable_after_fix');
    expect(reasons).toEqual([
      { code: 'file_misnamed', effect: 'unreadable', episodes: null, remedy: 'restore' },
    ]);
  });
});
