import { AssayError } from '#kernel';
import type { FileArrays } from '../../step-arrays/file-arrays.ts';

const names = ['terminals', 'timeouts'] as const;

/** Where flat transitions fall into episodes. */
export interface Split {
  /** The marks that are there. */
  readonly marks: readonly string[];
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** Cuts behind every row that a mark names; what follows the last mark is an episode too. */
export async function splitAt({ arrays }: FileArrays, rows: number): Promise<Split> {
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
    spans.push([from, row + 1]);
    from = row + 1;
  }
  if (from < rows) spans.push([from, rows]);
  return { marks, spans };
}
