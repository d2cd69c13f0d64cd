import { significant } from '#core';
import { checkTitles } from '#core/titles';
import { defineCheck } from '../check.ts';

type Values = { readonly texts: number; readonly blank: number };

export const languagePresence = defineCheck<Values>({
  id: 'language_presence',
  title: checkTitles.language_presence,
  needs: 'a format that stores task texts',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'],
  formula: {
    combine: 'score',
    aspects: [
      { what: 'share of the task texts that are not blank', score: 'that share; 0 without any text' },
    ],
  },
  threshold: {
    value: 0.99,
    source:
      'language-conditioned training pairs every frame with its text, so a single blank text is a defect',
  },
  weight: 1,
  flags: [
    {
      code: 'instruction_missing',
      severity: 'warning',
      meaning: 'The episode has no task text, or a blank one, although its format stores task texts.',
      advice:
        'Add the instruction to the task table, or exclude the episode from language-conditioned training.',
    },
  ],
  calibrated_on: 'real teleoperation datasets with all texts present, and copies with blanked texts',
  measure({ episode }) {
    if (episode.tasks === null)
      return { status: 'inapplicable', reason: `${episode.locator.format} recordings have no task texts` };
    const blank = episode.tasks.filter((task) => task.text.trim() === '').length;
    return { status: 'measured', values: { blank, texts: episode.tasks.length } };
  },
  judge({ texts, blank }) {
    const score = texts === 0 ? 0 : (texts - blank) / texts;
    return [
      {
        flag: 'instruction_missing',
        score,
        observed: significant(score),
        message: () =>
          texts === 0 ? 'the episode has no task' : `${blank} of ${texts} task texts are blank`,
      },
    ];
  },
});
