import type { QuestionShape } from '../grounds.ts';
import { openRequirements, targetVerdict } from '../target-sentences.ts';

export const missingForTarget: QuestionShape = {
  id: 'missing_for_target',
  example: 'What is missing for this target?',
  words: /\b(missing|lacks?|lacking|needs?|needed|target|requirements?|profile)\b/gi,
  answer: async (grounds) => [
    targetVerdict(grounds),
    ...openRequirements(grounds, 'required'),
    ...openRequirements(grounds, 'helps'),
  ],
};
