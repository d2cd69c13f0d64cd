import type { Grounds, Sentence } from './grounds.ts';
import { count } from './words.ts';

/** How many episodes there are, and how they were judged. */
export function overview({ name, of, episodes, decisions, median_score }: Grounds): readonly Sentence[] {
  if (episodes === 0) return [{ text: `${name} has no episode yet.`, evidence: { ...of, episodes } }];
  const { accept, review, reject } = decisions;
  const score = median_score === null ? '' : `; the median score is ${median_score}`;
  return [
    {
      text: `${name} has ${count(episodes, 'episode')}: ${accept} accepted, ${review} to review, ${reject} rejected${score}.`,
      evidence: { ...of, episodes, accept, review, reject, median_score },
    },
  ];
}
