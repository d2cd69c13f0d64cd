import { AssayError } from '#core';
import type { FileEntry, SourceTree } from '#io/sources';
import type { FormatReader } from '../shared/reader.ts';

/** Files that are looked into, whatever their names. */
const mostLooked = 2000;
const atOnce = 32;
/** As much as any format needs to be known by. */
const headBytes = 4096;

/** What such names say is not doubted: metadata, code, tables, sound, documents. */
const believed =
  /(^|\/)(readme|license|licence|notice|changelog|citation)[^/]*$|\.(md|json|jsonl|ya?ml|csv|tsv|toml|xml|html?|pdf|py|sh|ipynb|sha256|md5|parquet|np[yz]|zip|tar|gz|m4a|mka|og[ga]|opus|mp3|wav|aac|flac)$/i;

export interface ByContents {
  /** Files that begin as those of a format do although their names do not say so, by the format's id. */
  readonly found: ReadonlyMap<string, readonly string[]>;
  /** Files that may not be read. */
  readonly closed: readonly string[];
}

/** Looks at the first bytes of what no reader took by its name. */
export async function byContents(
  tree: SourceTree,
  left: readonly FileEntry[],
  known: readonly FormatReader[],
): Promise<ByContents> {
  const judges = known.filter((reader) => reader.startsLike !== undefined);
  const doubted = left.filter(({ path, bytes }) => bytes > 0 && !believed.test(path)).slice(0, mostLooked);
  const found = new Map<string, string[]>();
  const closed: string[] = [];
  for (let from = 0; from < doubted.length; from += atOnce) {
    const batch = doubted.slice(from, from + atOnce);
    const ids = await Promise.all(batch.map(({ path }) => formatOf(tree, path, judges)));
    for (const [i, id] of ids.entries()) {
      if (id === notPermitted) closed.push(batch[i].path);
      if (id === null || id === notPermitted) continue;
      const own = found.get(id);
      if (own === undefined) found.set(id, [batch[i].path]);
      else own.push(batch[i].path);
    }
  }
  return { found, closed };
}

const notPermitted = Symbol('not permitted');

async function formatOf(
  tree: SourceTree,
  path: string,
  judges: readonly FormatReader[],
): Promise<string | typeof notPermitted | null> {
  const head = await tree.head(path, headBytes).catch((thrown) => {
    return thrown instanceof AssayError && thrown.code === 'not_permitted' ? notPermitted : null;
  });
  if (head === null || head === notPermitted) return head;
  for (const reader of judges) if (await reader.startsLike?.(head)) return reader.id;
  return null;
}
