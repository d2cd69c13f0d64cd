import { countWords } from '../../grammar/words.ts';
import type { Statement } from './statement.ts';

/** Share by which a text may be shorter than was asked for. */
const tolerance = 0.1;

/**
 * The statements that are worth most together within `target` words, in their given order (a knapsack, solved exactly
 * over words). Where all of them are shorter together, all are taken.
 */
export function chooseStatements(statements: readonly Statement[], target: number): Statement[] {
  const words = statements.map(({ text }) => countWords(text));
  const worth = new Float64Array(target + 1);
  const taken = statements.map(() => new Uint8Array(target + 1));
  for (const [i, { weight }] of statements.entries())
    for (let room = target; room >= words[i]; room--) {
      const value = worth[room - words[i]] + weight * words[i];
      if (value <= worth[room]) continue;
      worth[room] = value;
      taken[i][room] = 1;
    }
  const chosen: Statement[] = [];
  let room = target;
  for (let i = statements.length - 1; i >= 0; i--) {
    if (taken[i][room] === 0) continue;
    chosen.push(statements[i]);
    room -= words[i];
  }
  return chosen.reverse();
}

/** Whether a text is as long as was asked for, within a tenth. */
export const reaches = (words: number, target: number): boolean => words >= target * (1 - tolerance);
