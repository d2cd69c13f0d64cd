import { metricTitles } from '#core/titles';
import { type EpisodeObservation, type Metric, notAssessable } from '../metric.ts';

export const formatLoadable: Metric = {
  id: 'format.loadable',
  title: metricTitles['format.loadable'],
  unit: 'grade',
  direction: 'higher_is_better',
  formula: '1 if the dataset meets all rules of the format’s reference loader, otherwise 0',
  inputs: 'loader rules of the format (docs/contracts.md)',
  boundaries: {
    ideal: 1,
    review: 1,
    allowed_share: 0,
    source: 'the loader either rejects the dataset or silently returns wrong rows; there is no middle ground',
  },
  observe({ loads }) {
    if (loads === null) return notAssessable('no reference loader with known rules exists for this format');
    return {
      observed: loads.loads === 'yes' ? 1 : 0,
      confidence: 'high',
      inputs: { reader: loads.reader, broken: loads.why.map(({ rule }) => rule) },
      provenance: `loader rules of ${loads.reader}`,
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
      `${ruleText}, in ${episodes} of ${observations.length} episodes (see docs/contracts.md)`,
  );
}
