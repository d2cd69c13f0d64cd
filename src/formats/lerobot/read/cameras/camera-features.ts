import type { JsonValue } from '#core';
import { type Feature, infoPath } from '../../metadata/info.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import type { Notes } from '../../metadata/notes.ts';
import { lerobotBreach } from '../../rules/contract.ts';

/** Names and shapes of cameras, as policies are built from them (dataset_to_policy_features of the library). */
export function reportCameras({ features, layout }: LeRobotSet, notes: Notes): void {
  for (const feature of features.values()) {
    if (feature.dtype !== 'video' && feature.dtype !== 'image') continue;
    const { key, shape } = feature;
    const said = `camera ${key} has the shape [${shape.join(', ')}]`;
    const names = JSON.stringify(feature.raw_names);
    if (shape.length !== 3) {
      notes.put(
        lerobotBreach(layout, 'camera_shape_wrong', infoPath, `${said}; training needs three numbers`),
      );
    } else if (orderOf(feature.raw_names) === null) {
      notes.put(
        lerobotBreach(
          layout,
          'camera_names_wrong',
          infoPath,
          `camera ${key} has the names ${names}: training takes the shape for channels first, or fails`,
        ),
      );
    } else if (isTurned(feature)) {
      notes.put(
        lerobotBreach(
          layout,
          'picture_shape_turned',
          infoPath,
          `${said} under the names ${names}: policies are built for pictures of ${turnedWords(feature)}`,
        ),
      );
    }
  }
}

/** The library takes three names whose last is channel or channels for height, width, channels; others as written. */
function orderOf(names: JsonValue): 'channels last' | 'channels first' | null {
  if (!Array.isArray(names) || names.length < 3) return null;
  const words = names.map(String);
  if (/^channels?$/.test(words[2]) && words[0] === 'height' && words[1] === 'width') return 'channels last';
  return /^channels?$/.test(words[0]) && words[1] === 'height' && words[2] === 'width'
    ? 'channels first'
    : null;
}

/** The shape is in another order than its names say. */
function isTurned({ shape, raw_names }: Feature): boolean {
  const [first, , last] = shape;
  return orderOf(raw_names) === 'channels last' ? first <= 4 && last > 4 : last <= 4 && first > 4;
}

function turnedWords({ shape, raw_names }: Feature): string {
  const [a, b, c] = shape;
  return orderOf(raw_names) === 'channels last'
    ? `${c} channels, ${b}x${a} px`
    : `${a} channels, ${c}x${b} px`;
}

/** [width, height] by the declared names where they tell, else height first as the library writes it. */
export function sizeOf(feature: Feature): readonly [number, number] | null {
  const { shape, raw_names, details } = feature;
  if (shape.length !== 3) {
    const width = details['video.width'];
    const height = details['video.height'];
    return typeof width === 'number' && typeof height === 'number' ? [width, height] : null;
  }
  if (shape[0] <= 4 && shape[2] > 4) return [shape[2], shape[1]];
  if (shape[2] <= 4 && shape[0] > 4) {
    const names = Array.isArray(raw_names) ? raw_names : [];
    return names[0] === 'width' && names[1] === 'height' ? [shape[0], shape[1]] : [shape[1], shape[0]];
  }
  const names = Array.isArray(raw_names) ? raw_names : [];
  const height = names.indexOf('height');
  const width = names.indexOf('width');
  return height >= 0 && width >= 0 ? [shape[width], shape[height]] : [shape[1], shape[0]];
}
