export { type Answer, answerQuestion, questionShapes } from './answer-question.ts';
export { type Compared, changesBetween } from './changes.ts';
export type { Grounds, Sentence } from './grounds.ts';
export { count } from './words.ts';
