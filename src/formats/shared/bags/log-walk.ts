import type { Finding, SourceRef } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { Recording } from '../messages/recording.ts';
import type { RecordingMetadata } from '../messages/recording-metadata.ts';
import type { BagMetadata } from './bag-metadata.ts';

/** What the walk of a file hands messages to; replaced when an episode is closed in the middle of a file. */
export interface WalkTarget {
  recording: Recording | null;
  /** Counts chunks and files, so that recorders can tell storage order from recording order. */
  segment: number;
  /** Bytes of numbers and stamps past which the walk pauses, so that the recording can be closed. */
  readonly heldLimit: number;
  /** False: hashes of files are not wanted. */
  readonly hashes: boolean;
  /** Threads that the walk may keep busy, the calling one among them. */
  readonly threads: number;
}

/** The target's recording holds as much as it may. */
export function isFull({ recording, heldLimit }: WalkTarget): boolean {
  return (recording?.context.heldBytes ?? 0) > heldLimit;
}

/** One file of a recording on its way from the first message to the last, whatever container it is. */
export interface LogWalk extends AsyncDisposable {
  readonly path: string;
  /** Bytes passed so far, for progress. */
  readonly offset: number;
  readonly messages: number;
  /** The recording holds as much as it may, and should be closed before the next step. */
  readonly isFull: boolean;
  readonly metadata: readonly RecordingMetadata[];
  /** False at the end of the file. */
  step(): Promise<boolean>;
  /** After the last step. */
  end(): Promise<void>;
  /** Follows every change of the target's recording. */
  rebase(): void;
  byTopic(): ReadonlyMap<string, number>;
  /** The file's own copy of metadata.yaml, and what the file calls it. */
  embeddedMetadata(): { readonly text: string; readonly where: string } | null;
  findings(): Finding[];
  sources(): Promise<readonly SourceRef[]>;
}

/** Opens a file and reads its head; throws an AssayError where it cannot be read at all. `bag`: what is said of it. */
export type OpenLog = (
  tree: SourceTree,
  path: string,
  target: WalkTarget,
  bag: BagMetadata | null,
) => Promise<LogWalk>;
