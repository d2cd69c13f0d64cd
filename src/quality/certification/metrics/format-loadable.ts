import { type Metric, notAssessable, type Seen } from '../metric.ts';

export const formatLoadable: Metric = {
  id: 'format.loadable',
  title: 'The set loads in its own reader',
  unit: 'grade',
  direction: 'higher_is_better',
  formula: '1 where no rule of the format’s canonical reader is broken, else 0',
  inputs: 'the contract rules of the set’s format, as docs/contracts.md lists them',
  boundaries: {
    ideal: 1,
    review: 1,
    allowed_share: 0,
    source: 'the reader refuses the set, or serves wrong rows without a word: there is no half of it',
  },
  observe({ loads }) {
    if (loads === null) return notAssessable('the format has no canonical reader whose rules are known here');
    return {
      observed: loads.loads === 'yes' ? 1 : 0,
      confidence: 'high',
      inputs: { reader: loads.reader, broken: loads.why.map(({ rule }) => rule) },
      provenance: `contract rules of ${loads.reader}`,
    };
  },
  conclude: (seen) => ({
    observations: seen.map(({ observation }) => observation),
    diagnostics: brokenRules(seen),
  }),
};

/** Each rule that is broken, with the reader whose rule it is and how many episodes it concerns. */
function brokenRules(seen: readonly Seen[]): string[] {
  const broken = new Map<string, number>();
  for (const { observation } of seen) {
    if ('not_assessable' in observation || !Array.isArray(observation.inputs.broken)) continue;
    for (const rule of observation.inputs.broken) {
      const said = `${String(observation.inputs.reader)}: ${String(rule)}`;
      broken.set(said, (broken.get(said) ?? 0) + 1);
    }
  }
  return [...broken].map(
    ([said, episodes]) =>
      `${said}, in ${episodes} of ${seen.length} episodes (docs/contracts.md says what it is)`,
  );
}
