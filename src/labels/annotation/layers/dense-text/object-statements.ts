import type { KnownObjects } from '../../grammar/known-objects.ts';
import type { Statement } from './statement.ts';

interface Sighting {
  frames: number;
  first_s: number;
  last_s: number;
  /** Sums of where its middle was, as shares of the picture's width and height. */
  x: number;
  y: number;
}

/** What can be said of each class that was seen by a camera: how often, when, and where in the picture. */
export function objectStatements(objects: KnownObjects | null): Statement[] {
  const seen = new Map<string, Map<string, Sighting>>();
  const frames = new Map<string, number>();
  for (const { camera, time_s, width_px, height_px, boxes } of objects?.frames ?? []) {
    frames.set(camera, (frames.get(camera) ?? 0) + 1);
    const labels = seen.get(camera) ?? new Map<string, Sighting>();
    seen.set(camera, labels);
    for (const label of new Set(boxes.map((box) => box.label))) {
      const own = labels.get(label) ?? { frames: 0, first_s: time_s, last_s: time_s, x: 0, y: 0 };
      const [left, top, width, height] = boxes.find((box) => box.label === label)!.box;
      own.frames++;
      own.last_s = time_s;
      own.x += (left + width / 2) / width_px;
      own.y += (top + height / 2) / height_px;
      labels.set(label, own);
    }
  }
  return [...seen].flatMap(([camera, labels]) =>
    [...labels].map(
      ([label, { frames: own, first_s, last_s, x, y }]): Statement => ({
        evidence: 'object_labels',
        weight: 2 + own / (frames.get(camera) ?? 1),
        from_s: first_s,
        place: label,
        text: `Camera ${camera} sees ${label} in ${own} of ${frames.get(camera)} frames from ${first_s.toFixed(1)} to ${last_s.toFixed(1)} s, mostly ${whereOf(x / own, y / own)}.`,
      }),
    ),
  );
}

const third = (share: number, names: readonly [string, string, string]): string =>
  names[Math.min(2, Math.max(0, Math.floor(share * 3)))];

function whereOf(x: number, y: number): string {
  const column = third(x, ['left', 'middle', 'right']);
  const row = third(y, ['upper', 'middle', 'lower']);
  return row === 'middle' && column === 'middle' ? 'in the middle' : `${row} ${column}`;
}
