import type { KeptPicture } from '#core/episode';
import type { FrameOutcome, FrameWish, PlannedFrame } from '../../media-port.ts';
import { UnitDecoder, type VideoEncoding } from '../video/unit-decoder.ts';
import { RgbScalers } from './rgb-scalers.ts';

/** Frames among access units, each decoded with those before it. */
export function* unitFrames(
  encoding: VideoEncoding,
  kept: readonly KeptPicture[],
  plan: readonly PlannedFrame[],
  wishes: readonly FrameWish[],
): Generator<FrameOutcome, void, undefined> {
  const planned = new Map(plan.map((one) => [one.row, one]));
  const found = new Map<number, FrameOutcome>();
  using scalers = new RgbScalers(wishes, 0);
  const decoder = new UnitDecoder(encoding, ({ index }, frame) => {
    const wanted = planned.get(index);
    if (wanted === undefined) return;
    const { row, time_s, wishes: own } = wanted;
    found.set(index, { row, time_s, pictures: scalers.pictures(frame, own) });
  });
  decoder.decode(kept);
  const reason = decoder.failure ?? 'the decoder gives nothing for it';
  for (const one of plan) yield found.get(one.row) ?? { ...one, reason };
}
