import { spawnSync } from 'node:child_process';
import { isNightly } from './tiers.ts';

/**
 * Number that selects the part of a matrix that CI tries. It is derived from the commit, so all runs of a commit try the same
 * part. Set ASSAY_TEST_TURN to repeat the part of another commit.
 */
export const turn = Number(process.env.ASSAY_TEST_TURN ?? turnOfCommit());

/** Returns `true` for one of every `shares` places in a matrix, depending on the commit; at night for all. */
export const takesTurn = (place: number, shares: number): boolean =>
  isNightly || place % shares === turn % shares;

function turnOfCommit(): number {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', cwd: import.meta.dirname });
  return Number.parseInt(stdout?.slice(0, 6), 16) || 0;
}
