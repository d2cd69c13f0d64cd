import type { JsonObject } from '#core';
import type { Finding } from './finding.ts';
import type { Evidence, Stream } from './stream.ts';

/** A file that an episode was read from. */
export interface SourceRef {
  /** Relative to the dataset's root, `/`-separated. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the whole file, lower-case hexadecimal; `null` if the file is absent or could not be read. */
  readonly sha256: string | null;
  readonly role: 'data' | 'video' | 'image' | 'metadata' | 'annotation';
}

/** Position of an episode in its dataset; enough to find it again. */
export interface EpisodeLocator {
  readonly format: string;
  /** The main file, relative to the dataset's root. */
  readonly path: string;
  /** Rows, seconds or records of that file; absent if the file holds only this episode. */
  readonly span?: { readonly unit: 'row' | 's' | 'record'; readonly from: number; readonly to: number };
}

/** A task instruction of an episode. */
export interface TaskText {
  readonly text: string;
  /** File or topic it was read from. */
  readonly source: string;
}

/** Whether the attempt succeeded, and how that is known. */
export interface Outcome {
  readonly value: 'success' | 'failure' | 'unknown';
  readonly evidence: Evidence;
  readonly reason: string;
}

/** Something that happened at one time, such as `armed`. */
export interface Event {
  readonly time_s: number;
  readonly label: string;
  readonly source: string;
}

/** A loss of data that the recorder itself logged. */
export interface Dropout {
  /** Last stamp before the loss. */
  readonly time_s: number;
  /** Duration of the loss; `null` if the recorder only counts messages. */
  readonly duration_s: number | null;
  /** Number of lost messages or blocks; `null` if the recorder only logs times. */
  readonly lost: number | null;
}

/** A calibration stored in the recording, for example of a camera. */
export interface Calibration {
  readonly target: string;
  readonly model: string | null;
  readonly source: string;
  readonly values: Readonly<Record<string, readonly number[]>>;
}

/** A gripper dimension as recorded. Values are never inverted; `open_value` is set only with evidence (formats.md 18.2). */
export interface GripperConvention {
  readonly stream: string;
  readonly dimension: number;
  readonly name: string | null;
  readonly unit: string;
  readonly range_observed: readonly [number, number];
  /** Value that means open; `null` if unknown. */
  readonly open_value: number | null;
  readonly evidence: Evidence;
  readonly reason: string;
}

/** A labelled object of a picture (COCO, YOLO). The box is [x, y, width, height] in px, or `null` for a label of the whole picture. */
export interface PictureLabel {
  readonly category: string;
  readonly box_px: readonly [number, number, number, number] | null;
}

/** The span of a longer recording that an episode was cut from. */
export interface EpisodeCut {
  /** Id of the whole recording. */
  readonly recording: string;
  /** Number of this part, from 1. */
  readonly part: number;
  /** Seconds since the recording's start; `to_s` is exclusive. */
  readonly from_s: number;
  readonly to_s: number;
  /** Reasons for beginning and ending there: `recording`, `edge`, `gap`, `max_length`, …; `memory` if the rest did not fit. */
  readonly begins: string;
  readonly ends: string;
  /** Recipe that cut it; `null` if the reader did. */
  readonly recipe: JsonObject | null;
}

/** One recorded attempt, drive or flight, in the form that checks and layers read. */
export interface Episode {
  /** Unique in its dataset, stable between runs: `episode_000012`, a path without extension. */
  readonly id: string;
  /** Position in the dataset, from 0. */
  readonly index: number;
  readonly locator: EpisodeLocator;
  readonly sources: readonly SourceRef[];
  /** Zero of the streams' clocks in nanoseconds since the UNIX epoch, as decimal text; `null` if the format has no epoch. */
  readonly start_ns: string | null;
  readonly duration_s: number;
  readonly streams: readonly Stream[];
  readonly events: readonly Event[];
  /** Losses that the recorder logged, in order; absent if the format keeps no such log. */
  readonly dropouts?: readonly Dropout[];
  /** Task instructions; `null` if the format has none, empty if the format has them and this episode lacks one. */
  readonly tasks: readonly TaskText[] | null;
  readonly outcome: Outcome;
  readonly robot: string | null;
  readonly calibrations: readonly Calibration[];
  readonly grippers: readonly GripperConvention[];
  /** Labels; `null` if the format has none. */
  readonly labels: readonly PictureLabel[] | null;
  /** Reason why samples have no times: the format stores none by design. Absent if it can store times. */
  readonly clockless?: string;
  /** Rate that a person declared for recordings without a clock, and whether this recording needed it. */
  readonly declared_rate?: { readonly hz: number; readonly source: string; readonly used: boolean };
  /** Split that the dataset declares: `train`, `test`, …; absent if it declares none. */
  readonly split?: string;
  /** Absent if the episode is a whole recording. */
  readonly cut?: EpisodeCut;
  /** Findings of the reader about this episode's files. */
  readonly findings: readonly Finding[];
}

/** Outcome of recordings that carry no outcome label. */
export const unknownOutcome: Outcome = {
  value: 'unknown',
  evidence: 'unknown',
  reason: 'the recording has no outcome label',
};
