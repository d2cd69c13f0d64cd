import { type JsonObject, significant } from '#kernel';
import { type Lane, type LaneFrame, mainPart } from '../../lane.ts';
import { micro } from '../../micro.ts';
import { CameraNotes } from '../../pictures/camera-notes.ts';
import { BoneSteadiness } from '../../pose/bone-steadiness.ts';
import { boxAround, storedPoint, tenths } from '../../pose/pose.ts';
import { bodyPoints, limbs } from './body-points.ts';
import { type Body, openBodyModel } from './open-body-model.ts';

/** 17 points of each person on sampled frames, in px of the recording. */
export const lane: Lane = {
  version: 1,
  requires: ['body_pose', 'detection'],
  run: async (_, context) => {
    const { model, detector, people } = await openBodyModel(context);
    const floor = Number(context.config.confidence_floor);
    const notes = new CameraNotes();
    const steadiness = new BoneSteadiness(limbs);
    const frames: JsonObject[] = [];
    let count = 0;
    for await (const batch of context.frames()) {
      if (notes.add(batch)) steadiness.forget();
      for (const frame of batch.frames) {
        context.signal.throwIfAborted();
        const found = (await people(frame, floor)).map((body) => stored(body, frame));
        steadiness.add(found);
        count += found.length;
        frames.push(frameJson(frame, found));
      }
    }
    notes.demandFrames();
    const quality = steadiness.value;
    const json = {
      ...{ cameras: notes.json(), confidence_floor: floor, detector, frames, keypoints: bodyPoints, model },
      schema: 'assay/body-pose/v1',
    };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }],
      counts: { frames: frames.length, people: count },
      quality: quality === null ? null : significant(quality, 4),
      quality_reason: quality === null ? 'nobody is seen in two frames one after the other' : null,
    };
  },
};

const stored = (body: Body, frame: LaneFrame): Body => ({
  ...body,
  points: body.points.map((point) => storedPoint(point, frame)),
});

/** Each point with its confidence; one that is hidden has little. */
const frameJson = (
  { camera, row, time_s, stored_px: [width_px, height_px] }: LaneFrame,
  found: readonly Body[],
): JsonObject => ({
  ...{ camera, row, time_s: micro(time_s), width_px, height_px },
  people: found.map(({ score, scores, points }) => ({
    box: tenths(boxAround(points)),
    keypoints: points.map((point, at) => [...tenths(point), significant(scores[at], 3)]),
    score: significant(score, 4),
  })),
});
