import { AssayError } from '#core';
import { assertUnique, type ExportEdit, parsePair } from './export-edit.ts';

const takes = 'NAME=SHARE (for example train=0.9 val=0.1)';

/** Edit `--split train=0.9 val=0.1`: declares ranges of episodes as splits. */
export const split: ExportEdit = {
  id: 'split',
  takes,
  about: 'divides the episodes into splits by share, in order; parts of one recording stay in the same split',
  read: (texts) => {
    const shares = texts.map((text) => {
      const [name, value] = parsePair(text, '--split', takes);
      const share = Number(value);
      if (share > 0 && share <= 1) return { name, share };
      throw new AssayError('usage', `--split requires shares above 0 and up to 1, got ${value}`, {});
    });
    assertUnique(
      shares.map(({ name }) => name),
      '--split',
    );
    const total = shares.reduce((sum, { share }) => sum + share, 0);
    if (Math.abs(total - 1) > 1e-6)
      throw new AssayError('usage', `the shares of --split must add up to 1, got ${total}`, {});
    const requestedShares = Object.fromEntries(shares.map(({ name, share }) => [name, share]));
    return {
      lineage: { edit: 'split', shares: requestedShares },
      splits: (sources) => computeRanges(shares, sources),
    };
  },
};

/**
 * Returns the episode range of each split. A split never ends within a recording: parts of one have the same number in
 * `sources`.
 */
function computeRanges(
  shares: readonly { readonly name: string; readonly share: number }[],
  sources: readonly number[],
): Record<string, string> {
  const ranges: Record<string, string> = {};
  let [from, share] = [0, 0];
  for (const [place, one] of shares.entries()) {
    share += one.share;
    let end =
      place === shares.length - 1 ? sources.length : Math.max(from, Math.round(share * sources.length));
    while (end > 0 && end < sources.length && sources[end] === sources[end - 1]) end += 1;
    ranges[one.name] = `${from}:${end}`;
    from = end;
  }
  return ranges;
}
