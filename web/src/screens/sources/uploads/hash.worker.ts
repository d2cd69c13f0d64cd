import { Sha256 } from './sha256.ts';

/** Worker that hashes a received file; posts progress and finally the hash. */
addEventListener('message', async ({ data: file }: MessageEvent<Blob>) => {
  const hash = new Sha256();
  let done = 0;
  try {
    for await (const bytes of file.stream()) {
      hash.add(bytes);
      done += bytes.length;
      postMessage({ done });
    }
    postMessage({ sha256: hash.digest() });
  } catch (thrown) {
    postMessage({ unreadable: thrown instanceof Error ? thrown.message : String(thrown) });
  }
});
