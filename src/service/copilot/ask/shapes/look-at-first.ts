import type { QuestionShape } from '../grounds.ts';

const mostNamed = 5;

export const lookAtFirst: QuestionShape = {
  id: 'look_at_first',
  example: 'Which episodes should I look at first?',
  words: /\b(which|episodes?|first|worst|look|review|inspect|start with)\b/gi,
  answer: async ({ of, worst }) => {
    if (worst.length === 0)
      return [{ text: 'There is no episode to look at.', evidence: { ...of, episodes: 0 } }];
    return worst.slice(0, mostNamed).map(({ id, score, decision, flags }) => ({
      text: `Look at ${id}: ${decision}, ${score === null ? 'not scored' : `score ${score}`}${flags.length === 0 ? '' : `, flags ${flags.join(', ')}`}.`,
      evidence: { episode_id: id, score, decision, flags: flags.join(' ') },
    }));
  },
};
