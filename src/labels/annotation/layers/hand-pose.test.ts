import { describe, expect, it } from 'vitest';
import { findOption, type ModelSession, type PictureContract, type Tensors } from '#labels/models';
import { plainFrame } from '#test/support/lane-frames';
import { handBones, handKeypoints } from '../vision/poses.ts';
import { estimateHandPose, findHands } from './hand-pose.ts';

const contract = findOption('google/mediapipe-hand-lite')!.contract as PictureContract;
const floats = (dims: readonly number[], data: readonly number[]) =>
  ({ type: 'float32', dims, data: Float32Array.from(data) }) as const;

/** A graph that returns the given outputs. */
function says(side: number | null, answer: (asked: number) => Tensors): ModelSession {
  let asked = 0;
  const inputs = [{ name: 'pixels', type: 'float32', dims: [1, side, side, 3] }];
  const run = async () => answer(asked++);
  const by = { device: 'cpu', passed_over: null, runtime: 'onnx', files: [] } as const;
  return { model: 'test/hands', contract, inputs, outputs: [], ...by, run };
}

const frame = plainFrame(0, [0, 0, 0], { size: [640, 320], stored_px: [1280, 640] });

describe('hands', () => {
  it('are looked for where a hand is seen, not a face, once each, in px of the frame', async () => {
    const rows = [
      // The middle of the letterbox's picture: half of the width, all of the height.
      { scores: [0.9, 0, 0, 0, 0, 0, 0], box: [0.25, 0.25, 0.75, 0.75] },
      { scores: [0, 0.5, 0, 0, 0, 0, 0], box: [0.26, 0.26, 0.75, 0.75] },
      { scores: [0, 0, 0, 0.2, 0, 0, 0], box: [0.25, 0, 0.5, 0.1] },
      { scores: [0, 0, 0, 0, 0.9, 0.8, 0.8], box: [0.5, 0.8, 0.7, 0.9] },
      { scores: [0.05, 0, 0, 0, 0, 0, 0], box: [0.6, 0, 0.7, 0.1] },
    ];
    const detector = says(null, () => ({
      'StatefulPartitionedCall/Postprocessor/Slice': floats(
        [1, 5, 7],
        rows.flatMap(({ scores }) => scores),
      ),
      'StatefulPartitionedCall/Postprocessor/ExpandDims_1': floats(
        [1, 5, 1, 4],
        rows.flatMap(({ box }) => box),
      ),
    }));
    const boxes = await findHands(detector, contract, frame, 4);
    const rounded = boxes.map((box) => box.map((px) => Math.round(px)));
    expect(rounded).toEqual([
      [160, 0, 320, 320],
      [0, 0, 64, 160],
    ]);
    expect(await findHands(detector, contract, frame, 1)).toHaveLength(1);
  });

  /** Points in a row to the right, from the wrist: the hand points to the right. */
  const lying = floats([1, 63], Array.from({ length: 21 }, (_, at) => [60 + 5 * at, 112, 0]).flat());
  const hand = (score: number) => ({
    Identity: lying,
    Identity_1: floats([1, 1], [score]),
    Identity_2: floats([1, 1], [0.9]),
  });

  it('are looked at again, turned so that the fingers point up, and led back to the frame', async () => {
    const { points, score, right } = await estimateHandPose(
      says(224, (asked) => hand(asked === 0 ? 0.6 : 0.9)),
      contract,
      frame,
      [100, 100, 80, 80],
    );
    expect(score).toBeCloseTo(0.9, 6);
    expect(right).toBeCloseTo(0.9, 6);
    // A square that is turned by a quarter: what lies to the right of it points down.
    const [from, to] = [points[0], points[20]];
    expect(Math.abs(from[0] - to[0])).toBeLessThan(1e-3);
    expect(to[1]).toBeGreaterThan(from[1]);
  });

  it('stay as they were seen first where the second look finds none', async () => {
    const first = await estimateHandPose(
      says(224, (asked) => hand(asked === 0 ? 0.6 : 0.1)),
      contract,
      frame,
      [100, 100, 80, 80],
    );
    expect(first.score).toBeCloseTo(0.6, 6);
    expect(first.points[0][1]).toBeCloseTo(first.points[20][1], 3);
  });

  it('have 21 points and bones that join all of them', () => {
    expect(handKeypoints).toHaveLength(21);
    expect(new Set(handBones.flat()).size).toBe(21);
    expect(handKeypoints[9]).toBe('middle_mcp');
  });
});
