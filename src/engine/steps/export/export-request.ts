import { AssayError, type JsonObject } from '#core';
import type { ExportFormatId } from '#core/api';
import type { ExportEditId } from '#core/api/bounds';
import type { Finding } from '#core/episode';
import {
  type CopyPlan,
  createAbsentCameraError,
  type EditRequest,
  exportFormats,
  isLeRobotVersion,
  type LeRobotVersion,
  mayLeaveRows,
  readEdits,
  type TrimSpan,
  trimByPlan,
} from '#formats/write';
import type { ClassNames } from '#labels/annotation';
import type { AnnotationHashes, AnnotationSource } from '../read-annotations.ts';
import type { JudgedFacts } from './judged-facts.ts';

/** A dataset to export from. */
export interface ExportSource {
  /** Display name. */
  readonly name: string;
  /** Folder of the dataset below its path; '' for the path itself. */
  readonly dataset: string;
  /** Format, to distinguish datasets in the same folder. */
  readonly of?: string;
  /** Ids of the kept episodes, in the dataset's order. */
  readonly keep: readonly string[];
  /** New feature names by current name; the others stay. */
  readonly names: Readonly<Record<string, string>>;
  /** Parts that a plan keeps of trimmed episodes, by id. */
  readonly trims?: Readonly<Record<string, TrimSpan>>;
  /** Evaluation results by episode id, if the format stores them. */
  readonly judged?: Readonly<Record<string, JudgedFacts>>;
}

/** Format and changes of an export. */
export interface ExportSettings {
  readonly format: ExportFormatId;
  /** Edits to apply; default: none. */
  readonly edits?: EditRequest;
  /** Rows per second; default: as recorded. */
  readonly rate_hz?: number;
}

/** Format and changes of an export of one dataset, with the parts that a plan keeps of its episodes. */
export type StorableSettings = ExportSettings & { readonly trims: NonNullable<ExportSource['trims']> };

/** A complete export task. Plain data; may be sent between threads. */
export interface ExportSetTask extends ExportSettings {
  /** Source datasets; several are merged into one set. */
  readonly sources: readonly ExportSource[];
  /** Absolute path of a new or empty folder. */
  readonly folder: string;
  /** Absolute path of a folder from `assay annotate`, whose annotations are included. */
  readonly annotations?: string;
}

/** Preview of an export. */
export interface ExportPlan extends CopyPlan {
  /** Edits as listed in the lineage. */
  readonly edits: readonly JsonObject[];
}

/** Summary of a written set. */
export interface ExportedSet {
  readonly format: ExportFormatId;
  /** Number of rows or samples. */
  readonly rows: number;
  /**
   * Its episodes in order, each with its source and the rows that it holds of the source's episode (null: all).
   * Absent: the kept episodes of the only source.
   */
  readonly episodes?: readonly WrittenEpisode[];
  /** Omissions and changes, with reasons. */
  readonly edits: readonly JsonObject[];
  /** Per source: the files that were read, with their SHA-256 at that time. */
  readonly sources: readonly SourceFiles[];
}

type SourceFiles = readonly (readonly [path: string, sha256: string | null])[];

/** An episode of a written set. */
export interface WrittenEpisode {
  /** Index of its source. */
  readonly source: number;
  readonly id: string;
  readonly rows: readonly [from: number, until: number] | null;
  /** SHA-256 of each included annotation; absent if there are none. */
  readonly annotations?: AnnotationHashes;
}

/** Callbacks of an export. */
export interface ExportHooks {
  readonly signal: AbortSignal;
  /** Called with the number of further episodes written; 0 reports reading progress. */
  readonly onProgress: (episodes: number) => void;
  /** Source of annotations; absent: none are included. */
  readonly annotations?: AnnotationSource;
  /** Current names of the classes of labels; absent: none is renamed. */
  readonly class_names?: ClassNames;
}

/** Returns the edits without undefined members, as mutable copies. */
export const toEditRequest = (
  edits: Readonly<Record<string, readonly string[] | undefined>> = {},
): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(edits).flatMap(([id, texts]) => (texts === undefined ? [] : [[id, [...texts]]])),
  );

interface EditsRequest extends Pick<ExportSettings, 'edits'> {
  readonly sources: readonly Pick<ExportSource, 'trims'>[];
}

/** Returns the requested edits, in order, then the trims of a plan (a plan covers one set only). Throws `usage`. */
export function editSteps({ edits = {}, sources: [{ trims }] }: EditsRequest) {
  const isTrimmed = trims !== undefined && Object.keys(trims).length > 0;
  return [...readEdits(edits), ...(isTrimmed ? [trimByPlan(trims)] : [])];
}

/** Returns true if rows and video packets are copied: LeRobot to one of its own versions. */
export const isLeRobotCopy = (format: ExportFormatId, dataset_format: string): format is LeRobotVersion =>
  dataset_format === 'lerobot' && isLeRobotVersion(format);

/**
 * Throws `usage` if no row of the longest episode remains after shifts and trims by seconds, so that the export would be
 * empty.
 */
export function requireRows(
  edits: EditRequest,
  longest: { readonly duration_s: number; readonly rate_hz: number },
): void {
  const steps = readEdits(edits);
  if (mayLeaveRows(steps, longest)) return;
  const options = steps.flatMap(({ rigid, lineage }) =>
    rigid === true ? [`--${String(lineage.edit)}`] : [],
  );
  const verb = options.length === 1 ? 'removes' : 'remove';
  throw new AssayError('usage', `${options.join(', ')} ${verb} all rows of all episodes`, {
    advice: `the longest episode lasts ${longest.duration_s.toFixed(1)} s at ${longest.rate_hz} rows per second`,
  });
}

interface ExportableRequest extends ExportSettings {
  readonly sources?: readonly Pick<ExportSource, 'trims'>[];
}

/**
 * Throws `usage` if datasets of these formats cannot be exported so: several only from LeRobot to LeRobot, edits only where
 * the output has them, a rate only if it is possible. Checks nothing else.
 */
export function requireExportable(request: ExportableRequest, dataset_formats: readonly string[]): void {
  const { format, rate_hz } = request;
  readEdits(request.edits ?? {});
  if (dataset_formats.every((own) => isLeRobotCopy(format, own))) {
    requireWholeRate(rate_hz);
    return;
  }
  requireSupportedEdits(request);
  if (dataset_formats.length === 1) return;
  const other = dataset_formats.find((own) => !isLeRobotCopy(format, own));
  const what = isLeRobotVersion(format) ? `recordings of ${other}` : `into ${format}`;
  throw new AssayError('usage', `only LeRobot datasets can be merged, and only into LeRobot; not ${what}`, {
    advice: 'export each dataset as lerobot-v3 first, then merge the exports',
  });
}

/** Returns the cameras that a dataset declares without having a single file of them, according to its findings. */
export function listAbsentCameras(findings: readonly Finding[]): string[] {
  const finding = findings.find(({ code }) => code === 'camera_without_files');
  const cameras = finding?.evidence?.cameras;
  return Array.isArray(cameras) ? cameras.map(String) : [];
}

/** Throws `unreadable_input` for absent cameras that no edit drops: an export leaves out no declared feature by itself. */
export function requireNoAbsentCamera(absent: readonly string[], { drop = [] }: EditRequest = {}): void {
  const undropped = absent.filter((camera) => !drop.includes(camera));
  if (undropped.length > 0) throw createAbsentCameraError(undropped);
}

/**
 * Returns the edits with the cameras `absent` removed from `drop`: they have no file, so that no reader lists them as streams.
 */
export function withoutAbsent(edits: EditRequest = {}, absent: readonly string[]): EditRequest {
  const { drop = [], ...others } = edits;
  const dropped = drop.filter((feature) => !absent.includes(feature));
  return dropped.length === 0 ? others : { ...others, drop: dropped };
}

function requireSupportedEdits({ format, edits = {}, sources = [] }: ExportableRequest): void {
  const { title, edits: supported } = exportFormats.get(format)!;
  const supportedIds: ReadonlySet<string> = new Set(supported);
  const advice = `${title} supports ${supported.map((id) => `--${id}`).join(', ')}; or export to lerobot-v3 first, then convert that export`;
  const others = Object.keys(edits).filter((id) => !supportedIds.has(id));
  if (others.length > 0) {
    const listed = others.map((id) => `--${id}`).join(', ');
    const verb = others.length === 1 ? 'is' : 'are';
    throw new AssayError('usage', `${listed} ${verb} not supported for exports to ${title}`, { advice });
  }
  const trims = sources.reduce((sum, one) => sum + Object.keys(one.trims ?? {}).length, 0);
  if (trims > 0 && !supportedIds.has('trim' satisfies ExportEditId))
    throw new AssayError(
      'usage',
      `--plan trims ${trims} episodes, but ${title} cannot store parts of episodes`,
      {
        advice,
      },
    );
}

function requireWholeRate(rate_hz: number | undefined): void {
  if (rate_hz === undefined || Number.isInteger(rate_hz)) return;
  throw new AssayError('usage', `LeRobot needs an integer fps, got ${rate_hz}`, {
    advice: `use --rate ${Math.max(1, Math.round(rate_hz))}`,
  });
}
