import type { KeptPicture, PictureEncoding } from '#core/episode';
import { advance } from '#io/processes';
import type { FrameOutcome, PlannedFrame } from '../../media-port.ts';
import type { BatchRequest } from '../../protocol.ts';
import { rawLuma, rawSource } from '../embedded/raw-picture.ts';
import type { LumaScale } from '../pictures/decode-picture.ts';
import { NotPicture, Unsupported } from '../pictures/decode-picture.ts';
import type { JpegSource } from '../pictures/to-jpeg.ts';
import { Unshown } from '../shown-frame.ts';
import { distancesOf, pictureSource, picturesOf } from './picture-files.ts';

/** Frames whose bytes lie inside a recording and were read out of it. */
export async function* keptFrames(
  encoding: PictureEncoding,
  kept: readonly KeptPicture[],
  plan: readonly PlannedFrame[],
  { wishes, distances }: BatchRequest,
): AsyncGenerator<FrameOutcome, void, undefined> {
  switch (encoding) {
    case 'h264':
    case 'h265':
    case 'av1':
    case 'vp9': {
      if (distances === true) throw new Unshown('distances are not read out of video');
      const { unitFrames } = await import('./unit-frames.ts');
      return yield* unitFrames(encoding, kept, plan, wishes);
    }
  }
  const byRow = new Map(kept.map((picture) => [picture.index, picture]));
  for (const planned of plan) {
    advance();
    const { row, time_s } = planned;
    try {
      const picture = byRow.get(row);
      if (picture === undefined) throw new NotPicture('the picture is not where it was in the recording');
      if (distances === true)
        yield { row, time_s, pictures: [], distances: await distancesOf(picture.bytes, picture.layout) };
      else yield { row, time_s, pictures: await picturesOf(await sourceOf(picture), wishes, planned.wishes) };
    } catch (thrown) {
      if (!(thrown instanceof NotPicture)) throw thrown;
      yield { ...planned, reason: thrown.message };
    }
  }
}

async function sourceOf({ bytes, layout }: KeptPicture): Promise<JpegSource> {
  if (layout !== undefined) return rawSource(bytes, layout, rawLuma(bytes, layout, highByte));
  return pictureSource(bytes, null);
}

/** Deep pictures by their high byte: the same for every frame, whatever else of the camera is looked at. */
const highByte: LumaScale = {
  luma: (values, width, height) => {
    if (values instanceof Float32Array) throw new Unsupported('it holds measures and no picture (32FC1)');
    return { width, height, data: Uint8Array.from(values, (value) => value >> 8) };
  },
};
