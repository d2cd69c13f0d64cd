import { metricTitles } from '#core/titles';
import { type EpisodeObservation, type Metric, notAssessable } from '../metric.ts';

export const formatLoadable: Metric = {
  id: 'format.loadable',
  title: metricTitles['format.loadable'],
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
  conclude: (observations) => ({
    observations: observations.map(({ observation }) => observation),
    diagnostics: brokenRules(observations),
  }),
};

/** Describes each broken rule with its reader and the number of episodes. */
function brokenRules(observations: readonly EpisodeObservation[]): string[] {
  const broken = new Map<string, number>();
  for (const { observation } of observations) {
    if ('not_assessable' in observation || !Array.isArray(observation.inputs.broken)) continue;
    for (const rule of observation.inputs.broken) {
      const ruleText = `${String(observation.inputs.reader)}: ${String(rule)}`;
      broken.set(ruleText, (broken.get(ruleText) ?? 0) + 1);
    }
  }
  return [...broken].map(
    ([ruleText, episodes]) =>
      `${ruleText}, in ${episodes} of ${observations.length} episodes (docs/contracts.md says what it is)`,
  );
}
