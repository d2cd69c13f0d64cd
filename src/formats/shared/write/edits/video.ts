import { AssayError } from '#core';
import type { EditedFeature, ExportEdit } from './export-edit.ts';

/** What video may be encoded as. */
const videoCodecs = ['h264', 'h265', 'av1'] as const;

const takes = videoCodecs.join(', ');

/** `--video h265`: files of another codec are encoded again. */
export const video: ExportEdit = {
  id: 'video',
  takes,
  about: 'encodes the videos that are of another codec; the others are copied',
  read: ([text, ...more]) => {
    const codec = videoCodecs.find((one) => one === text);
    if (codec === undefined || more.length > 0)
      throw new AssayError('usage', `--video takes one of ${takes}, not ${[text, ...more].join(' ')}`, {});
    return {
      lineage: { edit: 'video', codec },
      encode: { codec },
      features: (features) => demandVideo(features, '--video'),
    };
  },
};

/** Throws `usage` where no feature is a video. */
export function demandVideo(features: readonly EditedFeature[], option: string): readonly EditedFeature[] {
  if (features.some(({ declaration }) => declaration.dtype === 'video')) return features;
  throw new AssayError('usage', `${option}: the set has no camera with video`, {
    advice: `leave ${option} out`,
  });
}
