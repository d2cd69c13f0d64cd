import { describe, expect, it } from 'vitest';
import { gr00tConsequences } from '../lerobot/rules/gr00t.ts';
import { applySeverities, computeLoadVerdict, listRefusals, loaderSeverities, loaders } from './loaders.ts';
import { contracts } from './registry.ts';

const v21 = { format: 'lerobot', version: 'v2.1' };
const v30 = { format: 'lerobot', version: 'v3.0' };
const prepared = { ...v21, prepared_for: 'gr00t' };
const late = { code: 'timestamps_start_late', episodes: 5 };

const chosenFor = (facts: Parameters<typeof computeLoadVerdict>[0], requested?: readonly string[]) => {
  const verdict = computeLoadVerdict(facts, [], requested);
  return verdict === null ? null : [verdict.choice, ...verdict.loaders];
};

describe('the choice of a loader', () => {
  it('is the format’s own of the version', () => {
    expect(chosenFor(v21)).toEqual(['default', 'lerobot-0.3']);
    expect(chosenFor(v30)).toEqual(['default', 'lerobot-0.4']);
    expect(chosenFor({ format: 'rlds', version: null })).toEqual(['default', 'tfds']);
    expect(chosenFor({ format: 'mcap', version: null })).toBeNull();
  });

  it('is GR00T’s for a set with its metadata, of a version that it reads', () => {
    expect(chosenFor(prepared)).toEqual(['detected', 'gr00t']);
    expect(computeLoadVerdict(prepared, [])!.marker).toBe('meta/modality.json');
    expect(chosenFor({ ...v30, prepared_for: 'gr00t' })).toEqual(['default', 'lerobot-0.4']);
  });

  it('is what the user asks for, if it reads the format', () => {
    expect(chosenFor(prepared, ['lerobot-0.3'])).toEqual(['requested', 'lerobot-0.3']);
    expect(chosenFor(v21, ['gr00t', 'lerobot-0.3'])).toEqual(['requested', 'lerobot-0.3', 'gr00t']);
    expect(chosenFor(v21, ['tfds'])).toEqual(['default', 'lerobot-0.3']);
  });

  it('has an id for every loader', () => {
    const ids = loaders.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]+([-.][a-z0-9]+)*$/);
  });
});

describe('the verdict of the chosen loader', () => {
  it('leaves out what only others refuse, and gives their answers for information', () => {
    const verdict = computeLoadVerdict(prepared, [late])!;
    expect(verdict).toMatchObject({ reader: 'GR00T N1.7', loads: 'yes', why: [] });
    expect(verdict.others.map(({ loader, loads }) => [loader, loads])).toEqual([
      ['lerobot-0.3', 'no'],
      ['lerobot-0.4', 'no'],
      ['openpi', 'no'],
      ['gr00t-n1.5', 'no'],
    ]);
  });

  it('is for openpi that of the LeRobot that it reads with', () => {
    for (const code of [
      'timestamps_start_late',
      'timestamps_backwards',
      'episodes_missing',
      'episodes_unreadable',
    ]) {
      const answer = (id: string) => computeLoadVerdict(v21, [{ code, episodes: 1 }], [id])!.why;
      expect(answer('openpi')).toEqual(answer('lerobot-0.3'));
    }
  });

  it('is the strictest of several', () => {
    const verdict = computeLoadVerdict(prepared, [late], ['gr00t', 'lerobot-0.3'])!;
    expect(verdict).toMatchObject({ reader: 'LeRobot v2.1, GR00T N1.7', loads: 'no' });
    expect(verdict.why).toEqual([{ rule: late.code, does: 'serves_wrong_rows', episodes: 5, fix: true }]);
  });

  it('refuses a version that the loader does not read, and a set without its metadata', () => {
    const whyFor = (facts: typeof v21, id: string) =>
      computeLoadVerdict(facts, [], [id])!.why.map(({ rule }) => rule);
    expect(whyFor(v21, 'lerobot-0.4')).toEqual(['version_unsupported']);
    expect(whyFor(v30, 'lerobot-0.3')).toEqual(['version_unsupported']);
    expect(whyFor(v30, 'gr00t')).toEqual(['version_unsupported']);
    expect(whyFor(v30, 'openpi')).toEqual(['version_unsupported']);
    expect(whyFor(v21, 'gr00t')).toEqual(['modality_missing']);
    expect(whyFor(v21, 'lerobot-0.3')).toEqual([]);
    expect(listRefusals(v21, ['gr00t'])).toMatchObject([
      { code: 'modality_missing', severity: 'blocking', path: 'meta/modality.json' },
    ]);
    expect(listRefusals(v21)).toEqual([]);
  });
});

describe('severities for the chosen loader', () => {
  const findings = [
    { code: 'timestamps_start_late', severity: 'blocking' },
    { code: 'path_template_wrong', severity: 'blocking' },
    { code: 'video_spans_overlap', severity: 'blocking' },
    { code: 'unused_stats_wrong', severity: 'info' },
    { code: 'nonstandard_json', severity: 'warning' },
  ] as const;
  const severitiesFor = (facts: typeof v21, requested?: readonly string[]) =>
    applySeverities(findings, loaderSeverities(facts, requested)).map(({ severity }) => severity);

  it('are those of the findings for the format’s own loader', () => {
    expect(loaderSeverities(v21)).toBeNull();
    expect(loaderSeverities(v21, ['lerobot-0.3'])).toBeNull();
    expect(applySeverities(findings, loaderSeverities(v21))).toBe(findings);
  });

  it('are those of GR00T for a set that is prepared for it', () => {
    expect(severitiesFor(prepared)).toEqual(['info', 'blocking', 'info', 'error', 'warning']);
  });

  it('are the strictest for several loaders', () => {
    expect(severitiesFor(prepared, ['gr00t', 'gr00t-n1.5'])[0]).toBe('blocking');
    expect(severitiesFor(prepared, ['lerobot-0.3'])).toEqual([
      'blocking',
      'blocking',
      'info',
      'info',
      'warning',
    ]);
  });
});

it('the consequences for GR00T are of rules of LeRobot', () => {
  const rules = new Set(contracts.flatMap(({ rules: own }) => own.map(({ id }) => id)));
  expect(Object.keys(gr00tConsequences).filter((id) => !rules.has(id))).toEqual([]);
});
