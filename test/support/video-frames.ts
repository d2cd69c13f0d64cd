import { basename, dirname } from 'node:path';
import { createMediaService } from '#io/media';
import type { FrameBatch, FrameNeeds, LaneContext } from '#labels/annotation';

/** Frames of a video file as lanes are given them. */
export async function* videoFrames(
  file: string,
  { rate_hz, longest_side_px }: Pick<FrameNeeds, 'rate_hz' | 'longest_side_px'>,
  [from_s, to_s]: readonly [number, number | null] = [0, null],
): AsyncGenerator<FrameBatch> {
  const camera = basename(file);
  const locator = { type: 'video', path: camera, from_s, to_s, expected_frames: null } as const;
  const media = createMediaService({ children: 1 });
  try {
    const request = {
      root: dirname(file),
      frames: { locator, declared_size_px: null, declared_codec: null },
      ...{ declared_rate_hz: null, stamps_s: null, needs: [{ rate_hz, longest_side_px }] },
    };
    for await (const batch of media.decode(request)) {
      const frames = batch.flatMap((one) =>
        'reason' in one || one.pictures[0] === null
          ? []
          : [{ camera, row: one.row, time_s: one.time_s, ...one.pictures[0] }],
      );
      const missing = batch.flatMap((one) => ('reason' in one ? [{ camera, ...one }] : []));
      yield { camera, frames, missing, unreadable: null };
    }
  } finally {
    await media.close();
  }
}

/** A lane's context of frames alone. */
export const framesContext = (frames: () => AsyncIterable<FrameBatch>): LaneContext => ({
  config: {},
  signal: new AbortController().signal,
  frames,
  distances: () => {
    throw new Error('no distances here');
  },
  model: async () => null,
  vision: () => null,
  useAlgorithm: () => {},
  output: async () => null,
  progress: () => {},
});
