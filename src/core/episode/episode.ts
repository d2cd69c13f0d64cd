import type { JsonObject } from '#core';
import type { Finding } from './finding.ts';
import type { Evidence, Stream } from './stream.ts';

/** Which bytes an episode was read from. */
export interface SourceRef {
  /** Relative to the dataset's root, `/`-separated. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the whole file, lower-case hexadecimal; null when the file could not be read or is absent. */
  readonly sha256: string | null;
  readonly role: 'data' | 'video' | 'image' | 'metadata' | 'annotation';
}

/** Where in its dataset an episode lies: enough to find it again with nothing but the dataset. */
export interface EpisodeLocator {
  readonly format: string;
  /** The main file, relative to the dataset's root. */
  readonly path: string;
  /** Rows, seconds or records of that file, where it holds more than this episode. */
  readonly span?: { readonly unit: 'row' | 's' | 'record'; readonly from: number; readonly to: number };
}

export interface TaskText {
  readonly text: string;
  /** Where it was read: `meta/tasks.parquet`, a topic, a sidecar file. */
  readonly source: string;
}

export interface Outcome {
  readonly value: 'success' | 'failure' | 'unknown';
  readonly evidence: Evidence;
  readonly reason: string;
}

export interface Event {
  readonly time_s: number;
  readonly label: string;
  readonly source: string;
}

/** Data that the recorder itself says it lost. */
export interface Dropout {
  /** The last stamp before it. */
  readonly time_s: number;
  /** How long; null where the recorder counts and does not time. */
  readonly duration_s: number | null;
  /** Messages or blocks lost; null where the recorder times and does not count. */
  readonly lost: number | null;
}

export interface Calibration {
  readonly target: string;
  readonly model: string | null;
  readonly source: string;
  readonly values: Readonly<Record<string, readonly number[]>>;
}

/** The gripper as recorded: numbers are never turned round; polarity is said only with evidence (formats.md 18.2). */
export interface GripperConvention {
  readonly stream: string;
  readonly dimension: number;
  readonly name: string | null;
  readonly unit: string;
  readonly range_observed: readonly [number, number];
  /** The value that means open; null while nobody knows. */
  readonly open_value: number | null;
  readonly evidence: Evidence;
  readonly reason: string;
}

/** A picture's labelled content where the recording carries it (COCO, YOLO). Boxes in px, [x, y, width, height]. */
export interface PictureLabel {
  readonly category: string;
  readonly box_px: readonly [number, number, number, number] | null;
}

/** Which span of a longer recording an episode is. */
export interface EpisodeCut {
  /** Id of the whole recording. */
  readonly recording: string;
  /** Its place among the parts, from 1. */
  readonly part: number;
  /** Seconds since the recording's start; `to_s` is exclusive. */
  readonly from_s: number;
  readonly to_s: number;
  /** Why it begins and ends there: `recording`, `edge`, `gap`, `max_length`, …; `memory`: too long to be held. */
  readonly begins: string;
  readonly ends: string;
  /** The recipe it was cut by; null: its reader cut it. */
  readonly recipe: JsonObject | null;
}

export interface Episode {
  /** Unique in its dataset, stable between runs: `episode_000012`, a path without extension. */
  readonly id: string;
  /** Position in the dataset, from 0. */
  readonly index: number;
  readonly locator: EpisodeLocator;
  readonly sources: readonly SourceRef[];
  /** Zero of the streams' clocks, nanoseconds since the UNIX epoch as decimal text; null where the format has no epoch. */
  readonly start_ns: string | null;
  readonly duration_s: number;
  readonly streams: readonly Stream[];
  readonly events: readonly Event[];
  /** What the recorder says it lost, in order; absent: the format keeps no such record. */
  readonly dropouts?: readonly Dropout[];
  /** null: the format carries no task text. An empty list or an empty text: it does, and this episode has none. */
  readonly tasks: readonly TaskText[] | null;
  readonly outcome: Outcome;
  readonly robot: string | null;
  readonly calibrations: readonly Calibration[];
  readonly grippers: readonly GripperConvention[];
  /** null: the format carries no labels. */
  readonly labels: readonly PictureLabel[] | null;
  /** Why no sample has a time of its own: the format keeps none by design. Absent: it can keep times. */
  readonly clockless?: string;
  /** A rate that a person declared for recordings without a clock, and whether this one needed it. */
  readonly declared_rate?: { readonly hz: number; readonly source: string; readonly used: boolean };
  /** The split that the set declares it for: `train`, `test`, …; absent: the set declares none. */
  readonly split?: string;
  /** Absent: it is the whole of its recording, and nobody asked for anything else. */
  readonly cut?: EpisodeCut;
  /** What the reader saw in this episode's own files. */
  readonly findings: readonly Finding[];
}

export const unknownOutcome: Outcome = {
  value: 'unknown',
  evidence: 'unknown',
  reason: 'the recording carries no outcome label',
};
