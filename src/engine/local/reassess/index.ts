/** Separate entry point, so that plain assessments do not load it. */
export { reassess, receiptKey } from './reassess.ts';
