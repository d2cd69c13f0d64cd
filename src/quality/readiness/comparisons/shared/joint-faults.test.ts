import { describe, expect, it } from 'vitest';
import { findJointFaults } from './joint-faults.ts';

/** Positions in degrees of a shoulder, an elbow and a wrist, at the start and after each quarter, in episodes of three tasks. */
const paths: readonly (readonly [task: string, ...joints: readonly (readonly number[])[]])[] = [
  [
    'pick',
    [94.2, 86.7, 59.3, 63.9, 72.7],
    [-97, -101.6, -107.8, -105.7, -97.4],
    [-87.7, -75.3, -42.4, -48.3, -65.8],
  ],
  [
    'place',
    [94.1, 94.6, 66, 48.4, 50.2],
    [-97.3, -97, -94.4, -100.5, -103.1],
    [-87.8, -87.5, -61.9, -38.9, -37.2],
  ],
  [
    'wipe',
    [94, 88.2, 59, 49.1, 60.2],
    [-97.4, -106, -114.7, -101.6, -124.5],
    [-87.5, -72.1, -34.9, -38.1, -25.2],
  ],
  [
    'pick',
    [94.2, 85.8, 56.8, 57.5, 72.2],
    [-97.4, -99.1, -100.9, -100.8, -96.4],
    [-87.5, -76.8, -46.3, -47.2, -66.1],
  ],
  [
    'place',
    [94.5, 94, 66.3, 52.2, 43.2],
    [-97.5, -97.6, -101.3, -107.7, -88.2],
    [-87.5, -86.7, -55.2, -34.9, -45.3],
  ],
  [
    'wipe',
    [94.5, 85.4, 57.3, 45.1, 59.2],
    [-97.3, -109.2, -117.1, -92.7, -122.9],
    [-87.5, -66.8, -30.6, -42.5, -26.7],
  ],
  ['pick', [94.6, 81.7, 53.9, 63.8, 68.6], [-97, -98.3, -102.4, -97.8, -92], [-87.6, -73.6, -42, -56, -67.7]],
  [
    'place',
    [94.4, 94.2, 72, 51.2, 52.5],
    [-97.3, -97, -100.1, -105.6, -107.7],
    [-87.7, -87.7, -62, -36.1, -34.9],
  ],
  [
    'wipe',
    [94.4, 88.8, 59.9, 44.3, 51.6],
    [-97.3, -112.6, -124.5, -91, -106.4],
    [-87.5, -66.4, -26.1, -43.7, -35.5],
  ],
];
const sampleOf = (text: string, ...joints: readonly (readonly number[])[]) => ({
  ...{ text, answers: [], exchanged: [], places: joints.flat() },
});

describe('joint faults', () => {
  it('are found where a joint moves up in one task and down in another', () => {
    const rows = paths.map(([task, shoulder, elbow, wrist], episode) =>
      episode === 8 ? sampleOf(task, elbow, shoulder, wrist) : sampleOf(task, shoulder, elbow, wrist),
    );
    expect([...findJointFaults(rows)]).toMatchObject([[8, { fault: 'exchanged', dimensions: [0, 1] }]]);
  });

  it('are not found in episodes of different tasks that start at the same pose', () => {
    expect(findJointFaults(paths.map((path) => sampleOf(...path))).size).toBe(0);
  });
});
