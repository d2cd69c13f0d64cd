import type { Grounds, QuestionShape, Sentence } from '../grounds.ts';
import { openRequirements, targetVerdict } from '../target-sentences.ts';
import { count, sentenceOf } from '../words.ts';

const mostNamed = 5;

export const blocksReadiness: QuestionShape = {
  id: 'blocks_readiness',
  example: 'What blocks readiness?',
  words:
    /\b(blocks?|blocked|blocking|blockers?|readiness|ready|wrong|problems?|rejected|fail(s|ed|ing)?)\b/gi,
  answer: async (grounds) => [
    targetVerdict(grounds),
    ...openRequirements(grounds, 'required'),
    ...faults(grounds),
    ...rejected(grounds),
  ],
};

function faults(grounds: Grounds): readonly Sentence[] {
  return grounds.faults.slice(0, mostNamed).map(({ code, severity, advice, at }) => ({
    text: `The recordings have a finding ${code} (${severity}). ${sentenceOf(advice)}`,
    evidence: { finding: code, severity, ...at },
  }));
}

function rejected({ of, episodes, decisions: { reject }, flags: [flag] }: Grounds): readonly Sentence[] {
  const evidence = { ...of, rejected: reject, episodes };
  if (episodes === 0) return [];
  if (reject === 0) return [{ text: `None of ${count(episodes, 'episode')} is rejected.`, evidence }];
  const of_all = `${reject} of ${count(episodes, 'episode')} ${reject === 1 ? 'is' : 'are'} rejected`;
  if (flag === undefined) return [{ text: `${of_all}.`, evidence }];
  return [
    {
      text: `${of_all}; the most frequent flag of all is ${flag.value} (${count(flag.episodes, 'episode')}).`,
      evidence: { ...evidence, flag: flag.value, flagged: flag.episodes },
    },
  ];
}
