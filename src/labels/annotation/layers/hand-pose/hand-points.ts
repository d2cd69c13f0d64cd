/** Points of a hand, from the wrist to the tips. */
export const handPoints: readonly string[] = [
  'wrist',
  ...['thumb_cmc', 'thumb_mcp', 'thumb_ip', 'thumb_tip'],
  ...['index', 'middle', 'ring', 'pinky'].flatMap((finger) =>
    ['mcp', 'pip', 'dip', 'tip'].map((joint) => `${finger}_${joint}`),
  ),
];

/** Each finger's bones, from the wrist on. */
export const handBones: readonly (readonly [number, number])[] = [1, 5, 9, 13, 17].flatMap((first) => [
  [0, first] as const,
  ...[0, 1, 2].map((at) => [first + at, first + at + 1] as const),
]);
