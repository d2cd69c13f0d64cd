import { type JsonObject, significant } from '#kernel';
import { type Lane, type LaneFrame, mainPart } from '../../lane.ts';
import { micro } from '../../micro.ts';
import { CameraNotes } from '../../pictures/camera-notes.ts';
import { BoneSteadiness } from '../../pose/bone-steadiness.ts';
import { boxAround, storedPoint, tenths } from '../../pose/pose.ts';
import { handBones, handPoints } from './hand-points.ts';
import { openHandModel } from './open-hand-model.ts';
import type { Hand } from './trace-hand.ts';

/** 21 points of each hand on sampled frames, in px of the recording. */
export const lane: Lane = {
  version: 1,
  requires: ['hand_pose'],
  run: async (_, context) => {
    const { model, hands } = await openHandModel(context);
    const limits = {
      floor: Number(context.config.confidence_floor),
      most: Number(context.config.max_hands),
    };
    const notes = new CameraNotes();
    const steadiness = new BoneSteadiness(handBones);
    const frames: JsonObject[] = [];
    let count = 0;
    for await (const batch of context.frames()) {
      if (notes.add(batch)) steadiness.forget();
      for (const frame of batch.frames) {
        context.signal.throwIfAborted();
        const found = (await hands(frame, limits)).map((hand) => stored(hand, frame));
        steadiness.add(found);
        count += found.length;
        frames.push(frameJson(frame, found));
      }
    }
    notes.demandFrames();
    const quality = steadiness.value;
    const json = {
      ...{ cameras: notes.json(), confidence_floor: limits.floor, frames, keypoints: handPoints, model },
      schema: 'assay/hand-pose/v1',
    };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }],
      counts: { frames: frames.length, hands: count },
      quality: quality === null ? null : significant(quality, 4),
      quality_reason: quality === null ? 'no hand is seen in two frames one after the other' : null,
    };
  },
};

const stored = (hand: Hand, frame: LaneFrame): Hand => ({
  ...hand,
  points: hand.points.map((point) => storedPoint(point, frame)),
});

const frameJson = (
  { camera, row, time_s, stored_px: [width_px, height_px] }: LaneFrame,
  found: readonly Hand[],
): JsonObject => ({
  ...{ camera, row, time_s: micro(time_s), width_px, height_px },
  hands: found.map(({ score, right, points }) => ({
    box: tenths(boxAround(points)),
    handedness: right > 0.5 ? 'right' : 'left',
    handedness_score: significant(Math.max(right, 1 - right), 4),
    keypoints: points.map((point) => tenths(point)),
    score: significant(score, 4),
  })),
});
