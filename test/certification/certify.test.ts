import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '#core';
import { certificationReportSchema, targetProfileIds } from '#core/api';
import {
  certify,
  defaultPolicy,
  diffPolicies,
  dryRun,
  parsePolicy,
  renderReport,
  sealPolicy,
} from '#quality/certification';
import { captioned, generatedEvidence, generatedReceipt, loads } from '../support/certified-evidence.ts';

const policy = defaultPolicy('vla');

describe('a certification report', () => {
  const evidence = [generatedEvidence(1), generatedEvidence(2, { nan: true })];
  const report = certify(policy, evidence);

  it('is what the contract says, and the same bytes each time', () => {
    expect(certificationReportSchema.safeParse(report).error).toBeUndefined();
    expect(canonicalJson(certify(policy, evidence))).toBe(canonicalJson(report));
    expect(renderReport(report, 'a set')).toBe(renderReport(certify(policy, evidence), 'a set'));
  });

  it('is sealed over everything else in it', () => {
    const { content_hash, ...body } = report;
    expect(sha256(canonicalJson(body))).toBe(content_hash);
  });

  it('names the receipts and the files that it stands on', () => {
    const hashes = evidence.map(({ receipt }) => `${receipt.content_hash}\n`).join('');
    expect(report.dataset.receipts_sha256).toBe(sha256(hashes));
    const files = evidence.flatMap(({ receipt }) =>
      receipt.sources.map((file) => `${file.sha256}  ${file.path}\n`),
    );
    expect(report.dataset.sources_sha256).toBe(sha256(files.sort().join('')));
  });

  it('keeps mismatched caption windows with what the model said of them', () => {
    const told = { receipt: generatedReceipt(3), loads, annotations: captioned('mismatch') };
    const agreement = certify(policy, [told]).metrics.find(
      ({ metric }) => metric === 'language.caption_video_agreement',
    );
    expect(agreement?.decisions[0]).toMatchObject({
      observed: 0,
      verdict: 'not_ready',
      diagnostics: {
        mismatches: [
          { from_s: 0, to_s: 5, label: 'reaches for the red cube', reason: 'the cube is seen' },
          {},
        ],
      },
    });
  });

  it('judges captions that Assay made only where the policy requires the metric', () => {
    const id = 'language.caption_boundaries';
    const decide = (need: (typeof policy.metrics)[number]['need']) => {
      const metrics = policy.metrics.map((row) => (row.metric === id ? { ...row, need } : row));
      const made = certify(sealPolicy({ target: policy.target, metrics }, null), evidence);
      return made.metrics.find(({ metric }) => metric === id)!.decisions[0];
    };
    expect(decide('advisory')).toMatchObject({
      verdict: 'not_assessable',
      reason: 'the captions were generated, and the policy does not require this metric',
    });
    expect(decide('if_present').verdict).toBe('not_assessable');
    expect(decide('required')).toMatchObject({ verdict: 'certified', observed: 0 });
  });

  it('escapes what recordings say on its page', () => {
    const page = renderReport(report, '<script>alert(1)</script>');
    expect(page).not.toContain('<script>');
  });

  it('finds pictures of one source in another, byte for byte', () => {
    const again = generatedEvidence(1);
    const episode = { ...again.receipt.episode, id: 'episode_of_another_source' };
    const both = certify(policy, [evidence[0], { ...again, receipt: { ...again.receipt, episode } }]);
    const copies = both.metrics.find(({ metric }) => metric === 'image.duplicates');
    expect(copies?.decisions.map((decision) => 'observed' in decision && decision.observed)).toEqual([0, 1]);
  });
});

describe('a certification policy', () => {
  it.each(targetProfileIds)(
    'of %s is sound, says where each boundary comes from, and reads back',
    (target) => {
      const made = defaultPolicy(target);
      for (const { source } of made.metrics) expect(source.length).toBeGreaterThan(20);
      expect(parsePolicy(JSON.parse(JSON.stringify(made)))).toEqual(made);
      expect(made.metrics.some(({ need }) => need !== 'advisory')).toBe(true);
    },
  );

  it('hashes alike whatever the order of its metrics and its version, and says when it was changed', () => {
    const { target, metrics, policy_hash } = policy;
    expect(sealPolicy({ target, metrics: metrics.toReversed() }, 7).policy_hash).toBe(policy_hash);
    const looser = metrics.map((bounds) => ({ ...bounds, allowed_share: 0.5 }));
    expect(() => parsePolicy({ ...policy, metrics: looser })).toThrow(/hashes to/);
  });

  it.each([
    ['a unit', { unit: 'parsecs' }, /measured in/],
    ['a direction', { direction: 'higher_is_better' }, /must be lower_is_better/],
    ['a review boundary within the ideal one', { ideal: 3, review: 1 }, /stricter than its ideal/],
    ['a metric', { metric: 'made.up' }, /metrics\/3\/metric/],
  ])('is refused for %s', (_, change, message) => {
    const { target, metrics } = policy;
    const wrong = metrics.map((bounds, i) => (i === 3 ? { ...bounds, ...change } : bounds));
    expect(() => parsePolicy({ target, metrics: wrong })).toThrow(message);
  });

  it('can be tried before it is saved', () => {
    const { target, metrics } = policy;
    const stricter = sealPolicy(
      {
        target,
        metrics: metrics.map((bounds) =>
          bounds.metric === 'timeline.jitter' ? { ...bounds, ideal: 1e-4, review: 1e-3 } : bounds,
        ),
      },
      2,
    );
    expect(diffPolicies(policy, stricter)).toMatchObject({
      target: null,
      changes: [{ metric: 'timeline.jitter', before: { ideal: 0.35 }, after: { ideal: 1e-4 } }],
    });
    const tried = dryRun(policy, stricter, [generatedEvidence(1), generatedEvidence(2, { nan: true })]);
    expect(tried.verdict).toEqual({ before: 'not_ready', after: 'not_ready' });
    expect(tried.metrics).toEqual([{ metric: 'timeline.jitter', before: 'certified', after: 'not_ready' }]);
    expect(tried.changed).toEqual([{ episode: 'episode_000001', before: 'certified', after: 'not_ready' }]);
  });
});
