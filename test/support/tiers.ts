/** True under `npm run nightly`, where random input, kill rounds and matrices run at full size. */
export const isNightly = process.env.ASSAY_TEST_TIER === 'nightly';

/** A count of rounds or random cases: `small` before a commit and in CI, `large` at night. */
export const rounds = (small: number, large: number): number => (isNightly ? large : small);
