type Said = { readonly done: number } | { readonly sha256: string } | { readonly unreadable: string };

/** Computes the SHA-256 of a file in a web worker. Throws if the file can no longer be read. */
export function hashFile(
  file: Blob,
  signal: AbortSignal,
  onProgress: (done_bytes: number) => void,
): Promise<string> {
  const worker = new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' });
  const hashed = new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.onerror = ({ message }) => reject(new Error(`could not hash the file: ${message}`));
    worker.onmessage = ({ data }: MessageEvent<Said>) => {
      if ('done' in data) onProgress(data.done);
      else if ('sha256' in data) resolve(data.sha256);
      else reject(new Error(`could not read the file: ${data.unreadable}`));
    };
    worker.postMessage(file);
  });
  return hashed.finally(() => worker.terminate());
}
