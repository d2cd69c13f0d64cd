import type { Random } from '#core';
import type { Recording } from './recording.ts';
import type { Version, WrittenSet } from './written-set.ts';

export type Severity = 'info' | 'warning' | 'error' | 'blocking';

/** An episode that a mode may choose, by where it lies in the v3 files. */
export interface Place {
  readonly episode: number;
  readonly first: boolean;
  readonly last: boolean;
  readonly firstInFile: boolean;
  readonly lastInFile: boolean;
}

/** Location at which a failure mode is planted. */
export interface Site {
  readonly random: Random;
  readonly version: Version;
  readonly episode: number;
  /** A second episode, which no other mode touches; the same one where the mode needs none. */
  readonly other: number;
  readonly camera: number;
}

/** One way in which LeRobot sets fail: a row of `shared/design/lerobot-failures.md`, planted so that a loader can be asked. */
export interface Mode {
  readonly id: string;
  /** Row in the table of failures. */
  readonly row: number;
  readonly versions: readonly Version[];
  /** The set as a whole, or the episodes that it may be planted in. */
  readonly at: 'set' | ((place: Place) => boolean);
  /** Needs a second episode. */
  readonly pair?: boolean;
  /** Codes of flags and findings that name it; any of them will do. */
  readonly codes: readonly string[];
  /** The least severity that it should have. */
  readonly least: Severity | Readonly<Record<Version, Severity>>;
  /** Episodes to be named where they are others than the site's; a finding of the set will do as well. */
  readonly concerns?: (site: Site, set: WrittenSet) => readonly number[];
  /** Changes what was recorded: the loader then serves it rightly. */
  readonly record?: (recording: Recording, site: Site) => void;
  /** Changes what is written. */
  readonly plant?: (set: WrittenSet, site: Site) => void;
}

/** A sound set that must not be accused. */
export interface CleanVariant {
  readonly id: string;
  readonly versions: readonly Version[];
  readonly fps?: number;
  readonly record?: (recording: Recording) => void;
  readonly lay?: (set: WrittenSet) => void;
}

export const anywhere = (): boolean => true;
