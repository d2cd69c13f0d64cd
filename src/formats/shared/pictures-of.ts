import type { Dataset, PicturesWanted, StreamedPicture } from './reader.ts';

/**
 * Every picture of a stream whose pictures lie inside the recording, in the order of the recording: in one go where the
 * format can, else one by one. Throws where the recording cannot be read any more.
 */
export async function* picturesOf(
  dataset: Dataset,
  wanted: PicturesWanted,
): AsyncGenerator<StreamedPicture, void, undefined> {
  if (dataset.pictures !== undefined) return yield* dataset.pictures(wanted);
  const { rows, log_s, ...own } = wanted;
  for (let row = 0; row < rows; row++) {
    const found = (await dataset.picturesAt?.({ ...own, row, log_s: log_s?.[row] ?? null })) ?? [];
    const picture = found.at(-1);
    if (picture !== undefined) yield { ...picture, index: row, key: true };
  }
}
