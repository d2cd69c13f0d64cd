import type { Random } from '#core';

type Box = readonly [left: number, top: number, width: number, height: number];

interface Found {
  readonly label: string;
  readonly score: number;
  readonly box: Box;
}

/** Objects with their positions in each frame, and the detections. */
interface Sequence {
  /** Number of the object, and its box. */
  readonly truth: readonly (readonly (readonly [number, ...number[]])[])[];
  readonly detections: readonly (readonly Found[])[];
}

const [width, height, count, objects] = [640, 480, 240, 14];

/**
 * Boxes that cross a picture at speeds of their own and hide one another: a hidden one is seen weakly or not at all. Some
 * are missed, some boxes are false, and each is some px off.
 */
export function crossingObjects(random: Random): Sequence {
  const walkers = Array.from({ length: objects }, () => ({
    size: [random.between(40, 80), random.between(80, 150)] as const,
    from: [random.between(0, width - 80), random.between(0, height - 150)] as const,
    speed: [random.between(-3, 3), random.between(-1.5, 1.5)] as const,
  }));
  const truth: (readonly [number, ...number[]])[][] = [];
  const detections: Found[][] = [];
  for (let frame = 0; frame < count; frame++) {
    const boxes = walkers.map(
      ({ size, from, speed }): Box => [
        bounced(from[0] + speed[0] * frame, width - size[0]),
        bounced(from[1] + speed[1] * frame, height - size[1]),
        ...size,
      ],
    );
    truth.push(boxes.map((box, id) => [id, ...box] as const));
    const seen = boxes.flatMap((box, id) => seenAs(box, hiddenShare(box, boxes.slice(id + 1)), random));
    const isFalse = random.between(0, 1) < 0.08;
    const wrong: Box = [random.between(0, 500), random.between(0, 300), 50, 110];
    detections.push([
      ...seen,
      ...(isFalse ? [{ label: 'person', score: random.between(0.1, 0.6), box: wrong }] : []),
    ]);
  }
  return { truth, detections };
}

/** Back and forth between 0 and `room`. */
function bounced(at: number, room: number): number {
  const place = ((at % (2 * room)) + 2 * room) % (2 * room);
  return place > room ? 2 * room - place : place;
}

/** Share of a box that the worst of those before it hides. */
function hiddenShare([left, top, w, h]: Box, before: readonly Box[]): number {
  const shares = before.map(([x, y, ow, oh]) => {
    const across = Math.min(left + w, x + ow) - Math.max(left, x);
    const down = Math.min(top + h, y + oh) - Math.max(top, y);
    return across > 0 && down > 0 ? (across * down) / (w * h) : 0;
  });
  return Math.max(0, ...shares);
}

function seenAs([left, top, w, h]: Box, hidden: number, random: Random): readonly Found[] {
  const score = 0.9 - 0.9 * hidden + random.between(-0.1, 0.1);
  const isMissed = hidden > 0.8 || random.between(0, 1) < 0.05 || score <= 0.05;
  const off = (most: number) => random.between(-most, most);
  const box: Box = [left + off(3), top + off(3), w * (1 + off(0.04)), h * (1 + off(0.04))];
  return isMissed ? [] : [{ label: 'person', score: Math.min(1, score), box }];
}
