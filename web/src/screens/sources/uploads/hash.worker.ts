import { Sha256 } from './sha256.ts';

/** Hashes the file that it is sent; says now and then how far it is, and in the end the hash. */
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
