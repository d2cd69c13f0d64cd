export type { AnswerFacts, Sentence } from './answer-facts.ts';
export { type Answer, answerQuestion, questionShapes } from './answer-question.ts';
export { changesBetween, count, type JudgementComparison } from './sentences.ts';
