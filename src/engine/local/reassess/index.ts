/** A door of its own: who assesses anew does not load it. */
export { reassess, receiptKey } from './reassess.ts';
