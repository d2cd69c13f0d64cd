import type { JsonObject } from '#core';
import type { ExportEditId } from '#core/api/bounds';

/** Rows of an episode of the source that become one of the new set; `until` is exclusive. */
export interface Piece {
  readonly first: number;
  readonly until: number;
}

/** What an edit may look at to decide which rows stay. */
export interface EditableEpisode {
  readonly id: string;
  readonly rows: number;
  readonly rate_hz: number;
  /** Recorded stamps of the rows in seconds; null where the set keeps none. */
  readonly times: Float64Array | null;
  /** Numeric features that say where the robot is or is told to go, row-major. */
  readonly motion: readonly MotionSeries[];
}

export interface MotionSeries {
  readonly key: string;
  readonly values: Float32Array | Float64Array;
  readonly dims: number;
}

/** A feature of the new set, and what becomes of its values on the way. */
export interface EditedFeature {
  /** Its name in the new set. */
  readonly key: string;
  /** Its name in the source. */
  readonly source: string;
  /** As info.json declares it. */
  readonly declaration: JsonObject;
  /** Row i gets the value that was recorded at row i - shift. */
  readonly shift: number;
  /** Values of these dimensions are multiplied, into this unit; in order. */
  readonly factors: readonly Factor[];
}

interface Factor {
  readonly dims: readonly number[];
  readonly by: number;
  /** `rad`, `m`, … */
  readonly unit: string;
}

/** Absent members: as the source has it. */
export interface EncodeEdit {
  readonly codec?: 'h264' | 'h265' | 'av1';
  readonly size?: readonly [width_px: number, height_px: number];
}

/** One edit as it was asked for: pure, the same for each episode. */
export interface EditStep {
  /** What the lineage says of it. */
  readonly lineage: JsonObject;
  /** Which rows of a piece stay, as any number of pieces in order. */
  readonly rows?: (piece: Piece, episode: EditableEpisode) => readonly Piece[];
  /** Throws `usage` where the set has no such feature. */
  readonly features?: (features: readonly EditedFeature[]) => readonly EditedFeature[];
  /** How frames of videos are encoded again. */
  readonly encode?: EncodeEdit;
  /** Ranges of the new set by split, such as `0:12`; `sources` has the place in the source of each of its episodes. */
  readonly splits?: (sources: readonly number[]) => Readonly<Record<string, string>>;
}

/** A way to change a set while it is exported. */
export interface ExportEdit {
  readonly id: ExportEditId;
  /** What the option of the command takes: `idle`, `FEATURE=ROWS`. */
  readonly takes: string;
  readonly about: string;
  /** Reads what was asked for. Throws `usage`. */
  read(texts: readonly string[]): EditStep;
}
