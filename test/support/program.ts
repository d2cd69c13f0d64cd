import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../../bin/assay', import.meta.url));

/**
 * The program that tests start in processes of their own: the checkout's, or the one in ASSAY_TEST_PROGRAM, as CI gives the
 * bundle that is published, which starts in a third less time.
 */
export const program = resolve(process.env.ASSAY_TEST_PROGRAM ?? checkout);
