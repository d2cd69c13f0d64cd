import type { QuestionShape } from '../grounds.ts';

export const whatItCost: QuestionShape = {
  id: 'what_it_cost',
  example: 'What did it cost?',
  words: /\b(costs?|spent|spend|money|price|usd|budget|dollars?|paid)\b/gi,
  answer: ({ whatItCost }) => whatItCost(),
};
