import type { Grounds, QuestionShape, Sentence } from './grounds.ts';
import { overview } from './overview.ts';
import { blocksReadiness } from './shapes/blocks-readiness.ts';
import { lookAtFirst } from './shapes/look-at-first.ts';
import { missingForTarget } from './shapes/missing-for-target.ts';
import { whatChanged } from './shapes/what-changed.ts';
import { whatItCost } from './shapes/what-it-cost.ts';

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
