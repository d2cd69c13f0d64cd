import { z } from 'zod';
import { evidenceOf, type ReviewTest } from '../review-test.ts';

const knownText = z.object({ text: z.string() });

/** Words that carry meaning: four letters and more, as they are written. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

export const textNamesTask: ReviewTest = {
  id: 'text_names_task',
  layer: 'dense_text',
  says: 'at least half of the words of each task are in the text',
  run: (artifact, { facts }) => {
    const said = new Set(wordsOf(knownText.parse(artifact).text));
    const asked = (facts.episode.tasks ?? [])
      .map((task) => ({ task, words: wordsOf(task) }))
      .filter(({ words }) => words.length > 0);
    if (asked.length === 0) return 'the episode has no task in words';
    const faults = asked
      .filter(({ words }) => 2 * words.filter((word) => said.has(word)).length < words.length)
      .map(({ task }) => `it does not tell of "${task}"`);
    return evidenceOf(
      asked.length,
      faults,
      'run the layer dense_text again with more target_words, or write the text',
    );
  },
};
