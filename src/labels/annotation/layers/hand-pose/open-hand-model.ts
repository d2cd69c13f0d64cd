import { AssayError } from '#core';
import { overlap } from '../../detection/boxes.ts';
import type { LaneContext, LaneFrame } from '../../lane.ts';
import { boxAround } from '../../pose/pose.ts';
import { findHands } from './find-hands.ts';
import { type Hand, traceHand } from './trace-hand.ts';

export interface HandModel {
  /** Its id in the registry. */
  readonly model: string;
  /** Hands in px of the frame, the surest first. */
  readonly hands: (
    frame: LaneFrame,
    limits: { readonly floor: number; readonly most: number },
  ) => Promise<readonly Hand[]>;
}

/** Hands whose points overlap more are one. */
const sameHand = 0.5;
/** Places that are looked at for each hand that is wanted. */
const looks = 2;

/** Throws `layer_unavailable` where no model for hands can be run here. */
export async function openHandModel(context: LaneContext): Promise<HandModel> {
  const detector = await context.model('hand_pose', 'detector');
  const landmarks = await context.model('hand_pose', 'landmarks');
  const contract = detector?.contract;
  if (!detector || !landmarks || contract?.form !== 'hand-crops')
    throw new AssayError('layer_unavailable', 'no model for hands that this version reads can be run here', {
      advice: 'assay models list says which can',
    });
  return {
    model: detector.model,
    hands: async (frame, { floor, most }) => {
      const all: Hand[] = [];
      for (const box of await findHands(detector, contract, frame, looks * most))
        all.push(await traceHand(landmarks, contract, frame, box));
      const kept: Hand[] = [];
      for (const hand of all.sort((a, b) => b.score - a.score)) {
        if (kept.length >= most || !(hand.score >= floor)) break;
        const box = boxAround(hand.points);
        if (kept.every((other) => overlap(boxAround(other.points), box) <= sameHand)) kept.push(hand);
      }
      return kept;
    },
  };
}
