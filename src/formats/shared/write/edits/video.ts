import { AssayError } from '#core';
import type { EditedFeature, ExportEdit } from './export-edit.ts';

/** Video codecs of exports. */
const videoCodecs = ['h264', 'h265', 'av1'] as const;

const codecSyntax = videoCodecs.join(', ');

/** Edit `--video h265`: re-encodes videos of another codec. */
export const video: ExportEdit = {
  id: 'video',
  takes: codecSyntax,
  about: 're-encodes videos that use another codec; the others are copied',
  read: ([text, ...more]) => {
    const codec = videoCodecs.find((one) => one === text);
    if (codec === undefined || more.length > 0)
      throw new AssayError(
        'usage',
        `--video requires one of ${codecSyntax}, got ${[text, ...more].join(' ')}`,
        {},
      );
    return {
      lineage: { edit: 'video', codec },
      encode: { codec },
      features: (features) => requireVideo(features, '--video'),
    };
  },
};

/** Returns the features if one of them is a video. @throws AssayError `usage` if none is. */
export function requireVideo(features: readonly EditedFeature[], option: string): readonly EditedFeature[] {
  if (features.some(({ declaration }) => declaration.dtype === 'video')) return features;
  throw new AssayError('usage', `${option}: the dataset has no camera with video`, {
    advice: `remove ${option}`,
  });
}
