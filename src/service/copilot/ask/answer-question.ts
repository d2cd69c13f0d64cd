import type { Grounds, QuestionShape, Sentence } from './grounds.ts';
import { blocksReadiness } from './shapes/blocks-readiness.ts';
import { openRequirements, targetVerdict } from './target-sentences.ts';
import { count } from './words.ts';

const mostNamed = 5;

const lookAtFirst: QuestionShape = {
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

const missingForTarget: QuestionShape = {
  id: 'missing_for_target',
  example: 'What is missing for this target?',
  words: /\b(missing|lacks?|lacking|needs?|needed|target|requirements?|profile)\b/gi,
  answer: async (grounds) => [
    targetVerdict(grounds),
    ...openRequirements(grounds, 'required'),
    ...openRequirements(grounds, 'helps'),
  ],
};

const whatItCost: QuestionShape = {
  id: 'what_it_cost',
  example: 'What did it cost?',
  words: /\b(costs?|spent|spend|money|price|usd|budget|dollars?|paid)\b/gi,
  answer: ({ whatItCost }) => whatItCost(),
};

const whatChanged: QuestionShape = {
  id: 'what_changed',
  example: 'What changed since the last run?',
  words: /\b(changed?|changes|since|new|newest|latest|last run|happened)\b/gi,
  answer: ({ whatChanged }) => whatChanged(),
};

export interface Answer {
  /** Null: no shape that is known; how things stand is answered instead. */
  readonly shape: string | null;
  readonly sentences: readonly Sentence[];
}

/** The questions that are answered without a model. */
export const questionShapes: readonly QuestionShape[] = [
  blocksReadiness,
  missingForTarget,
  lookAtFirst,
  whatChanged,
  whatItCost,
];

/** Answers a question from what is known alone: the same grounds and question, the same sentences. */
export async function answerQuestion(grounds: Grounds, question: string): Promise<Answer> {
  const shape = shapeOf(question);
  if (shape !== null) return { shape: shape.id, sentences: await shape.answer(grounds) };
  const blocking = await blocksReadiness.answer(grounds);
  return { shape: null, sentences: [...overview(grounds), ...blocking, ...grounds.next] };
}

/** The shape that most words of a question tell; the first of equals; null where none does. */
function shapeOf(question: string): QuestionShape | null {
  const told = questionShapes.map((shape) => (question.match(shape.words) ?? []).length);
  const most = Math.max(...told);
  return most === 0 ? null : questionShapes[told.indexOf(most)];
}

/** How many episodes there are, and how they were judged. */
function overview({ name, of, episodes, decisions, median_score }: Grounds): readonly Sentence[] {
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
