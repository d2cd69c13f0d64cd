import { significant } from '#core';
import { checkTitles } from '#core/titles';
import { type Aspect, defineCheck } from '../check.ts';
import { computeTextFacts, type TextFacts } from './shared/instruction-text.ts';

type Values = { readonly texts: readonly TextFacts[] };

/** Maximum number of texts per episode that are graded; datasets that label every subtask have dozens. */
const maxTexts = 8;

export const languageQuality = defineCheck<Values>({
  id: 'language_quality',
  title: checkTitles.language_quality,
  needs: 'task text that says something',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'],
  formula: {
    combine: 'least of',
    aspects: [
      { what: 'placeholder', score: '0' },
      { what: 'share of unreadable characters', score: '1 − 10 · share' },
      { what: 'words, mean over the texts', score: 'one 0.4, two 0.7, three and more 1' },
      { what: 'wrong instruction', score: '1 − confidence that the motion belongs to another text' },
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'one word names no object to act on; placeholders are the usual leftovers of recording tools; the wrong-instruction boundary was set on the fault bench',
  },
  weight: 1,
  flags: [
    {
      code: 'instruction_placeholder',
      severity: 'warning',
      meaning: 'The text is a leftover of the recording tool or a keyboard run, not an instruction.',
      advice: 'Replace it by what the robot was asked to do.',
    },
    {
      code: 'instruction_too_short',
      severity: 'warning',
      meaning: 'The text has too few words to name an action and its object.',
      advice: 'Name the action and what it is done to.',
    },
    {
      code: 'instruction_unreadable',
      severity: 'warning',
      meaning: 'The text holds control characters or was decoded with the wrong character set.',
      advice: 'Write the text again as UTF-8.',
    },
    {
      code: 'instruction_mismatch',
      severity: 'warning',
      meaning: 'The episode moves as the episodes of another text do, and unlike those of its own.',
      advice: 'Watch the episode and correct its text.',
    },
    {
      code: 'instruction_unusual',
      severity: 'info',
      meaning:
        'The text stands once or twice in the set and shares no word with the text whose motion the episode follows.',
      advice: 'Read it: another wording is welcome, another task is a wrong text.',
    },
  ],
  calibrated_on: 'texts of real teleoperation sets and a list of leftovers found in published ones',
  measure({ episode }) {
    if (episode.tasks === null)
      return { status: 'inapplicable', reason: `${episode.locator.format} recordings carry no task text` };
    const nonBlank = episode.tasks.filter((task) => task.text.trim() !== '');
    if (nonBlank.length === 0)
      return { status: 'inapplicable', reason: 'there is no text to judge; language_presence says so' };
    return {
      status: 'measured',
      values: { texts: nonBlank.slice(0, maxTexts).map((task) => computeTextFacts(task.text)) },
    };
  },
  judge({ texts }, notes) {
    const aspects: Aspect[] = [];
    const worst = (
      flag: string,
      scoreOf: (facts: TextFacts) => number,
      says: (facts: TextFacts) => string,
    ) => {
      const facts = texts.reduce((low, next) => (scoreOf(next) < scoreOf(low) ? next : low));
      const score = scoreOf(facts);
      aspects.push({ flag, score, observed: score, message: () => says(facts) });
    };
    worst(
      'instruction_placeholder',
      (f) => (f.placeholder ? 0 : 1),
      (f) => `"${f.text}" is a placeholder`,
    );
    worst(
      'instruction_unreadable',
      (f) => 1 - 10 * f.unreadable,
      (f) => `${(100 * f.unreadable).toFixed(0)} % of the characters of "${f.text}" are not text`,
    );
    aspects.push(lengthAspect(texts));
    const note = notes.wrong_instruction;
    if (note !== undefined)
      aspects.push(mismatchAspect(Number(note.confidence), String(note.reason), note.rare === true));
    return aspects;
  },
});

/**
 * Grades the number of words, averaged over the texts: datasets that label validity beside the task (`valid`)
 * have one good text in two.
 */
function lengthAspect(texts: readonly TextFacts[]): Aspect {
  let sum = 0;
  let shortest = texts[0];
  for (const facts of texts) {
    sum += scoreWordCount(facts);
    if (scoreWordCount(facts) < scoreWordCount(shortest)) shortest = facts;
  }
  const score = significant(sum / texts.length);
  return {
    flag: 'instruction_too_short',
    score,
    observed: shortest.words,
    message: () => `"${shortest.text}" ${shortest.words === 1 ? 'is one word' : 'has no word'}`,
  };
}

function scoreWordCount({ words, placeholder }: TextFacts): number {
  if (placeholder) return 1; // said once, by the placeholder flag
  return words >= 3 ? 1 : words === 2 ? 0.7 : words === 1 ? 0.4 : 0;
}

function mismatchAspect(confidence: number, reason: string, rare: boolean): Aspect {
  return {
    flag: rare ? 'instruction_unusual' : 'instruction_mismatch',
    score: 1 - confidence,
    observed: significant(confidence),
    message: () => reason,
  };
}
