/** A picture of three bytes a pixel, rows from the top. */
export interface Picture {
  readonly width_px: number;
  readonly height_px: number;
  readonly rgb: Uint8Array;
}

/**
 * Where a square of `side_px`, as a model sees it, lies in a picture. Both count from the corner of their first pixel.
 */
export interface Placement {
  readonly side_px: number;
  /** Picture px that the corner of the square lies at. */
  readonly origin: readonly [x: number, y: number];
  /** Picture px that one px of the square to the right takes, and one down. */
  readonly right: readonly [x: number, y: number];
  readonly down: readonly [x: number, y: number];
}

type Size = Pick<Picture, 'width_px' | 'height_px'>;

/** All of the picture, its proportions given up. */
export const stretched = ({ width_px, height_px }: Size, side_px: number): Placement => ({
  side_px,
  origin: [0, 0],
  right: [width_px / side_px, 0],
  down: [0, height_px / side_px],
});

/** All of the picture in its proportions, in the middle of the square. */
export const letterboxed = ({ width_px, height_px }: Size, side_px: number): Placement =>
  turnedSquare([width_px / 2, height_px / 2], Math.max(width_px, height_px), 0, side_px);

/** A square around a centre, of so many picture px, turned clockwise. */
export function turnedSquare(
  [x, y]: readonly [number, number],
  extent_px: number,
  angle_rad: number,
  side_px: number,
): Placement {
  const step = extent_px / side_px;
  const right = [Math.cos(angle_rad) * step, Math.sin(angle_rad) * step] as const;
  const down = [-right[1], right[0]] as const;
  const half = side_px / 2;
  return {
    side_px,
    origin: [x - half * (right[0] + down[0]), y - half * (right[1] + down[1])],
    right,
    down,
  };
}

/** Where a point of the square lies in the picture. */
export const inPicture = (
  { origin, right, down }: Placement,
  [u, v]: readonly [number, number],
): readonly [number, number] => [
  origin[0] + u * right[0] + v * down[0],
  origin[1] + u * right[1] + v * down[1],
];
