export type { PolicyFacts } from './facts.ts';
export { recommendPolicy } from './recommend.ts';
