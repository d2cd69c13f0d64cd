import { readFileSync } from 'node:fs';
import { wrapReadError } from '#core';
import { strategyTitle } from '#core/titles';
import { type DecidedPlan, readPlanFile } from '#quality/curation';

/**
 * Reads a plan file into export options: the episodes to keep, their trims, and the reason for each dropped episode.
 */
export function readPlanChoice(file: string): {
  readonly only: readonly string[];
  readonly reasons: ReadonlyMap<string, string>;
  readonly trims: DecidedPlan['trims'];
} {
  const { kept, dropped, trims } = readPlanFile(readTextFile(file), file);
  return {
    only: kept,
    trims,
    reasons: new Map(
      dropped.map(({ id, strategy, reason }) => [id, `dropped by ${strategyTitle(strategy)}: ${reason}`]),
    ),
  };
}

/** Reads a text file named by the user. Throws `not_found`, `not_permitted`. */
export function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw wrapReadError(thrown, file, 'pass a readable file');
  }
}
