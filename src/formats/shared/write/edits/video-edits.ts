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
function requireVideo(features: readonly EditedFeature[], option: string): readonly EditedFeature[] {
  if (features.some(({ declaration }) => declaration.dtype === 'video')) return features;
  throw new AssayError('usage', `${option}: the dataset has no camera with video`, {
    advice: `remove ${option}`,
  });
}

const sizeSyntax = 'WIDTHxHEIGHT in pixels, even numbers from 16 to 8192';

/** Edit `--size 320x240`: scales pictures of another size and re-encodes them. */
export const size: ExportEdit = {
  id: 'size',
  takes: sizeSyntax,
  about: 'resizes the frames of all videos; the aspect ratio may change',
  read: (texts) => {
    const match = /^(\d{2,4})x(\d{2,4})$/.exec(texts.join(' '));
    const [width_px, height_px] = [Number(match?.[1]), Number(match?.[2])];
    const fits = (side: number) => side >= 16 && side <= 8192 && side % 2 === 0;
    if (!fits(width_px) || !fits(height_px))
      throw new AssayError('usage', `--size requires ${sizeSyntax}, got ${texts.join(' ')}`, {});
    return {
      lineage: { edit: 'size', width_px, height_px },
      encode: { size: [width_px, height_px] },
      features: (features) => requireVideo(features, '--size'),
    };
  },
};
