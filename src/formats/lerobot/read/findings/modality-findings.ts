import { countPhrase, type JsonObject, type JsonValue, listText, parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';
import type { FindingCollector } from '../../metadata/finding-collector.ts';
import { infoPath, isObject } from '../../metadata/info.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { createGr00tViolation, type Gr00tRuleId } from '../../rules/contract.ts';
import { modalityPath } from '../../rules/readers.ts';

/** Path of the statistics that GR00T normalises with. */
const statsPath = 'meta/stats.json';

/** Column that a part of state or action is cut from unless it has an original_key. */
const defaultColumns = { state: 'observation.state', action: 'action' } as const;

/** Values of rotation_type that GR00T N1.5 knows. */
const rotationTypes: ReadonlySet<JsonValue | undefined> = new Set([
  ...['axis_angle', 'quaternion', 'rotation_6d', 'matrix'],
  ...['rpy', 'ryp', 'pry', 'pyr', 'yrp', 'ypr'].map((order) => `euler_angles_${order}`),
]);

/** Statistics of a column that GR00T requires. */
const statistics = ['mean', 'std', 'min', 'max', 'q01', 'q99'];

/**
 * Adds findings on what GR00T's loaders refuse in meta/modality.json and its statistics; does nothing for v3, or
 * without that file.
 */
export async function reportModality(set: LeRobotSet, notes: FindingCollector): Promise<void> {
  const { tree } = set;
  if (set.layout !== 'v2' || !tree.has(modalityPath)) return;
  const report: Report = (id, path, message) => notes.addFinding(createGr00tViolation(id, path, message));
  const modality = await readObject(tree, modalityPath);
  if (modality === null)
    return report('modality_malformed', modalityPath, `${modalityPath} is not a JSON object`);
  reportParts(modality, set, report);
  reportCameras(modality, set, report);
  reportAnnotations(modality, set, report);
  await reportStatistics(modality, set, report);
}

type Report = (id: Gr00tRuleId, path: string, message: string) => void;

/** Reads a JSON object; null for anything else. */
async function readObject(tree: SourceTree, path: string): Promise<JsonObject | null> {
  const value = await tree
    .read(path)
    .then((bytes) => parseTolerantJson(bytes, path).value)
    .catch(() => null);
  return isObject(value) ? value : null;
}

/** Reports parts of state and action that are malformed, lie outside of their vector or have no column. */
function reportParts(modality: JsonObject, { features, reference }: LeRobotSet, report: Report): void {
  const missing = ['state', 'action', 'video'].filter((section) => !isObject(modality[section]));
  const malformed: string[] = [];
  const outside: string[] = [];
  const unknown: string[] = [];
  const rotations: string[] = [];
  for (const { name, part, column } of listParts(modality)) {
    const { start, end, rotation_type } = part;
    if (rotation_type != null && !rotationTypes.has(rotation_type)) rotations.push(name);
    if (typeof start !== 'number' || typeof end !== 'number' || !Number.isInteger(start + end)) {
      malformed.push(name);
      continue;
    }
    const hasColumn = reference === null || reference.some((one) => one.name === column);
    if (!hasColumn) unknown.push(`${name} (${column})`);
    const size = features.get(column)?.shape.reduce((product, length) => product * length, 1);
    if (start < 0 || end <= start || (size !== undefined && size > 0 && end > size))
      outside.push(`${name} (${start} to ${end} of ${size ?? 'an unknown number of'} values)`);
  }
  if (missing.length > 0)
    report('modality_malformed', modalityPath, `${modalityPath} has no ${listText(missing)}`);
  if (malformed.length > 0) {
    const message = `${modalityPath} gives no whole numbers as start and end of ${listText(malformed)}`;
    report('modality_malformed', modalityPath, message);
  }
  if (rotations.length > 0) {
    const message = `${modalityPath} gives an unknown rotation_type for ${listText(rotations)}`;
    report('modality_rotation_unknown', modalityPath, message);
  }
  if (outside.length > 0) {
    const message = `${modalityPath} gives parts that are empty or outside of their vector: ${listText(outside)}`;
    report('modality_slice_wrong', modalityPath, message);
  }
  if (unknown.length > 0) {
    const message = `${modalityPath} gives parts of columns that the data does not have: ${listText(unknown)}`;
    report('modality_column_unknown', modalityPath, message);
  }
}

interface Part {
  /** Section and key, such as `state.left_arm`. */
  readonly name: string;
  readonly part: JsonObject;
  readonly column: string;
}

/** Lists the parts of state and action; a part that is no object counts as an empty one. */
function listParts(modality: JsonObject): Part[] {
  return (['state', 'action'] as const).flatMap((section) =>
    listEntries(modality[section]).map(([key, part]) => ({
      name: `${section}.${key}`,
      part,
      column: textOr(part.original_key, defaultColumns[section]),
    })),
  );
}

const listEntries = (section: JsonValue | undefined): [string, JsonObject][] =>
  isObject(section) ? Object.entries(section).map(([key, value]) => [key, isObject(value) ? value : {}]) : [];

const textOr = (value: JsonValue | undefined, other: string) => (typeof value === 'string' ? value : other);

/** Reports cameras that name no feature, have no videos or are not described. */
function reportCameras({ video }: JsonObject, { features, cameras }: LeRobotSet, report: Report): void {
  for (const [name, camera] of listEntries(video)) {
    const imageName = `observation.images.${name}`;
    const named = typeof camera.original_key === 'string' ? camera.original_key : null;
    const key = named ?? (features.has(imageName) ? imageName : name);
    const feature = features.get(key);
    if (feature === undefined) {
      const message = `${modalityPath} names the camera ${name}, but ${infoPath} declares no feature ${named ?? imageName}`;
      report('modality_camera_unknown', modalityPath, message);
      continue;
    }
    if (named === null) {
      const id = key === name ? 'modality_camera_full_name' : 'modality_camera_unnamed';
      report(id, modalityPath, `${modalityPath} gives no original_key for the camera ${name}`);
    }
    if (!cameras.includes(feature)) {
      const message = `${modalityPath} names the camera ${name}, but ${key} has no video files`;
      report('modality_camera_without_files', modalityPath, message);
    }
    const { details, raw_names } = feature;
    const isDescribed =
      typeof details['video.fps'] === 'number' &&
      (typeof details['video.channels'] === 'number' ||
        (Array.isArray(raw_names) && raw_names.includes('channel')));
    if (!isDescribed) {
      const message = `${infoPath} does not give video.fps and the number of channels of ${key}`;
      report('modality_camera_undescribed', infoPath, message);
    }
  }
}

function reportAnnotations({ annotation }: JsonObject, { reference }: LeRobotSet, report: Report): void {
  if (reference === null) return;
  const unknown = listEntries(annotation).flatMap(([key, entry]) => {
    const column = textOr(entry.original_key, `annotation.${key}`);
    return reference.some(({ name }) => name === column) ? [] : [`${key} (${column})`];
  });
  if (unknown.length === 0) return;
  const message = `${modalityPath} names ${countPhrase(unknown.length, 'annotations')} without a column in the data: ${listText(unknown)}`;
  report('modality_annotation_unknown', modalityPath, message);
}

async function reportStatistics(modality: JsonObject, { tree }: LeRobotSet, report: Report): Promise<void> {
  const stats = tree.has(statsPath) ? await readObject(tree, statsPath) : null;
  const columns = new Set(listParts(modality).map(({ column }) => column));
  const incomplete = [...columns].filter((column) => {
    const entry = stats?.[column];
    return !isObject(entry) || statistics.some((statistic) => !Array.isArray(entry[statistic]));
  });
  if (incomplete.length === 0) return;
  const message =
    stats === null
      ? `${statsPath} is missing: GR00T computes it when training starts`
      : `${statsPath} lacks ${listText(statistics)} of ${listText(incomplete)}: GR00T computes them when training starts`;
  report('modality_stats_missing', statsPath, message);
}
