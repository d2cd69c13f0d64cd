import { AssayError } from '#core';
import type { SourceTree } from '#io/sources';
import { lookBytesOf } from '../look.ts';
import type { WorkUnit } from '../reader.ts';

/** A work unit a log, in the order of the listing. */
export function flightUnits(tree: SourceTree): WorkUnit[] {
  const ids = tree.files.map(({ path }) => path.replace(/\.[^./]+$/, ''));
  const uses = new Map<string, number>();
  for (const id of ids) uses.set(id, (uses.get(id) ?? 0) + 1);
  return tree.files.map(({ path, bytes }, index) => ({
    id: uses.get(ids[index]) === 1 ? ids[index] : path,
    expected_episodes: 1,
    first_index: index,
    bytes,
    look_bytes: lookBytesOf(bytes),
    selector: path,
  }));
}

/** The file of a unit of flight logs. */
export function fileOf({ id, selector }: WorkUnit): string {
  if (typeof selector !== 'string') throw new AssayError('internal', `${id} is no unit of flight logs`);
  return selector;
}
