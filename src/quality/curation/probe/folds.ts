import { seededRandom } from '#core';
import { shuffled } from '../measures/shuffle.ts';
import type { ProbePairs } from './pairs.ts';

/**
 * The fold that holds each recording out, from 0; -1: it is never held out. Only accepted episodes are: what a rejected
 * one does is no measure of what is right, and whoever learnt its faults would be praised for them. The folds are the
 * same for every subset, and an exact copy never trains what its twin tests.
 */
export function foldsOf(
  { episodes, recordingOf, recordings }: ProbePairs,
  folds: number,
  seed: number,
): Int32Array {
  const accepted = new Set<number>();
  for (const [place, { decision }] of episodes.entries())
    if (decision === 'accept') accepted.add(recordingOf[place]);
  const foldOf = new Int32Array(recordings).fill(-1);
  for (const [i, recording] of shuffled([...accepted], seededRandom(seed)).entries())
    foldOf[recording] = i % folds;
  return foldOf;
}
