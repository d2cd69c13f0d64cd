import { AssayError } from '#core';
import {
  assertUnique,
  type EditedFeature,
  type ExportEdit,
  type Piece,
  parsePair,
  requireFeature,
} from './export-edit.ts';

const syntax = 'FEATURE=ROWS';

/** Edit `--shift action=-3`: row i gets the action recorded at row i + 3; rows without a value are removed. */
export const shift: ExportEdit = {
  id: 'shift',
  takes: syntax,
  about:
    'shifts a feature by a number of rows, a negative number makes it earlier; rows at the ends without a value are removed',
  read: (texts) => {
    const shifts = texts.map((text) => {
      const [feature, value] = parsePair(text, '--shift', syntax);
      const rows = Number(value);
      if (Number.isInteger(rows) && Math.abs(rows) < 1e6) return { feature, rows };
      throw new AssayError('usage', `--shift requires an integer number of rows, got ${value}`, {
        advice: 'the check signal_sync of assay assess reports the lag in rows',
      });
    });
    assertUnique(
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
      named: shifts.map(({ feature }) => feature),
      rows: ({ first, until }: Piece) =>
        first + late < until + early ? [{ first: first + late, until: until + early }] : [],
      features: (features) => shifts.reduce(shifted, features),
    };
  },
};

function shifted(features: readonly EditedFeature[], { feature, rows }: { feature: string; rows: number }) {
  const edited = requireFeature(features, feature, '--shift');
  return features.map((one) => (one === edited ? { ...one, shift: one.shift + rows } : one));
}
