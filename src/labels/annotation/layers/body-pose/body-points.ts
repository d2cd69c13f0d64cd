/** Points of a body, in COCO's order. */
export const bodyPoints = [
  'nose',
  ...['eye', 'ear', 'shoulder', 'elbow', 'wrist', 'hip', 'knee', 'ankle'].flatMap((part) => [
    `left_${part}`,
    `right_${part}`,
  ]),
] as readonly string[];

/** Upper and lower arms and legs, and across shoulders and hips. */
export const limbs: readonly (readonly [number, number])[] = [
  ...([
    [5, 7],
    [7, 9],
    [6, 8],
    [8, 10],
  ] as const),
  ...([
    [11, 13],
    [13, 15],
    [12, 14],
    [14, 16],
  ] as const),
  ...([
    [5, 6],
    [11, 12],
  ] as const),
];
