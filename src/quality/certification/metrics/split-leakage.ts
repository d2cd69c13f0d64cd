import { z } from 'zod';
import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';
import { readCheck } from '../read-check.ts';

const anything = z.looseObject({});
const leak = z.looseObject({ of: z.string(), of_split: z.string() });

export const splitLeakage: Metric = {
  id: 'split.leakage',
  title: metricTitles['split.leakage'],
  unit: 'copies',
  direction: 'lower_is_better',
  formula:
    '1 if the episode is a copy of one in another split, judging by its rows, files or images (also mirrored or rotated); otherwise 0',
  inputs: 'declared splits, and copies found across all episodes (split_leakage)',
  boundaries: {
    ideal: 0,
    review: 0,
    allowed_share: 0,
    source: 'a copy in the test split measures memorisation; a single one is a defect',
  },
  observe({ receipt }) {
    const { split } = receipt.episode;
    if (split === undefined) return notAssessable('the dataset declares no splits');
    const length = readCheck(receipt, 'episode_length', anything);
    const pictures = readCheck(receipt, 'image_integrity', anything);
    const notes = [length, pictures].flatMap((read) =>
      read.status === 'measured' ? [read.notes.split_leakage] : [],
    );
    if (notes.length === 0) return notAssessable('the episode was not compared with others');
    const leaked = notes.map((note) => leak.safeParse(note)).find(({ success }) => success)?.data;
    return {
      observed: leaked === undefined ? 0 : 1,
      confidence: 'high',
      inputs: leaked === undefined ? { split } : { split, of: leaked.of, of_split: leaked.of_split },
      provenance: 'split_leakage, across the dataset',
    };
  },
  conclude(observations) {
    const splits = new Set<unknown>();
    for (const { observation } of observations)
      if ('inputs' in observation) splits.add(observation.inputs.split);
    return {
      observations: observations.map(({ observation }) =>
        splits.size > 1 || 'not_assessable' in observation
          ? observation
          : notAssessable('all episodes are in one split'),
      ),
      diagnostics: [],
    };
  },
};
