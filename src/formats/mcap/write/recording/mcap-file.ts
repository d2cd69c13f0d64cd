import { type FileHandle, open } from 'node:fs/promises';
import { zstdCompressSync } from 'node:zlib';
import type { McapWriter } from '@mcap/core';
import { writing } from '../../../shared/write/files/writing.ts';
import type { McapSchema } from './schemas.ts';

const chunkBytes = 2 ** 20;

/** Writes one MCAP file message by message: chunks packed by zstd, an index and statistics. Holds a chunk. */
export class McapFile {
  readonly #file: FileHandle;
  readonly #writer: McapWriter;
  readonly #schemas = new Map<string, number>();
  readonly #sequences = new Map<number, number>();

  private constructor(file: FileHandle, writer: McapWriter) {
    this.#file = file;
    this.#writer = writer;
  }

  static async open(path: string): Promise<McapFile> {
    const { McapWriter } = await import('@mcap/core');
    const file = await writing(path, open(path, 'wx'));
    let position = 0n;
    const writable = {
      write: async (buffer: Uint8Array) => {
        position += BigInt(buffer.byteLength);
        await writing(path, file.appendFile(buffer));
      },
      position: () => position,
    };
    const compressChunk = (data: Uint8Array) => ({
      compression: 'zstd',
      compressedData: zstdCompressSync(data),
    });
    const writer = new McapWriter({ writable, chunkSize: chunkBytes, compressChunk });
    await writer.start({ profile: '', library: 'assay' });
    return new McapFile(file, writer);
  }

  /** Gives the id of a channel. */
  async channel(
    topic: string,
    { name, definition }: McapSchema,
    about: Readonly<Record<string, string>>,
  ): Promise<number> {
    const known = this.#schemas.get(name);
    const schemaId =
      known ?? (await this.#writer.registerSchema({ name, encoding: 'protobuf', data: definition }));
    this.#schemas.set(name, schemaId);
    const metadata = new Map(Object.entries(about));
    return this.#writer.registerChannel({ schemaId, topic, messageEncoding: 'protobuf', metadata });
  }

  async message(channelId: number, log_ns: bigint, publish_ns: bigint, data: Uint8Array): Promise<void> {
    const sequence = this.#sequences.get(channelId) ?? 0;
    this.#sequences.set(channelId, sequence + 1);
    await this.#writer.addMessage({ channelId, sequence, logTime: log_ns, publishTime: publish_ns, data });
  }

  async metadata(name: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.#writer.addMetadata({ name, metadata: new Map(Object.entries(values)) });
  }

  async finish(): Promise<void> {
    await this.#writer.end();
  }

  /** Whether it was finished or not. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}
