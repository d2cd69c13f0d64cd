import { cacheSize, clearCache } from '#engine/local';
import type { Io } from '../../io.ts';
import { bytesInWords, count } from '../../text.ts';

export interface CacheArguments {
  readonly json?: boolean;
  /** Folder of the cache; `null` if caching is off. */
  readonly cache: string | null;
}

/** Runs `assay cache size` or `assay cache clear` on the measurement cache of `assay assess`. */
export async function cacheCommand(
  what: 'size' | 'clear',
  { cache, json }: CacheArguments,
  io: Io,
): Promise<number> {
  const nothing = { entries: 0, bytes: 0 };
  const size = cache === null ? nothing : await (what === 'size' ? cacheSize : clearCache)(cache);
  if (json === true) await io.out(`${JSON.stringify({ folder: cache, ...size })}\n`);
  else if (cache === null) await io.out('The cache is off: ASSAY_CACHE is none\n');
  else {
    const sizeText = `${bytesInWords(size.bytes)} in ${count(size.entries, 'entry', 'entries')}`;
    await io.out(what === 'size' ? `${cache}: ${sizeText}\n` : `deleted ${sizeText} from ${cache}\n`);
  }
  return 0;
}
