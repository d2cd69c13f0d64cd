import { defineRegistry } from '#core';
import {
  type EditableEpisode,
  type EditedFeature,
  type EditStep,
  type ExportEdit,
  type RowRange,
  requireNamedFeatures,
} from './export-edit.ts';
import { convert, drop, rename } from './feature-edits.ts';
import { split } from './split-edit.ts';
import { cut, shift, trim } from './time-edits.ts';
import { size, video } from './video-edits.ts';

/** All edits in the order they are applied: names refer to the source until `rename`. */
export const exportEdits = defineRegistry<ExportEdit>([
  drop,
  convert,
  cut,
  shift,
  trim,
  video,
  size,
  rename,
  split,
]);

/** Requested edits: option values by edit id, such as `{"trim": ["idle"]}`. */
export type EditRequest = Readonly<Record<string, readonly string[]>>;

/**
 * Parses the requested edits and returns them in registry order, in which they are applied; throws `usage` for an
 * invalid value.
 */
export function readEdits(request: EditRequest): EditStep[] {
  return exportEdits.rows.flatMap(({ id, read }) => {
    const texts = request[id] ?? [];
    return texts.length === 0 ? [] : [read(texts)];
  });
}

/**
 * Returns the row ranges of an episode that remain after the edits, in order, each an episode of the new set; empty if
 * no row remains.
 */
export function planRowRanges(steps: readonly EditStep[], episode: EditableEpisode): RowRange[] {
  const whole: RowRange[] = [{ first: 0, until: episode.rows }];
  return steps.reduce((ranges, { rows }) => {
    if (rows === undefined) return ranges;
    return ranges.flatMap((range) => [...rows(range, episode)]);
  }, whole);
}

/**
 * Returns false if the edits certainly leave no row of an episode of this length, judged by those that depend on
 * nothing but row numbers and the rate.
 */
export function mayLeaveRows(
  steps: readonly EditStep[],
  { duration_s, rate_hz }: { readonly duration_s: number; readonly rate_hz: number },
): boolean {
  // One row at each end, and one for rounding.
  const rows = Math.ceil(duration_s * rate_hz) + 2;
  const rigid = steps.filter((step) => step.rigid === true);
  return planRowRanges(rigid, { id: '', rows, rate_hz, times: null, motion: [] }).length > 0;
}

/** Returns the features after the edits; throws `usage` naming all features that the set lacks. */
export function planFeatures(
  steps: readonly EditStep[],
  features: readonly EditedFeature[],
): readonly EditedFeature[] {
  requireNamedFeatures(features, steps);
  return steps.reduce((all, step) => step.features?.(all) ?? all, features);
}
