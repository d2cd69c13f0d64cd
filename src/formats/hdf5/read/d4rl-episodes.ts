import { AssayError } from '#core';
import type { FileArrays } from '../../shared/step-arrays/file-arrays.ts';

const names = ['terminals', 'timeouts'] as const;
/** More than that no set has: marks that are set everywhere cost no memory. */
const mostEpisodes = 1_000_000;

/** Where flat transitions fall into episodes. */
export interface Split {
  /** The marks that are there. */
  readonly marks: readonly string[];
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/**
 * Cuts behind every row that a mark names; what follows the last mark is an episode too. Throws for more episodes than
 * any set has.
 */
export async function splitAt({ arrays }: FileArrays, rows: number, path: string): Promise<Split> {
  const marks: string[] = [];
  const isEnd = new Uint8Array(rows);
  for (const name of names) {
    const dataset = arrays.get(name);
    if (dataset === undefined || dataset.rows !== rows || !dataset.isNumeric || dataset.rowElements !== 1)
      continue;
    const values = await dataset.readNumbers().catch((thrown: unknown) => {
      if (thrown instanceof AssayError) return null;
      throw thrown;
    });
    if (values === null) continue;
    marks.push(name);
    for (let row = 0; row < rows; row++) if (Number(values[row]) !== 0) isEnd[row] = 1;
  }
  const spans: [number, number][] = [];
  let from = 0;
  for (let row = 0; row < rows; row++) {
    if (isEnd[row] === 0) continue;
    if (spans.length === mostEpisodes) {
      throw new AssayError('limit_exceeded', `${marks.join(' and ')} mark more than ${mostEpisodes} ends`, {
        ...{ path, advice: 'write the marks again: they are set where no episode ends' },
      });
    }
    spans.push([from, row + 1]);
    from = row + 1;
  }
  if (from < rows) spans.push([from, rows]);
  return { marks, spans };
}
