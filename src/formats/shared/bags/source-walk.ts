import type { Finding, SourceRef } from '#core/episode';
import type { ByteSource } from '#io/sources';
import type { RecordingMetadata } from '../messages/recording-metadata.ts';
import type { LogWalk } from './log-walk.ts';

/** How a container's records are walked: each as it comes, from the file's first byte to its last. */
export interface RecordWalk {
  /** Bytes walked so far. */
  readonly offset: number;
  readonly isFull: boolean;
  readonly integrity: { readonly messages: number };
  readonly records: { rebase(): void };
  step(): Promise<boolean>;
  end(): Promise<void> | void;
}

/** A topic as one publisher or channel of a file writes it. */
interface CountedTopic {
  readonly record: { readonly topic: string };
  readonly messages: number;
}

/** The walk of a file that is read once from start to end; a container adds what it keeps beside messages. */
export abstract class SourceWalk<Walk extends RecordWalk> implements LogWalk {
  readonly path: string;
  protected readonly walk: Walk;
  readonly #source: ByteSource;
  readonly #hashes: boolean;

  /** `hashes` false: of the file none is wanted. Closes `source` when it is disposed of. */
  constructor(path: string, source: ByteSource, walk: Walk, hashes: boolean) {
    this.path = path;
    this.walk = walk;
    this.#source = source;
    this.#hashes = hashes;
  }

  abstract findings(): Finding[];

  /** What messages came by; a topic may be there several times. */
  protected abstract counted(): readonly CountedTopic[];

  get offset(): number {
    return this.walk.offset;
  }

  get messages(): number {
    return this.walk.integrity.messages;
  }

  get isFull(): boolean {
    return this.walk.isFull;
  }

  get metadata(): readonly RecordingMetadata[] {
    return [];
  }

  step(): Promise<boolean> {
    return this.walk.step();
  }

  async end(): Promise<void> {
    await this.walk.end();
  }

  rebase(): void {
    this.walk.records.rebase();
  }

  byTopic(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { record, messages } of this.counted()) {
      counts.set(record.topic, (counts.get(record.topic) ?? 0) + messages);
    }
    return counts;
  }

  embeddedMetadata(): { readonly text: string; readonly where: string } | null {
    return null;
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
