import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { everyTwelfth, tryCameras } from './main.ts';
import { planTrials } from './trials.ts';

describe('cameras in every encoding', () => {
  it('are found frozen where they are, and not accused otherwise', { timeout: 120_000 }, async () => {
    const trials = everyTwelfth(planTrials(4)).filter((_, i) => i % 2 === 0);
    const judged = await tryCameras(trials, tmpdir());
    // A slow camera in a slow scene cannot be told from a coarse encoding.
    const wrong = judged.filter(
      ({ trial, outcome }) =>
        outcome !== 'right' && (outcome === 'accused' || trial.fault.kind !== 'repeats'),
    );
    expect(wrong).toEqual([]);
  });
});
