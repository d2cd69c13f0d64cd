import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { tryCameras } from './main.ts';
import { planTrials } from './trials.ts';

describe('cameras in every encoding', () => {
  it('are found frozen where they are, and not accused otherwise', { timeout: 120_000 }, async () => {
    // One of twelve videos of every codec, key frame distance and quality; the bench tries all of them.
    const trials = planTrials(4).filter((_, i) => i % 12 === Math.floor(i / 12) % 12);
    const judged = await tryCameras(trials, tmpdir());
    const wrong = judged.filter(
      ({ trial, outcome }) => outcome !== 'right' && trial.fault.kind !== 'repeats',
    );
    expect(wrong).toEqual([]);
  });
});
