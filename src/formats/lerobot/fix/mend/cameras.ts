import type { JsonObject, JsonValue } from '#core';
import { featuresOf, infoPath, type LeRobotDraft } from '../draft/draft.ts';
import { windowNames } from '../draft/read-episodes.ts';
import { changed, type Mend } from './mend.ts';

/** Cameras are declared as their videos are: shape and names in one order, and none of which there is nothing. */
export const cameras: Mend = {
  id: 'cameras',
  title: 'Cameras are declared as height, width, channels; those without any file are not declared',
  answers: ['camera_without_files', 'picture_shape_turned', 'camera_names_wrong', 'camera_shape_wrong'],
  run: (draft) => {
    const declared = [...featuresOf(draft.info.value)].filter(([, { dtype }]) =>
      /^(video|image)$/.test(String(dtype)),
    );
    const videos = declared.filter(([, { dtype }]) => dtype === 'video');
    const withFiles = videos.filter(([key]) => draft.paths.some((path) => path.includes(`/${key}/`)));
    for (const [key, feature] of declared) {
      const absent =
        feature.dtype === 'video' && withFiles.length > 0 && !withFiles.some(([one]) => one === key);
      if (absent && !hasWindows(draft, key)) leaveOut(draft, key);
      else turn(draft, key, feature);
    }
  },
};

/** v3: a camera whose files are lost still has its windows. */
function hasWindows({ episodeColumns }: LeRobotDraft, camera: string): boolean {
  return windowNames(camera).some((name) => episodeColumns.has(name));
}

function leaveOut(draft: LeRobotDraft, key: string): void {
  draft.info.set(['features', key], undefined);
  changed(draft, cameras, ['camera_without_files'], {
    path: infoPath,
    what: `features.${key}`,
    before: 'a camera without a single file',
    after: 'not declared',
  });
}

const order = ['height', 'width', 'channels'];

function turn(draft: LeRobotDraft, key: string, feature: JsonObject): void {
  const { names } = feature;
  const shape = Array.isArray(feature.shape) ? feature.shape.map(Number) : [];
  const kind = orderOf(names);
  const first = shape.length === 3 && shape[0] <= 4 && shape[2] > 4;
  const last = shape.length === 3 && shape[2] <= 4 && shape[0] > 4;
  if (!first && !last) return;
  if (kind === 'first' ? first : kind === 'last' ? last : false) return;
  const [height, width] = sizeOf(shape, first, names);
  const size = [height, width, first ? shape[0] : shape[2]];
  if (kind === 'first') set(draft, key, 'shape', feature.shape, [size[2], size[0], size[1]]);
  else {
    if (first || names !== null) set(draft, key, 'shape', feature.shape, size);
    if (kind === null) set(draft, key, 'names', names, order);
  }
}

function sizeOf(
  shape: readonly number[],
  first: boolean,
  names: JsonValue | undefined,
): readonly [number, number] {
  if (first) return [shape[1], shape[2]];
  const turned = Array.isArray(names) && names[0] === 'width' && names[1] === 'height';
  return turned ? [shape[1], shape[0]] : [shape[0], shape[1]];
}

/** What the library takes names for; it goes by the place of the channels. */
function orderOf(names: JsonValue | undefined): 'first' | 'last' | null {
  if (!Array.isArray(names) || names.length < 3) return null;
  const words = names.map(String);
  if (/^channels?$/.test(words[2]) && words[0] === 'height' && words[1] === 'width') return 'last';
  return /^channels?$/.test(words[0]) && words[1] === 'height' && words[2] === 'width' ? 'first' : null;
}

function set(
  draft: LeRobotDraft,
  key: string,
  what: string,
  before: JsonValue | undefined,
  after: JsonValue,
): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  draft.info.set(['features', key, what], after);
  changed(draft, cameras, [what === 'names' ? 'camera_names_wrong' : 'picture_shape_turned'], {
    path: infoPath,
    what: `features.${key}.${what}`,
    before: JSON.stringify(before ?? null),
    after: JSON.stringify(after),
  });
}
