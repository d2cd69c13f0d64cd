import type { FaultSize, PlantedMark } from './faults/fault.ts';

/** Ground truth of one generated episode. */
export interface EpisodeTruth {
  /** Index in its set. */
  readonly index: number;
  /** File or folder of the episode, relative to the set. */
  readonly path: string;
  readonly task: string | null;
  /** Planted faults; empty if the episode is clean. */
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
