import type { Finding, SourceRef } from '#episode';
import { AssayError } from '#kernel';
import type { LogWalk, WalkTarget } from '../../bags/log-walk.ts';
import { type ByteSource, openByteSource } from '../../bytes/byte-source.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import type { RecordingMetadata } from '../../messages/recording-metadata.ts';
import { channelFindings } from './channel-findings.ts';
import { FileWalk } from './file-walk.ts';

/** Opens an MCAP file, inflated on the way where it is compressed as a whole. */
export async function openMcapWalk(tree: SourceTree, path: string, target: WalkTarget): Promise<LogWalk> {
  const head = await tree.head(path, 4);
  const compressed = head[0] === 0x28 && head[1] === 0xb5;
  const source = await openByteSource(tree, path, { compressed, hashes: target.hashes });
  try {
    const walk = new FileWalk(source, path, target);
    if (await walk.begin()) return new McapWalk(path, source, walk, target.hashes);
    throw new AssayError('unreadable_input', `${path} does not start as an MCAP file does`, { path });
  } catch (thrown) {
    await source.close();
    throw thrown;
  }
}

class McapWalk implements LogWalk {
  readonly path: string;
  readonly #source: ByteSource;
  readonly #walk: FileWalk;
  readonly #hashes: boolean;

  constructor(path: string, source: ByteSource, walk: FileWalk, hashes: boolean) {
    this.path = path;
    this.#source = source;
    this.#walk = walk;
    this.#hashes = hashes;
  }

  get offset(): number {
    return this.#walk.offset;
  }

  get messages(): number {
    return this.#walk.integrity.messages;
  }

  get isFull(): boolean {
    return this.#walk.isFull;
  }

  get metadata(): readonly RecordingMetadata[] {
    return this.#walk.records.metadata;
  }

  step(): Promise<boolean> {
    return this.#walk.step();
  }

  end(): Promise<void> {
    return this.#walk.end();
  }

  rebase(): void {
    this.#walk.records.rebase();
  }

  byTopic(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { record, messages } of this.#walk.records.channels.all()) {
      counts.set(record.topic, (counts.get(record.topic) ?? 0) + messages);
    }
    return counts;
  }

  embeddedMetadata(): { text: string; where: string } | null {
    const last = this.metadata.findLast(({ source }) => source === 'metadata record rosbag2');
    const text = last?.values.get('serialized_metadata');
    return text === undefined ? null : { text, where: 'the metadata record rosbag2' };
  }

  findings(): Finding[] {
    const { integrity, records } = this.#walk;
    return [...integrity.findings(), ...channelFindings(records.channels.all(), this.path)];
  }

  async sources(): Promise<readonly SourceRef[]> {
    const { stored } = this.#source;
    const sha256 = this.#hashes ? await this.#source.sha256() : null;
    return [{ path: this.path, bytes: stored, sha256, role: 'data' }];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#source.close();
  }
}
