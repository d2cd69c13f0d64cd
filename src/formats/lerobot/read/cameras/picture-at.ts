import type { KeptPicture } from '#core/episode';
import { chunks, rows } from '../../../shared/parquet/chunks.ts';
import { parquetSource } from '../../../shared/parquet/duck.ts';
import { parquetColumns } from '../../../shared/parquet/footer.ts';
import type { PictureWanted } from '../../../shared/reader.ts';
import type { Feature } from '../../metadata/info.ts';
import { planFile } from '../episodes/column-plan.ts';

/** One picture out of a data file, by its row in the episode; none where the file has no such row or column. */
export async function pictureAt(
  features: ReadonlyMap<string, Feature>,
  file: string,
  { locator, episode_index, row }: PictureWanted,
): Promise<readonly KeptPicture[]> {
  const plan = planFile(features, await parquetColumns(file, locator.path));
  const picture = plan.pictures.find(({ feature }) => feature.key === locator.channel);
  if (picture === undefined) return [];
  const source = parquetSource([file], 'file_row_number = true');
  const own = plan.has.has('episode_index') ? `WHERE episode_index = ${Math.trunc(episode_index)}` : '';
  const place = `SELECT file_row_number FROM ${source} ${own} ORDER BY 1 LIMIT 1 OFFSET ${Math.trunc(row)}`;
  const [found] = await rows(place);
  if (found === undefined) return [];
  const sql = `SELECT ${picture.bytes} FROM ${source} WHERE file_row_number = ${Number(found.file_row_number)}`;
  for await (const chunk of chunks(sql)) {
    const bytes = chunk.bytes(0, 0);
    if (bytes !== null) return [{ index: row, time_s: 0, bytes: Uint8Array.from(bytes) }];
  }
  return [];
}
