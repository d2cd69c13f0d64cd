import type { JsonObject, JsonValue } from '#core';
import { inferRole } from '../../read/episodes/column-plan.ts';
import { infoPath, type LeRobotDraft, parseFeatures } from '../draft.ts';
import { windowColumns } from '../tables.ts';
import { formatList, type LeRobotFix, recordChange, recordUnfixed } from './fix.ts';

/** Fix: matches declared features with the data: undeclared columns, missing features and incomplete names. */
export const features: LeRobotFix = {
  id: 'features',
  title: 'Declare features as they are in the data',
  answers: ['column_undeclared', 'columns_differ', 'feature_missing', 'signal_missing', 'names_too_few'],
  run: (draft) => {
    if (draft.files.length === 0) return;
    fixUndeclaredColumns(draft);
    fixMissingFeatures(draft);
    for (const [key, feature] of parseFeatures(draft.info.value)) completeNames(draft, key, feature);
  },
};

/**
 * Declares columns that all files have (v3), and drops those that only some have, since the library requires equal
 * columns.
 */
function fixUndeclaredColumns(draft: LeRobotDraft): void {
  const declared = parseFeatures(draft.info.value);
  const counts = new Map<string, number>();
  for (const { columns } of draft.files)
    for (const { name } of columns) if (!declared.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts) {
    if (count < draft.files.length) dropColumn(draft, name);
    else if (draft.layout === 'v3') declareColumn(draft, name);
  }
}

/** LeRobot dtype of each scalar DuckDB type. */
const dtypeBySqlType: Readonly<Record<string, string>> = {
  FLOAT: 'float32',
  DOUBLE: 'float64',
  BIGINT: 'int64',
  INTEGER: 'int32',
  SMALLINT: 'int16',
  TINYINT: 'int8',
  UTINYINT: 'uint8',
  BOOLEAN: 'bool',
  VARCHAR: 'string',
};

/** Declares a scalar column; reports columns of other types as unfixed. */
function declareColumn(draft: LeRobotDraft, name: string): void {
  const type = draft.files[0].columns.find((column) => column.name === name)!.type;
  const dtype = dtypeBySqlType[type];
  if (dtype === undefined) {
    recordUnfixed(draft, 'column_undeclared', {
      path: draft.files[0].path,
      message: `column ${name} is not declared in features, and its shape cannot be inferred`,
      advice: 'Declare the column in features, or remove it.',
    });
    return;
  }
  draft.info.set(['features', name], { dtype, shape: [1], names: null });
  draft.newFeatures.add(name);
  recordChange(draft, features, ['column_undeclared', 'columns_differ'], {
    path: infoPath,
    what: `features.${name}`,
    before: 'missing',
    after: `${dtype}, from the data files`,
  });
}

/** Removes a column from the files that have it. */
function dropColumn(draft: LeRobotDraft, name: string): void {
  for (const file of draft.files) {
    if (!file.columns.some((column) => column.name === name)) continue;
    file.droppedColumns.add(name);
    recordChange(draft, features, ['columns_differ', 'column_undeclared'], {
      path: file.path,
      what: `column ${name}`,
      before: 'not in all data files',
      after: 'removed; kept in the journal',
    });
  }
}

/**
 * Removes declarations of features without a column; missing state, action and numbering columns are reported as
 * unfixed.
 */
function fixMissingFeatures(draft: LeRobotDraft): void {
  const there = new Set(draft.files.flatMap(({ columns }) => columns.map(({ name }) => name)));
  for (const [key, { dtype }] of parseFeatures(draft.info.value)) {
    if (dtype === 'video' || there.has(key)) continue;
    if (/^(state|action)$/.test(inferRole(key)) || /^(timestamp|(frame_|episode_|task_)?index)$/.test(key)) {
      recordUnfixed(draft, 'signal_missing', {
        path: infoPath,
        message: `${key} is declared, but missing from all data files`,
        advice:
          'Restore the data files that contain it, or re-record: it cannot be computed from other data.',
      });
      continue;
    }
    draft.info.set(['features', key], undefined);
    recordChange(draft, features, ['feature_missing'], {
      path: infoPath,
      what: `features.${key}`,
      before: 'declared, but missing from all data files',
      after: 'not declared',
    });
  }
}

/**
 * Completes too few names from another feature of the same dimension whose names begin with them; reports them as
 * unfixed if there is no unique candidate.
 */
function completeNames(draft: LeRobotDraft, key: string, feature: JsonObject): void {
  const own = nameList(feature.names);
  const dims = countDims(feature);
  const matters = !/^(video|image|string)$/.test(String(feature.dtype));
  if (!matters || own === null || own.length >= dims || (own.length === 1 && dims === 0)) return;
  if (Array.isArray(feature.shape) && feature.shape.length > 1 && own.length === feature.shape.length) return;
  const candidates = [...parseFeatures(draft.info.value)].flatMap(([other, value]) => {
    const list = other === key || countDims(value) !== dims ? null : nameList(value.names);
    return list?.length === dims && own.every((name, at) => name === list[at]) ? [list] : [];
  });
  const found = new Set(candidates.map((list) => JSON.stringify(list)));
  if (found.size !== 1) {
    recordUnfixed(draft, 'names_too_few', {
      path: infoPath,
      message: `${key} has ${own.length} names, but ${dims} dimensions: ${formatList(own)}`,
      advice: 'Add one name per dimension: programs that look joints up by name otherwise use the wrong one.',
    });
    return;
  }
  draft.info.set(['features', key, 'names'], [...candidates[0]]);
  recordChange(draft, features, ['names_too_few'], {
    path: infoPath,
    what: `features.${key}.names`,
    before: JSON.stringify(own),
    after: JSON.stringify(candidates[0]),
  });
}

/** Returns a list of names; null if the value is not a list of texts. */
function nameList(value: JsonValue | undefined): readonly string[] | null {
  return Array.isArray(value) && value.every((name) => typeof name === 'string') ? value.map(String) : null;
}

/** Returns the number of values of a feature's shape; 0 without a shape. */
function countDims({ shape }: JsonObject): number {
  return Array.isArray(shape) ? shape.reduce<number>((product, size) => product * Number(size), 1) : 0;
}

/** Fix: corrects shape and names of cameras, and removes declared cameras without files. */
export const cameras: LeRobotFix = {
  id: 'cameras',
  title: 'Declare camera shapes as height, width, channels, and remove cameras without files',
  answers: ['camera_without_files', 'picture_shape_turned', 'camera_names_wrong', 'camera_shape_wrong'],
  run: (draft) => {
    const declared = [...parseFeatures(draft.info.value)].filter(([, { dtype }]) =>
      /^(video|image)$/.test(String(dtype)),
    );
    const videos = declared.filter(([, { dtype }]) => dtype === 'video');
    const withFiles = videos.filter(([key]) => draft.paths.some((path) => path.includes(`/${key}/`)));
    for (const [key, feature] of declared) {
      const absent =
        feature.dtype === 'video' && withFiles.length > 0 && !withFiles.some(([one]) => one === key);
      if (absent && !hasWindows(draft, key)) undeclareCamera(draft, key);
      else fixAxisOrder(draft, key, feature);
    }
  },
};

/** Returns true if the episodes table has windows of a camera, so that only its files are lost (v3). */
function hasWindows({ episodeColumns }: LeRobotDraft, camera: string): boolean {
  return windowColumns(camera).some((name) => episodeColumns.has(name));
}

function undeclareCamera(draft: LeRobotDraft, key: string): void {
  draft.info.set(['features', key], undefined);
  recordChange(draft, cameras, ['camera_without_files'], {
    path: infoPath,
    what: `features.${key}`,
    before: 'camera without any files',
    after: 'not declared',
  });
}

const axisNames = ['height', 'width', 'channels'];

/** Corrects a camera's shape and names if they contradict each other. */
function fixAxisOrder(draft: LeRobotDraft, key: string, feature: JsonObject): void {
  const { names } = feature;
  const shape = Array.isArray(feature.shape) ? feature.shape.map(Number) : [];
  const kind = axisOrder(names);
  const first = shape.length === 3 && shape[0] <= 4 && shape[2] > 4;
  const last = shape.length === 3 && shape[2] <= 4 && shape[0] > 4;
  if (!first && !last) return;
  if (kind === 'first' ? first : kind === 'last' ? last : false) return;
  const [height, width] = pictureSize(shape, first, names);
  const size = [height, width, first ? shape[0] : shape[2]];
  if (kind === 'first') setFeature(draft, key, 'shape', feature.shape, [size[2], size[0], size[1]]);
  else {
    if (first || names !== null) setFeature(draft, key, 'shape', feature.shape, size);
    if (kind === null) setFeature(draft, key, 'names', names, axisNames);
  }
}

/** Returns [height, width] of a shape. `first`: channels come first. */
function pictureSize(
  shape: readonly number[],
  first: boolean,
  names: JsonValue | undefined,
): readonly [number, number] {
  if (first) return [shape[1], shape[2]];
  const turned = Array.isArray(names) && names[0] === 'width' && names[1] === 'height';
  return turned ? [shape[1], shape[0]] : [shape[0], shape[1]];
}

/**
 * Returns the axis order that the library derives from the names, by the position of the channels; null if unknown.
 */
function axisOrder(names: JsonValue | undefined): 'first' | 'last' | null {
  if (!Array.isArray(names) || names.length < 3) return null;
  const words = names.map(String);
  if (/^channels?$/.test(words[2]) && words[0] === 'height' && words[1] === 'width') return 'last';
  return /^channels?$/.test(words[0]) && words[1] === 'height' && words[2] === 'width' ? 'first' : null;
}

/** Sets a member of a feature and records the change; does nothing if the value is equal. */
function setFeature(
  draft: LeRobotDraft,
  key: string,
  what: string,
  before: JsonValue | undefined,
  after: JsonValue,
): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  draft.info.set(['features', key, what], after);
  recordChange(draft, cameras, [what === 'names' ? 'camera_names_wrong' : 'picture_shape_turned'], {
    path: infoPath,
    what: `features.${key}.${what}`,
    before: JSON.stringify(before ?? null),
    after: JSON.stringify(after),
  });
}
