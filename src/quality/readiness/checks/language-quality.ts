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
  needs: 'a task text that is not blank',
  kinds: ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'],
  formula: {
    combine: 'minimum of',
    aspects: [
      { what: 'placeholder', score: '0' },
      { what: 'share of unreadable characters', score: '1 − 10 · share' },
      { what: 'number of words, mean over the texts', score: 'one word 0.4, two 0.7, three or more 1' },
      { what: 'wrong instruction', score: '1 − confidence that the motion matches another text' },
    ],
  },
  threshold: {
    value: 0.5,
    source:
      'a single word names no object; placeholders are common leftovers of recording tools; the boundary for wrong instructions was set on the fault benchmark',
  },
  weight: 1,
  flags: [
    {
      code: 'instruction_placeholder',
      severity: 'warning',
      meaning: 'The text is a placeholder of the recording tool or random typing, not an instruction.',
      advice: 'Replace the text with the instruction that the robot was given.',
    },
    {
      code: 'instruction_too_short',
      severity: 'warning',
      meaning: 'The text is too short to name an action and its object.',
      advice: 'Name both the action and its object.',
    },
    {
      code: 'instruction_unreadable',
      severity: 'warning',
      meaning: 'The text contains control characters or was decoded with the wrong encoding.',
      advice: 'Rewrite the text as UTF-8.',
    },
    {
      code: 'instruction_mismatch',
      severity: 'warning',
      meaning: 'The motion matches the episodes of another instruction, not those of its own.',
      advice: 'Watch the episode and correct its instruction.',
    },
    {
      code: 'instruction_unusual',
      severity: 'info',
      meaning:
        'The text occurs only once or twice in the dataset, and the motion matches an instruction that asks for something else.',
      advice: 'Read the text: a paraphrase is fine; a different task means that the text is wrong.',
    },
  ],
  calibrated_on: 'texts of real teleoperation datasets, and placeholders found in published datasets',
  measure({ episode }) {
    if (episode.tasks === null)
      return { status: 'inapplicable', reason: `${episode.locator.format} recordings have no task texts` };
    const nonBlank = episode.tasks.filter((task) => task.text.trim() !== '');
    if (nonBlank.length === 0)
      return { status: 'inapplicable', reason: 'no task text to check (see the Instruction presence check)' };
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
      (f) => `${(100 * f.unreadable).toFixed(0)} % of the characters of "${f.text}" are unreadable`,
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
    message: () => `"${shortest.text}" ${shortest.words === 1 ? 'is a single word' : 'contains no words'}`,
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
