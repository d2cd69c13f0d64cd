import type { CertifiedMetric } from '#core/api';

/** What the report does not say, in plain words, so that nobody takes silence for a pass. */
export function limitsOf(metrics: readonly CertifiedMetric[]): string[] {
  const unseen = metrics.filter(({ observed }) => observed === null);
  return [
    'The report says what was measured of these recordings under this policy. It is no promise of how a model trained on them will perform.',
    'Coverage stands beside the verdict: it says how many decisions had evidence, not how good the data is.',
    ...unseen.map(({ metric, decisions }) => `${metric} was not assessed: ${reasonsOf(decisions)}.`),
    ...(metrics.some(({ metric, observed }) => metric === 'sync.content_lag' && observed !== null)
      ? [
          'Content lag is read off the motion that signals and pictures share. It is no evidence of hardware clocks.',
        ]
      : []),
  ];
}

const mostReasons = 2;

function reasonsOf(decisions: CertifiedMetric['decisions']): string {
  const reasons = new Set<string>();
  for (const decision of decisions)
    if (decision.applicability === 'not_assessable') reasons.add(decision.reason);
  const said = [...reasons].slice(0, mostReasons).join('; ');
  return reasons.size > mostReasons
    ? `${said}; and ${reasons.size - mostReasons} other reasons`
    : said || 'there is no episode';
}
