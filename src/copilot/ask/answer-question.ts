import { nextSteps } from './next-steps.ts';
import { overview, questionShapes } from './question-shapes.ts';
import type { Asked, QuestionShape, Sentence } from './sentence.ts';

export interface Answer {
  /** Null: no shape that is known; what blocks readiness is answered instead. */
  readonly shape: string | null;
  readonly sentences: readonly Sentence[];
}

/** Answers a question from a project's state alone: the same state and question, the same sentences. */
export async function answerQuestion(asked: Asked, question: string): Promise<Answer> {
  const shape = shapeOf(question);
  if (shape !== null) return { shape: shape.id, sentences: await shape.answer(asked) };
  const [blocks] = questionShapes;
  return {
    shape: null,
    sentences: [...overview(asked), ...(await blocks.answer(asked)), ...nextSteps(asked)],
  };
}

/** The shape that most words of a question tell; the first of equals; null where none does. */
function shapeOf(question: string): QuestionShape | null {
  const told = questionShapes.map((shape) => (question.match(shape.words) ?? []).length);
  const most = Math.max(...told);
  return most === 0 ? null : questionShapes[told.indexOf(most)];
}
