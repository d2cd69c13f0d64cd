/**
 * Validates documents that users supply (settings, receipts). A separate entry point, so that nobody else
 * loads the schemas.
 */
export { parseSettings, type Verification, verifyReceipt } from './validate.ts';
