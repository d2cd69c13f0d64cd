import { expect, it } from 'vitest';
import {
  frameIndexAt,
  groupByCamera,
  readObjectFrames,
  summariseLabels,
} from '../../web/src/player/frame-objects.ts';

const box = (label: string, score: number) => ({ label, score, box: [0, 0, 1, 1] });
const frame = (camera: string, time_s: number, boxes: readonly ReturnType<typeof box>[]) => ({
  ...{ camera, time_s, width_px: 10, height_px: 10 },
  boxes: [...boxes],
});

it('the objects at a time are those of the last annotated frame of each camera, best first', () => {
  const frames = readObjectFrames('object_labels', {
    frames: [
      frame('top', 1, [box('cup', 0.5), box('robot', 0.9)]),
      frame('top', 0, [box('cup', 0.8)]),
      frame('wrist', 2, []),
    ],
  });
  const current = groupByCamera(frames).map((own) => own[frameIndexAt(own, 1.5)]);
  expect(current).toEqual([
    {
      ...{ camera: 'top', time_s: 1 },
      objects: [
        { label: 'robot', note: '0.90' },
        { label: 'cup', note: '0.50' },
      ],
    },
    { camera: 'wrist', time_s: 2, objects: [] },
  ]);
  expect(summariseLabels(frames)).toEqual([
    { label: 'cup', frames: 2, first_s: 0 },
    { label: 'robot', frames: 1, first_s: 1 },
  ]);
});

it('the frame at a time is the last until then, and the first before all of them', () => {
  const frames = readObjectFrames('object_labels', {
    frames: [1, 2, 2, 4].map((time_s) => frame('top', time_s, [])),
  });
  const times_s = [0, 1, 1.9, 2, 3.9, 4, 100];
  expect(times_s.map((time_s) => frameIndexAt(frames, time_s))).toEqual([0, 0, 0, 2, 2, 3, 3]);
});

it('segments have their share of the frame, and tracks their ids in the frames that contain them', () => {
  const segment = { label: 'cup', pixels: 25, rle: {} };
  const [segmented] = readObjectFrames('segmentation', {
    frames: [{ camera: 'top', time_s: 0, width_px: 10, height_px: 10, labels: [segment] }],
  });
  expect(segmented.objects).toEqual([{ label: 'cup', note: '25 %' }]);
  const tracked = readObjectFrames('tracks', {
    cameras: [
      {
        ...{ camera: 'top', frames: { time_s: [0, 0.5] } },
        tracks: [
          { id: 3, label: 'cup', frame: [1], box: [[0, 0, 1, 1]] },
          { id: 4, frame: [0], point: [[1, 1]] },
        ],
      },
    ],
  });
  expect(tracked.map(({ objects }) => objects)).toEqual([[], [{ label: 'cup', note: '#3' }]]);
});

it('an annotation of another form has no objects', () => {
  expect(readObjectFrames('tracks', { cameras: [null, 3, { tracks: 'none' }] })).toEqual([]);
  expect(readObjectFrames('object_labels', {})).toEqual([]);
});
