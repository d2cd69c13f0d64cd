/**
 * The limit: @mcap/core alone passes over every message and decodes none. Run as a process of its own:
 * bare-read.ts FILE stream|indexed.
 */
import { open } from 'node:fs/promises';
import { McapIndexedReader, McapStreamReader } from '@mcap/core';
import { loadDecompressHandlers } from '@mcap/support';

const [path, how] = process.argv.slice(2);
const decompressHandlers = await loadDecompressHandlers();
await using file = await open(path, 'r');
const started = performance.now();
const messages = how === 'indexed' ? await indexed() : await streamed();
console.log(JSON.stringify({ messages, read_s: (performance.now() - started) / 1000 }));

async function streamed(): Promise<number> {
  const reader = new McapStreamReader({ decompressHandlers });
  const block = new Uint8Array(1024 * 1024);
  let count = 0;
  for (;;) {
    const { bytesRead } = await file.read(block, 0, block.length);
    if (bytesRead === 0) return count;
    reader.append(block.subarray(0, bytesRead));
    for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
      if (record.type === 'Message') count++;
    }
  }
}

async function indexed(): Promise<number> {
  const { size } = await file.stat();
  const readable = {
    size: async () => BigInt(size),
    read: async (offset: bigint, length: bigint) => {
      const bytes = new Uint8Array(Number(length));
      await file.read(bytes, 0, bytes.length, Number(offset));
      return bytes;
    },
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  let count = 0;
  for await (const _ of reader.readMessages()) count++;
  return count;
}
