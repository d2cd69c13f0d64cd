export {
  type AnswerFacts,
  changesBetween,
  count,
  type JudgementComparison,
  type Sentence,
} from './answer-facts.ts';
export { type Answer, answerQuestion, questionShapes } from './answer-question.ts';
