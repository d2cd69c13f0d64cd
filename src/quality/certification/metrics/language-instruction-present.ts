import { z } from 'zod';
import { significant } from '#core';
import { metricTitles } from '#core/titles';
import { type Metric, notAssessable } from '../metric.ts';
import { readCheck } from '../read-check.ts';

const values = z.looseObject({ texts: z.number(), blank: z.number() });

export const languageInstructionPresent: Metric = {
  id: 'language.instruction_present',
  title: metricTitles['language.instruction_present'],
  unit: 'ratio',
  direction: 'higher_is_better',
  formula:
    'share of the episode’s task texts that are not blank; 0 if it has none while its dataset has texts',
  inputs: 'task texts counted by language_presence',
  boundaries: {
    ideal: 1,
    review: 1,
    allowed_share: 0,
    source: 'training pairs every frame with its text, so a single blank text is a defect',
  },
  observe({ receipt }) {
    const read = readCheck(receipt, 'language_presence', values);
    if (read.status === 'absent') return notAssessable(read.reason);
    const { texts, blank } = read.values;
    return {
      observed: texts === 0 ? 0 : significant((texts - blank) / texts),
      confidence: 'high',
      inputs: { texts, blank },
      provenance: 'language_presence, over every text',
    };
  },
  conclude(observations) {
    const hasText = observations.some(
      ({ observation }) => 'observed' in observation && observation.observed > 0,
    );
    return {
      observations: observations.map(({ observation }) =>
        hasText || 'not_assessable' in observation
          ? observation
          : notAssessable('no episode of the dataset has a task text'),
      ),
      diagnostics: [],
    };
  },
};
