/** What people hand in, held against its schema: a door of its own, so that nobody else loads the schemas. */
export { parseSettings } from './parse-settings.ts';
export { type Verification, verifyReceipt } from './verify.ts';
