import type { Finding, SourceRef } from '#core/episode';
import type { ByteSource, SourceTree } from '#io/sources';
import type { TopicMapping } from '../messages/mapped-topics.ts';
import type { Recording } from '../messages/recording.ts';
import type { RecordingMetadata } from '../messages/recording-metadata.ts';
import type { BagMetadata } from './bag-metadata.ts';

/**
 * Receiver of the messages of a walk; its `recording` is replaced when an episode is closed in the middle of a file.
 */
export interface WalkTarget {
  recording: Recording | null;
  /** Counts chunks and files, so that recorders can distinguish storage order from recording order. */
  segment: number;
  /** Bytes of numbers and timestamps above which the walk pauses, so that the recording can be closed. */
  readonly maxHeldBytes: number;
  /** False if file hashes are not needed. */
  readonly hashes: boolean;
  /** Streams that a mapping file takes from topics; `null` without one. */
  readonly topics: TopicMapping | null;
  /** Threads that the walk may use, including the calling thread. */
  readonly threads: number;
}

/** True if the target's recording has exceeded its memory limit. */
export function isFull({ recording, maxHeldBytes }: WalkTarget): boolean {
  return (recording?.context.heldBytes ?? 0) > maxHeldBytes;
}

/** Walk over one recording file from the first message to the last, for any container. */
export interface LogWalk extends AsyncDisposable {
  readonly path: string;
  /** Bytes walked so far, for progress. */
  readonly offset: number;
  readonly messages: number;
  /** True if the recording is at its memory limit and should be closed before the next step. */
  readonly isFull: boolean;
  readonly metadata: readonly RecordingMetadata[];
  /** Processes the next part of the file; returns false at the end. */
  step(): Promise<boolean>;
  /** Finishes the walk; call after the last step. */
  end(): Promise<void>;
  /** Rebinds to the target's recording; call whenever that changes. */
  rebase(): void;
  /** Returns the number of messages walked so far by topic. */
  byTopic(): ReadonlyMap<string, number>;
  /** Returns the metadata.yaml embedded in the file and a description of its location; `null` if there is none. */
  embeddedMetadata(): { readonly text: string; readonly where: string } | null;
  findings(): Finding[];
  /** Returns the file with its size and its SHA-256, which is `null` if hashes are not needed. */
  sources(): Promise<readonly SourceRef[]>;
}

/**
 * Opens a recording file and reads its header. `bag`: metadata of the bag, if any.
 * @throws AssayError if the file cannot be read at all.
 */
export type OpenLog = (
  tree: SourceTree,
  path: string,
  target: WalkTarget,
  bag: BagMetadata | null,
) => Promise<LogWalk>;

/** Walk over the records of a container in file order. */
interface RecordWalk {
  /** Bytes walked so far. */
  readonly offset: number;
  readonly isFull: boolean;
  readonly integrity: { readonly messages: number };
  readonly records: { rebase(): void };
  step(): Promise<boolean>;
  end(): Promise<void> | void;
}

/** Message count of one channel of a file. */
interface CountedTopic {
  readonly record: { readonly topic: string };
  readonly messages: number;
}

/**
 * Base class for walks over a file that is read once from start to end; subclasses add what their container stores
 * besides messages.
 */
export abstract class SourceWalk<Walk extends RecordWalk> implements LogWalk {
  readonly path: string;
  protected readonly walk: Walk;
  readonly #source: ByteSource;
  readonly #hashes: boolean;

  /** `hashes`: compute the file's SHA-256. Disposing of the walk closes `source`. */
  constructor(path: string, source: ByteSource, walk: Walk, hashes: boolean) {
    this.path = path;
    this.walk = walk;
    this.#source = source;
    this.#hashes = hashes;
  }

  abstract findings(): Finding[];

  /** Returns the message counts by channel; a topic may occur several times. */
  protected abstract topicCounts(): readonly CountedTopic[];

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
    for (const { record, messages } of this.topicCounts()) {
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
