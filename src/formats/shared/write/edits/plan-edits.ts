import type { EditableEpisode, EditedFeature, EditStep, Piece } from './export-edit.ts';
import { exportEdits } from './registry.ts';

/** What was asked of each edit, by its id: `{"trim": ["idle"]}`. */
export type EditRequest = Readonly<Record<string, readonly string[]>>;

/** The edits that were asked for, in the order of the registry. Throws `usage`. */
export function readEdits(request: EditRequest): EditStep[] {
  return exportEdits.rows.flatMap(({ id, read }) => {
    const texts = request[id] ?? [];
    return texts.length === 0 ? [] : [read(texts)];
  });
}

/** Which rows of an episode stay, as episodes of the new set: pure. None: nothing is left of it. */
export function planPieces(steps: readonly EditStep[], episode: EditableEpisode): Piece[] {
  const whole: Piece[] = [{ first: 0, until: episode.rows }];
  return steps.reduce((pieces, { rows }) => {
    if (rows === undefined) return pieces;
    return pieces.flatMap((piece) => [...rows(piece, episode)]);
  }, whole);
}

/** What becomes of the features. Throws `usage` where one is named that the set lacks. */
export function planFeatures(
  steps: readonly EditStep[],
  features: readonly EditedFeature[],
): readonly EditedFeature[] {
  return steps.reduce((all, step) => step.features?.(all) ?? all, features);
}
