import { baseName } from './sidecar.ts';

/**
 * Files of a split bag by the number that the recorder gave each (`…_2` before `…_10`); as they are listed where their
 * names do not all carry one. Lists of reindexed bags are known to be in the order of the alphabet.
 */
export function inRecordingOrder(files: readonly string[]): string[] {
  const numbered = files.map((path) => ({ path, ...splitNumber(path) }));
  const stems = new Set(numbered.map(({ stem }) => stem));
  const numbers = new Set(numbered.map(({ number }) => number));
  if (stems.size !== 1 || numbers.size !== files.length || numbers.has(null)) return [...files];
  return numbered.sort((a, b) => Number(a.number) - Number(b.number)).map(({ path }) => path);
}

/** `talk_12.db3.zstd`: `talk` and 12. */
export function splitNumber(path: string): { readonly stem: string; readonly number: number | null } {
  const match = /^(.*)_(\d{1,9})((?:\.[a-z0-9]+)*)$/i.exec(baseName(path));
  return match === null ? { stem: path, number: null } : { stem: match[1], number: Number(match[2]) };
}
