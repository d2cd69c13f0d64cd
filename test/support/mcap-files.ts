import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { McapWriter, type McapWriterOptions } from '@mcap/core';
import type { Episode } from '#core/episode';
import { type Dataset, readers, type Unreadable } from '#formats';
import { openSourceTree } from '#io/sources';

export interface TestChannel {
  readonly topic: string;
  readonly encoding: string;
  readonly schema?: { readonly name: string; readonly encoding: string; readonly data: Uint8Array };
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface TestMessage {
  readonly channel: number;
  readonly log_ns: bigint;
  readonly publish_ns?: bigint;
  readonly sequence?: number;
  readonly data: Uint8Array;
}

export interface TestFile {
  readonly channels: readonly TestChannel[];
  readonly messages: readonly TestMessage[];
  readonly metadata?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly attachment?: Uint8Array;
  readonly options?: Partial<McapWriterOptions>;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export const json = (value: unknown): Uint8Array => encode(JSON.stringify(value));

export function jsonChannel(topic: string, name = 'thing'): TestChannel {
  return { topic, encoding: 'json', schema: { name, encoding: 'jsonschema', data: encode('{}') } };
}

/** The bytes that @mcap/core writes for a file. */
export async function mcapBytes(file: TestFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let position = 0n;
  const writable = {
    position: () => position,
    write: async (bytes: Uint8Array) => {
      parts.push(bytes.slice());
      position += BigInt(bytes.byteLength);
    },
  };
  const writer = new McapWriter({ writable, ...file.options });
  await writer.start({ profile: 'test', library: 'test' });
  const ids: number[] = [];
  for (const { topic, encoding, schema, metadata = {} } of file.channels) {
    const schemaId = schema === undefined ? 0 : await writer.registerSchema(schema);
    ids.push(
      await writer.registerChannel({
        schemaId,
        topic,
        messageEncoding: encoding,
        metadata: new Map(Object.entries(metadata)),
      }),
    );
  }
  for (const [i, { channel, log_ns, publish_ns, sequence, data }] of file.messages.entries()) {
    const publishTime = publish_ns ?? log_ns;
    await writer.addMessage({
      channelId: ids[channel],
      sequence: sequence ?? i,
      logTime: log_ns,
      publishTime,
      data,
    });
  }
  if (file.attachment !== undefined) {
    const attachment = { logTime: 0n, createTime: 0n, name: 'a', mediaType: 'x', data: file.attachment };
    await writer.addAttachment(attachment);
  }
  for (const [name, record] of Object.entries(file.metadata ?? {})) {
    await writer.addMetadata({ name, metadata: new Map(Object.entries(record)) });
  }
  await writer.end();
  return Buffer.concat(parts);
}

const folders: string[] = [];

/** Removes what `folderWith` made; for afterAll. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Writes files into a fresh folder; its path. */
export function folderWith(files: Readonly<Record<string, Uint8Array | string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-mcap-'));
  folders.push(folder);
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return folder;
}

export async function openMcapAt(path: string): Promise<Dataset | null> {
  const tree = await openSourceTree(path);
  const mcapReader = readers.get('mcap');
  const recognition = (await mcapReader?.recognise(tree)) ?? null;
  if (mcapReader === undefined || recognition === null) return null;
  const own = new Set(recognition.files);
  return mcapReader.open(tree.restrictTo(tree.files.filter((file) => own.has(file.path))), recognition);
}

export async function readEverything(path: string): Promise<(Episode | Unreadable)[]> {
  const dataset = await openMcapAt(path);
  const read: (Episode | Unreadable)[] = [];
  if (dataset === null) return read;
  for (const unit of dataset.units) for await (const episode of dataset.read(unit, {})) read.push(episode);
  return read;
}

/** The only episode of a lone file with these bytes. */
export async function readBytes(bytes: Uint8Array): Promise<Episode> {
  const [only, more] = await readEverything(join(folderWith({ 'x.mcap': bytes }), 'x.mcap'));
  if (only === undefined || more !== undefined || 'unreadable' in only)
    throw new Error('expected one episode');
  return only;
}

export const codes = (episode: Episode): string[] => episode.findings.map((finding) => finding.code);
