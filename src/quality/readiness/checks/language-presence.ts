import { significant } from '#core';
import { checkTitles } from '#core/titles';
import { defineCheck } from '../check.ts';

type Values = { readonly texts: number; readonly blank: number };

export const languagePresence = defineCheck<Values>({
  id: 'language_presence',
  title: checkTitles.language_presence,
  needs: 'a format that carries task text',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'],
  formula: {
    combine: 'score of the episode',
    aspects: [
      { what: 'texts that say something / texts of the episode', score: 'that share; 0 without any text' },
    ],
  },
  threshold: {
    value: 0.99,
    source:
      'language-conditioned training pairs every frame with its text, so one blank text is one too many',
  },
  weight: 1,
  flags: [
    {
      code: 'instruction_missing',
      severity: 'warning',
      meaning: 'The episode has no task text, or a blank one, although its format carries text.',
      advice:
        'Write what the robot was asked to do into the task table, or leave this episode out of language-conditioned training.',
    },
  ],
  calibrated_on: 'real teleoperation sets (every text present) and blanked copies',
  measure({ episode }) {
    if (episode.tasks === null)
      return { status: 'inapplicable', reason: `${episode.locator.format} recordings carry no task text` };
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
          texts === 0 ? 'the episode names no task' : `${blank} of ${texts} task texts are blank`,
      },
    ];
  },
});
