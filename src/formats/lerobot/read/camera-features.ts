import type { JsonValue } from '#core';
import type { FindingCollector } from '../metadata/finding-collector.ts';
import { type Feature, infoPath } from '../metadata/info.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import { createLeRobotViolation } from '../rules/contract.ts';

/**
 * Adds a finding for each camera whose declared shape or axis names mislead policies (dataset_to_policy_features of the
 * library).
 */
export function reportCameras({ features, layout }: LeRobotSet, notes: FindingCollector): void {
  for (const feature of features.values()) {
    if (feature.dtype !== 'video' && feature.dtype !== 'image') continue;
    const { key, shape } = feature;
    const subject = `camera ${key} has the shape [${shape.join(', ')}]`;
    const names = JSON.stringify(feature.raw_names);
    if (shape.length !== 3) {
      notes.addFinding(
        createLeRobotViolation(
          layout,
          'camera_shape_wrong',
          infoPath,
          `${subject}; training requires three numbers`,
        ),
      );
    } else if (axisOrder(feature.raw_names) === null) {
      notes.addFinding(
        createLeRobotViolation(
          layout,
          'camera_names_wrong',
          infoPath,
          `camera ${key} has the names ${names}: training treats the shape as channels first, or fails`,
        ),
      );
    } else if (hasSwappedAxes(feature)) {
      notes.addFinding(
        createLeRobotViolation(
          layout,
          'picture_shape_turned',
          infoPath,
          `${subject} with the names ${names}: policies are built for images with ${describePolicyShape(feature)}`,
        ),
      );
    }
  }
}

/** Returns the axis order that the library derives from the names; null if unknown. */
function axisOrder(names: JsonValue): 'channels last' | 'channels first' | null {
  if (!Array.isArray(names) || names.length < 3) return null;
  const words = names.map(String);
  if (/^channels?$/.test(words[2]) && words[0] === 'height' && words[1] === 'width') return 'channels last';
  return /^channels?$/.test(words[0]) && words[1] === 'height' && words[2] === 'width'
    ? 'channels first'
    : null;
}

/** Returns true if the shape's order contradicts the names. */
function hasSwappedAxes({ shape, raw_names }: Feature): boolean {
  const [first, , last] = shape;
  return axisOrder(raw_names) === 'channels last' ? first <= 4 && last > 4 : last <= 4 && first > 4;
}

/** Describes the picture shape that policies would be built for. */
function describePolicyShape({ shape, raw_names }: Feature): string {
  const [a, b, c] = shape;
  return axisOrder(raw_names) === 'channels last'
    ? `${c} channels, ${b}x${a} px`
    : `${a} channels, ${c}x${b} px`;
}

/**
 * Returns [width, height] in pixels from a feature's shape and axis names, height first by default; without a shape of
 * three numbers, from its video info, else null.
 */
export function declaredSize_px(feature: Feature): readonly [number, number] | null {
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
