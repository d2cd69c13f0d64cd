import type { KeptPicture } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { PictureWanted, StreamedPicture, WorkUnit } from '../shared/reader.ts';
import { layoutOf, payloadOf } from './cameras.ts';
import type { Leaf } from './feature-tree.ts';
import { isSelector } from './plan.ts';
import { decodeExample, type FeatureValues } from './records/example.ts';
import { frameAt, headerBytes } from './records/framing.ts';
import { openRecordSource } from './records/record-source.ts';
import { leavesOf } from './structure.ts';

/** Takes one picture out of the record of an episode. */
export async function pictureAt(
  tree: SourceTree,
  units: readonly WorkUnit[],
  leaves: readonly Leaf[] | null,
  { row, ...wanted }: PictureWanted,
): Promise<readonly KeptPicture[]> {
  return streamedOf(await recordPictures(tree, units, leaves, wanted), row, row + 1);
}

/** Pictures of a record, taken out when they are asked for. */
export interface RecordPictures {
  readonly leaf: Leaf;
  readonly values: FeatureValues;
}

export function streamedOf(found: RecordPictures | null, from: number, to: number): StreamedPicture[] {
  if (found === null) return [];
  const { leaf, values } = found;
  const layout = layoutOf(leaf);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return rows.flatMap((row) => {
    if (row < 0 || row >= values.count) return [];
    const bytes = Uint8Array.from(payloadOf(leaf, values, row));
    const picture = { index: row, time_s: 0, bytes, key: true };
    return [layout === null ? picture : { ...picture, layout }];
  });
}

/** Steps from length to length to the record of an episode. */
export async function recordPictures(
  tree: SourceTree,
  units: readonly WorkUnit[],
  leaves: readonly Leaf[] | null,
  { locator, episode_index }: Pick<PictureWanted, 'locator' | 'episode_index'>,
): Promise<RecordPictures | null> {
  const unit = units.findLast((one) => one.first_index <= episode_index);
  if (unit === undefined || !isSelector(unit.selector) || unit.selector.path !== locator.path) return null;
  const source = await openRecordSource(tree, locator.path);
  try {
    let frame = await frameAt(source, unit.selector.from_byte);
    for (let i = unit.first_index; i < episode_index && frame !== null; i++)
      frame = await frameAt(source, frame.next);
    if (frame?.kind !== 'record') return null;
    const example = decodeExample(await source.read(frame.at + headerBytes, frame.length));
    const leaf = (leaves ?? leavesOf(example)).find(({ id, per_step }) => per_step && id === locator.channel);
    const values = leaf === undefined ? undefined : example.get(leaf.key);
    return leaf === undefined || values === undefined ? null : { leaf, values };
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  } finally {
    await source.close();
  }
}
