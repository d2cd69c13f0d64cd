import type { Finding, SourceRef } from '#episode';
import type { LogWalk, WalkTarget } from '../../bags/log-walk.ts';
import { type ByteSource, openByteSource } from '../../bytes/byte-source.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { readBagStart } from './bag-start.ts';
import { sharedTopics } from './connection-findings.ts';
import { FileWalk } from './file-walk.ts';

/** Opens a bag. Throws an AssayError for another version, an encrypted bag and what is no bag at all. */
export async function openBagWalk(tree: SourceTree, path: string, target: WalkTarget): Promise<LogWalk> {
  const bag = await readBagStart(tree, path);
  const source = await openByteSource(tree, path, { hashes: target.hashes });
  return new BagWalk(path, source, new FileWalk(source, path, bag, target), target.hashes);
}

class BagWalk implements LogWalk {
  readonly path: string;
  readonly metadata = [];
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

  step(): Promise<boolean> {
    return this.#walk.step();
  }

  async end(): Promise<void> {
    this.#walk.end();
  }

  rebase(): void {
    this.#walk.records.rebase();
  }

  byTopic(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { record, messages } of this.#walk.records.connections.used()) {
      counts.set(record.topic, (counts.get(record.topic) ?? 0) + messages);
    }
    return counts;
  }

  embeddedMetadata(): null {
    return null;
  }

  findings(): Finding[] {
    const { integrity, records } = this.#walk;
    const used = records.connections.used();
    return [...integrity.findings(used), ...sharedTopics(used, this.path)];
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
