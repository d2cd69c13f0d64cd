import type { FaultSize, PlantedMark } from './faults/fault.ts';

/** What is known about one generated episode. */
export interface EpisodeTruth {
  /** Position in its set. */
  readonly index: number;
  /** File or folder that holds it, relative to the set. */
  readonly path: string;
  readonly task: string | null;
  /** Nothing: the episode is clean. */
  readonly planted: readonly PlantedTruth[];
}

export interface PlantedTruth {
  readonly fault: string;
  readonly size: FaultSize;
  readonly marks: readonly PlantedMark[];
}

export interface SetTruth {
  /** Folder of the set, relative to the samples. */
  readonly path: string;
  readonly title: string;
  readonly episodes: readonly EpisodeTruth[];
}

export interface SampleManifest {
  readonly version: number;
  readonly seed: number;
  readonly sets: readonly SetTruth[];
}
