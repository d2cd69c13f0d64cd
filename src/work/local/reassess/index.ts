/** A door of its own: who assesses anew does not load it. */
export { type ReassessOptions, reassess, receiptKey } from './reassess.ts';
