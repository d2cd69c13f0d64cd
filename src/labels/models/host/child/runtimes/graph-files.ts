import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { io } from '@tensorflow/tfjs-core';

/** Reads a graph of TensorFlow.js: its topology, and weights from the files beside it. */
export const graphFiles = (path: string): io.IOHandler => ({
  load: async () => {
    const { weightsManifest, ...rest }: io.ModelJSON = JSON.parse(await readFile(path, 'utf8'));
    const files = weightsManifest.flatMap(({ paths }) => paths);
    const parts = await Promise.all(files.map((file) => readFile(join(dirname(path), file))));
    const all = Buffer.concat(parts);
    return {
      ...rest,
      weightSpecs: weightsManifest.flatMap(({ weights }) => weights),
      weightData: all.buffer.slice(all.byteOffset, all.byteOffset + all.length) as ArrayBuffer,
    };
  },
});
