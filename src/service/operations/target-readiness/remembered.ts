import type { Store } from '#store';
import type { SampleFacts } from './look-at-sample.ts';

/** Samples that are kept; an entry is a few kilobytes. */
const most = 64;

const byStore = new WeakMap<Store['database'], Map<string, Promise<SampleFacts>>>();

/**
 * What was seen of a sample before, by its content hash, so that asking again costs no reading. Calls at once for the
 * same sample wait for one look; one that failed is forgotten.
 */
export function remembered(
  store: Store,
  content_hash: string,
  look: () => Promise<SampleFacts>,
): Promise<SampleFacts> {
  const known = byStore.get(store.database) ?? new Map<string, Promise<SampleFacts>>();
  byStore.set(store.database, known);
  const before = known.get(content_hash);
  known.delete(content_hash);
  const facts = before ?? look();
  known.set(content_hash, facts);
  facts.catch(() => {
    if (known.get(content_hash) === facts) known.delete(content_hash);
  });
  for (const oldest of known.keys()) {
    if (known.size <= most) break;
    known.delete(oldest);
  }
  return facts;
}
