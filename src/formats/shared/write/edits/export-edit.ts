import { AssayError, type JsonObject } from '#core';
import type { ExportEditId } from '#core/api/bounds';

/** Rows [first, until) of a source episode that become an episode of the new set. */
export interface RowRange {
  readonly first: number;
  readonly until: number;
}

/** Data of an episode that edits use to select rows. */
export interface EditableEpisode {
  readonly id: string;
  readonly rows: number;
  readonly rate_hz: number;
  /** Recorded timestamps of the rows in seconds; `null` if the set has none. */
  readonly times: Float64Array | null;
  /** Numeric features with the robot's state or commands, row-major. */
  readonly motion: readonly MotionSeries[];
}

/** A numeric feature of an episode, row-major. */
export interface MotionSeries {
  readonly key: string;
  readonly values: Float32Array | Float64Array;
  readonly dims: number;
}

/** A feature of the new set and the edits of its values. */
export interface EditedFeature {
  /** Name in the new set. */
  readonly key: string;
  /** Name in the source. */
  readonly source: string;
  /** Declaration as in info.json. */
  readonly declaration: JsonObject;
  /** Row i gets the value recorded at row i − shift. */
  readonly shift: number;
  /** Unit conversions, applied in order. */
  readonly factors: readonly Factor[];
}

interface Factor {
  readonly dims: readonly number[];
  readonly by: number;
  /** `rad`, `m`, … */
  readonly unit: string;
}

/** Video encoding changes; absent members stay as in the source. */
export interface EncodeEdit {
  readonly codec?: 'h264' | 'h265' | 'av1';
  readonly size?: readonly [width_px: number, height_px: number];
}

/** A parsed edit: pure, the same for every episode. */
export interface EditStep {
  /** Entry for the lineage of the new set. */
  readonly lineage: JsonObject;
  /** Returns the rows of a range to keep, as ranges in order. */
  readonly rows?: (range: RowRange, episode: EditableEpisode) => readonly RowRange[];
  /** True if `rows` depends on nothing but row numbers, times and the rate. */
  readonly rigid?: true;
  /** Names of the features that it edits. */
  readonly named?: readonly string[];
  /** Returns the edited features. @throws AssayError `usage` if the set lacks a named feature. */
  readonly features?: (features: readonly EditedFeature[]) => readonly EditedFeature[];
  /** Changes of the video encoding. */
  readonly encode?: EncodeEdit;
  /**
   * Returns the episode ranges of the new set by split, such as `0:12`. `sources`: source index of each of its
   * episodes.
   */
  readonly splits?: (sources: readonly number[]) => Readonly<Record<string, string>>;
}

/** An edit of a set during export. */
export interface ExportEdit {
  readonly id: ExportEditId;
  /** Syntax of the option's value: `idle`, `FEATURE=ROWS`. */
  readonly takes: string;
  readonly about: string;
  /** Parses the option's values. @throws AssayError `usage` */
  read(texts: readonly string[]): EditStep;
}

/**
 * Returns the feature with this name; throws `usage`, listing the names, if there is none or it is a required column.
 */
export function requireFeature(
  features: readonly EditedFeature[],
  key: string,
  option: string,
): EditedFeature {
  const feature = features.find((one) => one.key === key);
  if (feature !== undefined && !requiredColumns.has(key)) return feature;
  const names = features.map((one) => one.key).filter((name) => !requiredColumns.has(name));
  throw new AssayError('usage', `${option}: the dataset has no feature ${key}`, {
    advice: `available features: ${names.join(', ')}`,
  });
}

/**
 * Throws `usage`, listing every missing name with its edit, if edits name features that the set lacks or that are
 * required columns.
 */
export function requireNamedFeatures(features: readonly EditedFeature[], steps: readonly EditStep[]): void {
  const available = features.map(({ key }) => key).filter((key) => !requiredColumns.has(key));
  const missing = steps.flatMap(({ lineage, named = [] }) => {
    const own = [...new Set(named)].filter((key) => !available.includes(key));
    return own.length === 0 ? [] : [`--${lineage.edit}: the dataset has no ${listFeatures(own)}`];
  });
  if (missing.length > 0)
    throw new AssayError('usage', missing.join('; '), {
      advice: `available features: ${available.join(', ')}`,
    });
}

const listFeatures = (keys: readonly string[]): string =>
  `feature${keys.length === 1 ? '' : 's'} ${keys.join(', ')}`;

/** Columns that every set has and that no edit may change. */
const requiredColumns = new Set(['timestamp', 'frame_index', 'episode_index', 'index', 'task_index']);

/** Splits `NAME=VALUE` at the first `=`; throws `usage` if either side is empty. */
export function parsePair(
  text: string,
  option: string,
  takes: string,
): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw new AssayError('usage', `${option} requires ${takes}, got ${text}`, {});
}

/** Throws `usage` if a name is repeated. */
export function assertUnique(names: readonly string[], option: string): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new AssayError('usage', `${option}: ${twice} is given twice`, {});
}
