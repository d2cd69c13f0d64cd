import { bytesInMemory, Hdf5Error, openHdf5, walkDatasets } from '../src/index.ts';
import { armEpisode, demonstrations, smallFile } from './examples.ts';
import { hdf5File } from './write-file.ts';

/** Good files, small enough to be read thousands of times. */
export function seeds(): ReadonlyMap<string, Buffer> {
  const files = { small: smallFile, episode: armEpisode, demonstrations };
  return new Map(Object.entries(files).map(([name, content]) => [name, hdf5File(content)]));
}

const mostBytesRead = 1e7;

/** Reads all that a file offers and answers the kinds of errors met; anything else is thrown on. */
export async function read(bytes: Uint8Array): Promise<readonly string[]> {
  const kinds: string[] = [];
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof Hdf5Error)) throw thrown;
      kinds.push(thrown.kind);
    }
  };
  await attempt(async () => {
    const file = await openHdf5(bytesInMemory(bytes), { path: 'fuzzed.h5', bytes: bytes.length });
    kinds.push(...file.findings.map(({ code }) => code));
    for (const name of await file.root.attributes.names())
      await attempt(() => file.root.attributes.get(name));
    for await (const met of walkDatasets(file.root, { names: 1000, depth: 8 })) {
      if (met.kind === 'unread') await attempt(() => Promise.reject(met.error));
      if (met.kind !== 'dataset') continue;
      const { dataset } = met;
      const rows = Math.min(dataset.rows, Math.floor(mostBytesRead / Math.max(1, dataset.rowBytes)));
      await attempt(() => (dataset.isNumeric ? dataset.readNumbers(0, rows) : dataset.readItems(0, rows)));
    }
    await file.close();
  });
  return kinds;
}
