import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CertificationPolicy, CertificationReport, CertificationVerdict } from '#core/api';
import {
  certify,
  defaultPolicy,
  type EpisodeEvidence,
  findImportedReportFault,
  sealPolicy,
} from '#quality/certification';
import { type Faults, generatedEvidence, removals } from '../support/certified-evidence.ts';
import { rounds } from '../support/tiers.ts';

const kinds: readonly Faults[] = [
  {},
  { nan: true },
  { frozenCamera: true },
  { blurred: true },
  { backwards: true },
  { noText: true },
];
/** Made once: what differs between runs is which of them are taken, and what is taken from them. */
const made = kinds.flatMap((faults, k) => [
  generatedEvidence(2 * k, faults),
  generatedEvidence(2 * k + 1, faults),
]);

/** Order of verdicts. `not_ready` and `not_assessable` rank equally: fixing the values of a metric can reveal missing evidence. */
const rank: Readonly<Record<CertificationVerdict, number>> = {
  certified: 2,
  review_required: 1,
  not_ready: 0,
  not_assessable: 0,
};

const seen = fc.uniqueArray(fc.integer({ min: 0, max: made.length - 1 }), { minLength: 1, maxLength: 8 });
const removal = fc.constantFrom(...Object.keys(removals));
const share = fc.constantFrom(0, 0.1, 0.25, 0.5);

/** The default policy with every metric that has evidence demanded of every episode, and shares of its own. */
function demanding(metrics: readonly string[], shares: readonly number[]): CertificationPolicy {
  const base = defaultPolicy('vla');
  return sealPolicy(
    {
      target: 'vla',
      metrics: base.metrics.map((bounds, i) => ({
        ...bounds,
        need: metrics.includes(bounds.metric) ? 'required' : 'advisory',
        allowed_share: shares[i % shares.length],
      })),
    },
    1,
  );
}
const assessable = certify(defaultPolicy('vla'), made)
  .metrics.filter(({ observed }) => observed !== null)
  .map(({ metric }) => metric);
const someMetrics = fc.subarray(assessable, { minLength: 1 });

const decisions = (report: CertificationReport) =>
  report.metrics.flatMap((metric) =>
    metric.decisions.map((decision) => ({ metric: metric.metric, ...decision })),
  );

describe('certification', () => {
  it('follows from its own decisions, for any set and policy', () => {
    fc.assert(
      fc.property(seen, someMetrics, share, share, (episodes, metrics, one, other) => {
        const policy = demanding(metrics, [one, other]);
        const report = certify(
          policy,
          episodes.map((i) => made[i]),
        );
        expect(findImportedReportFault(report, policy)).toBeNull();
      }),
      { numRuns: rounds(40, 400) },
    );
  });

  it('has evidence for most metrics here, and finds each planted fault', () => {
    expect(assessable.length).toBeGreaterThan(15);
    const verdictOf = (faults: Faults, metric: string) =>
      certify(defaultPolicy('vla'), [generatedEvidence(90, faults)]).metrics.find(
        (row) => row.metric === metric,
      )?.verdict;
    expect(verdictOf({ nan: true }, 'kinematics.violations')).toBe('not_ready');
    expect(verdictOf({ frozenCamera: true }, 'camera.frozen_frames')).toBe('not_ready');
    expect(verdictOf({ blurred: true }, 'image.blur')).toBe('not_ready');
    expect(verdictOf({ backwards: true }, 'timeline.monotonic')).toBe('not_ready');
    expect(verdictOf({}, 'timeline.monotonic')).toBe('certified');
    expect(certify(defaultPolicy('vla'), [generatedEvidence(91)]).verdict).toBe('certified');
  });

  it('never betters a verdict when evidence is taken away', () => {
    fc.assert(
      fc.property(
        seen,
        someMetrics,
        fc.array(share, { minLength: 1, maxLength: 5 }),
        fc.array(fc.tuple(fc.nat(7), removal), { minLength: 1, maxLength: 4 }),
        (places, metrics, shares, taken) => {
          const policy = demanding(metrics, shares);
          const all = places.map((place) => made[place]);
          const less = [...all];
          for (const [at, id] of taken) less[at % less.length] = removals[id](less[at % less.length]);
          const [before, after] = [certify(policy, all), certify(policy, less)];
          expect(rank[after.verdict]).toBeLessThanOrEqual(rank[before.verdict]);
          expect(after.coverage.share ?? 0).toBeLessThanOrEqual(before.coverage.share ?? 0);
        },
      ),
      { numRuns: rounds(50, 300) },
    );
  });

  it('holds no metric of a removed modality for zero or passed, and coverage falls', () => {
    fc.assert(
      fc.property(seen, removal, (places, id) => {
        const policy = demanding(assessable, [0]);
        const all = places.map((place) => made[place]);
        const [before, after] = [certify(policy, all), certify(policy, all.map(removals[id]))];
        const now = decisions(after);
        let gone = 0;
        for (const [i, decision] of decisions(before).entries()) {
          if (now[i].applicability === 'applicable') continue;
          expect(now[i].reason.length).toBeGreaterThan(5);
          expect('observed' in now[i]).toBe(false);
          if (decision.applicability === 'applicable') gone++;
        }
        expect(before.coverage.decisions - after.coverage.decisions).toBe(gone);
      }),
      { numRuns: rounds(20, 100) },
    );
  });

  it('never worsens a verdict when boundaries are moved outwards', () => {
    fc.assert(
      fc.property(
        seen,
        someMetrics,
        fc.array(share, { minLength: 1, maxLength: 5 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (places, metrics, shares, ideal, review) => {
          const policy = demanding(metrics, shares);
          const outwards = (direction: string, by: number) => (direction === 'lower_is_better' ? by : -by);
          const wider = sealPolicy(
            {
              target: policy.target,
              metrics: policy.metrics.map((bounds) => ({
                ...bounds,
                ideal: bounds.ideal + outwards(bounds.direction, Math.min(ideal, review)),
                review: bounds.review + outwards(bounds.direction, review),
              })),
            },
            2,
          );
          const all: readonly EpisodeEvidence[] = places.map((place) => made[place]);
          const [before, after] = [certify(policy, all), certify(wider, all)];
          expect(rank[after.verdict]).toBeGreaterThanOrEqual(rank[before.verdict]);
        },
      ),
      { numRuns: rounds(40, 200) },
    );
  });
});
