import { readFileSync } from 'node:fs';
import { asUnreadable } from '#core';
import { type DecidedPlan, readPlanFile } from '#quality/curation';

/** What a plan file says to an export: which episodes stay, and why each of the others goes. */
export function choiceOfPlan(file: string): {
  readonly only: readonly string[];
  readonly reasons: ReadonlyMap<string, string>;
  readonly trims: DecidedPlan['trims'];
} {
  const { kept, dropped, trims } = readPlanFile(textOf(file), file);
  return {
    only: kept,
    trims,
    reasons: new Map(dropped.map(({ id, strategy, reason }) => [id, `curated by ${strategy}: ${reason}`])),
  };
}

/** A small file that a person named. Throws `not_found`, `not_permitted`. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw asUnreadable(thrown, file, 'name a readable file');
  }
}
