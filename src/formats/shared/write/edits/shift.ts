import { AssayError } from '#core';
import type { EditedFeature, ExportEdit, Piece } from './export-edit.ts';
import { namedFeature, once, pairOf } from './named-feature.ts';

const takes = 'FEATURE=ROWS';

/** `--shift action=-3`: row i gets the action that was recorded at row i + 3; rows that would have none go. */
export const shift: ExportEdit = {
  id: 'shift',
  takes,
  about:
    'moves a feature by whole rows, earlier with a minus sign; rows at the ends that are left without go',
  read: (texts) => {
    const shifts = texts.map((text) => {
      const [feature, value] = pairOf(text, '--shift', takes);
      const rows = Number(value);
      if (Number.isInteger(rows) && Math.abs(rows) < 1e6) return { feature, rows };
      throw new AssayError('usage', `--shift takes a whole number of rows, not ${value}`, {
        advice: 'signal_sync of assess names the lag in rows',
      });
    });
    once(
      shifts.map(({ feature }) => feature),
      '--shift',
    );
    const late = Math.max(0, ...shifts.map(({ rows }) => rows));
    const early = Math.min(0, ...shifts.map(({ rows }) => rows));
    return {
      lineage: {
        edit: 'shift',
        by_rows: Object.fromEntries(shifts.map(({ feature, rows }) => [feature, rows])),
      },
      rows: ({ first, until }: Piece) =>
        first + late < until + early ? [{ first: first + late, until: until + early }] : [],
      features: (features) => shifts.reduce(shifted, features),
    };
  },
};

function shifted(features: readonly EditedFeature[], { feature, rows }: { feature: string; rows: number }) {
  const own = namedFeature(features, feature, '--shift');
  return features.map((one) => (one === own ? { ...one, shift: one.shift + rows } : one));
}
