import type { QuestionShape } from '../grounds.ts';

export const whatChanged: QuestionShape = {
  id: 'what_changed',
  example: 'What changed since the last run?',
  words: /\b(changed?|changes|since|new|newest|latest|last run|happened)\b/gi,
  answer: ({ whatChanged }) => whatChanged(),
};
