import { describe, expect, it } from 'vitest';
import type { Component, ReceiptFlag } from '#core/api';
import type { Severity } from '#core/episode';
import { type Check, defineCheck } from './check.ts';
import { selectUnusedStreams } from './missing-evidence.ts';
import { decide, judgeCheck } from './scoring.ts';

const check: Check = defineCheck<{ low: number; high: number; remark: number }>({
  id: 'episode_length',
  title: '',
  needs: '',
  kinds: ['teleop'],
  formula: { combine: '', aspects: [] },
  threshold: { value: 0.5, source: '' },
  weight: 1,
  flags: [
    { code: 'low', severity: 'warning', meaning: '', advice: 'lift it' },
    { code: 'high', severity: 'blocking', meaning: '', advice: '' },
    { code: 'remark', severity: 'info', meaning: '', advice: '' },
  ],
  calibrated_on: '',
  measure: () => ({ status: 'inapplicable', reason: '' }),
  judge: ({ low, high, remark }) => [
    {
      flag: 'low',
      score: low,
      observed: 1 / 3,
      message: () => 'too low',
      marks: [{ stream: 's', from_s: 0, to_s: 1 / 3 }],
    },
    { flag: 'high', score: high, observed: high, message: () => 'too high' },
    { flag: 'remark', score: remark, observed: remark, message: () => 'by the way' },
  ],
});

const settings = { enabled: true, threshold: 0.5, weight: 2 };
const judge = (low: number, high: number, threshold = 0.5, remark = 1) =>
  judgeCheck(check, { status: 'measured', values: { low, high, remark } }, undefined, {
    ...settings,
    threshold,
  });

function scored(score: number, weight = 1): Component {
  return { id: 'a', status: 'scored', score, weight, threshold: 0.5, inputs: {} };
}
function unscored(status: 'inapplicable' | 'not_assessable' | 'disabled', weight = 1): Component {
  return { id: 'b', status, weight, threshold: 0.5, reason: 'no' };
}
function flag(severity: ReceiptFlag['severity']): ReceiptFlag {
  const code = `${severity}_flag`;
  return {
    code,
    check: 'a',
    severity,
    score: 0,
    threshold: 0.5,
    observed: 0,
    message: '',
    advice: '',
    marks: [],
  };
}

function finding(severity: Severity) {
  return { code: `${severity}_finding`, severity };
}

describe('judging one check', () => {
  it('scores the lowest aspect and raises flags below the threshold', () => {
    const { component, flags } = judge(0.2, 0.9);
    expect(component).toMatchObject({ status: 'scored', score: 0.2, threshold: 0.5, weight: 2 });
    expect(flags).toEqual([
      {
        code: 'low',
        check: 'episode_length',
        severity: 'warning',
        score: 0.2,
        threshold: 0.5,
        observed: 0.333333,
        message: 'too low',
        advice: 'lift it',
        marks: [{ stream: 's', from_s: 0, to_s: 0.333333333 }],
      },
    ]);
  });

  it('raises nothing at the threshold itself, and all below it', () => {
    expect(judge(0.5, 0.5).flags).toEqual([]);
    expect(judge(0.5, 0.5, 0.51).flags.map(({ code }) => code)).toEqual(['low', 'high']);
  });

  it('raises an info flag without lowering the score', () => {
    const { component, flags } = judge(0.9, 0.9, 0.5, 0);
    expect(component).toMatchObject({ score: 0.9 });
    expect(flags.map(({ code }) => code)).toEqual(['remark']);
  });

  it('keeps scores within 0 and 1', () => {
    expect(judge(-3, 7).component).toMatchObject({ score: 0 });
    expect(judge(4, 7).component).toMatchObject({ score: 1 });
  });

  it('gives the reason why a check was not scored or is disabled', () => {
    const measured = { status: 'not_assessable', reason: 'no clock' } as const;
    expect(judgeCheck(check, measured, undefined, settings).component).toMatchObject(measured);
    const off = judgeCheck(check, { status: 'measured', values: { low: 0, high: 0, remark: 0 } }, undefined, {
      ...settings,
      enabled: false,
    });
    expect(off).toMatchObject({ component: { status: 'disabled' }, flags: [] });
  });
});

describe('deciding', () => {
  it('weighs the scores of what was scored', () => {
    expect(decide([scored(1, 3), scored(0, 1), unscored('inapplicable', 50)], [], []).score).toBe(0.75);
  });

  it.each([
    [0.8, 'accept', 'score 0.8 is at least 0.8 and no check failed'],
    [0.79, 'review', 'score 0.79 is below 0.8'],
    [0.5, 'review', 'score 0.5 is below 0.8'],
    [0.49, 'reject', 'score 0.49 is below 0.5'],
  ])('a score of %d is %s', (score, decision, decision_reason) => {
    expect(decide([scored(score)], [], [])).toMatchObject({ decision, decision_reason });
  });

  it.each([
    ['flag', [flag('warning'), flag('blocking')], []],
    ['finding', [flag('warning')], [finding('blocking')]],
  ])('rejects for a blocking %s whatever the score, and names it', (what, flags, findings) => {
    expect(decide([scored(1)], flags, findings)).toMatchObject({
      decision: 'reject',
      decision_reason: `blocking: blocking_${what}; failed: warning_flag`,
    });
  });

  it('reviews what failed whatever the score, and names it', () => {
    const failed = [flag('warning'), flag('info')];
    expect(decide([scored(0.95)], failed, [finding('error'), finding('warning')])).toMatchObject({
      decision: 'review',
      decision_reason: 'failed: error_finding, warning_flag',
    });
  });

  it('accepts with remarks', () => {
    const verdict = decide([scored(0.95)], [flag('info')], [finding('info'), finding('warning')]);
    expect(verdict.decision).toBe('accept');
  });

  it('does not accept what could hardly be graded, and still rejects it', () => {
    const little = [scored(1, 1), unscored('not_assessable', 1)];
    expect(decide(little, [], [])).toMatchObject({ decision: 'review', graded_fraction: 0.5 });
    expect(decide([scored(0, 1), unscored('not_assessable', 1)], [], [])).toMatchObject({
      decision: 'reject',
    });
  });

  it('says what is missing, which streams could provide it and how to map them', () => {
    const little = [scored(1, 1), { ...unscored('not_assessable', 3), id: 'kinematic_sanity' }];
    const stream = (id: string, modality: 'numeric' | 'opaque' | 'text', sample_count = 100) => ({
      ...{ id, role: 'other' as const, modality, sample_count },
    });
    const streams = [
      stream('/plan', 'opaque', 40),
      stream('/arm/data', 'numeric'),
      stream('/rosout', 'opaque'),
      stream('/once', 'numeric', 1),
      stream('/note', 'text'),
    ];
    expect(decide(little, [], [], streams).decision_reason).toBe(
      'not enough evidence: checks with 25 % of the applicable weight could run (60 % required); missing: a numeric state, action or motion sensor stream with at least three samples. These could provide it: /arm/data (numbers without a role), /plan (not decoded). Assign roles to topics with `assay map init FOLDER`; export data that cannot be decoded as HDF5, NPZ, JSON, CSV or Parquet with one row per sample, and map that file in the same way',
    );
    expect(decide(little, [], [], []).decision_reason).toMatch(
      /No other topic or array of the recording could provide it$/,
    );
    const noWords = [scored(1, 1), { ...unscored('not_assessable', 3), id: 'language_quality' }];
    expect(decide(noWords, [], [], streams).decision_reason).toMatch(
      /; missing: a task text that is not blank$/,
    );
  });

  it('recognises topics of the middleware in linear time', () => {
    const stream = (id: string) => ({ id, role: 'other', modality: 'opaque', sample_count: 9 });
    const middleware = [
      '/rosout',
      'a/diagnostics_agg',
      '/x/_action/feedback',
      '/left_status_2',
      '/tf_static',
    ];
    const signals = ['/plan', '/rosouts', '/_action/x/y', '/status.temp'];
    expect(selectUnusedStreams([...middleware, ...signals].map(stream))).toEqual(signals.map(stream));
    const began_ms = performance.now();
    expect(selectUnusedStreams([stream(`/${'a'.repeat(1_000_000)}-`)])).toHaveLength(1);
    expect(performance.now() - began_ms).toBeLessThan(1000);
  });

  it('leaves inapplicable and disabled checks out of the graded fraction', () => {
    expect(decide([scored(1), unscored('inapplicable'), unscored('disabled')], [], []).graded_fraction).toBe(
      1,
    );
  });

  it('reviews what could not be graded at all', () => {
    expect(decide([unscored('not_assessable')], [], [])).toMatchObject({
      score: null,
      graded_fraction: 0,
      decision: 'review',
      decision_reason: 'no check could be scored',
    });
    expect(decide([], [], [])).toMatchObject({ score: null, decision: 'review' });
  });
});
