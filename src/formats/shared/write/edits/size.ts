import { AssayError } from '#core';
import type { ExportEdit } from './export-edit.ts';
import { requireVideo } from './video.ts';

const syntax = 'WIDTHxHEIGHT in pixels, even numbers from 16 to 8192';

/** Edit `--size 320x240`: scales pictures of another size and re-encodes them. */
export const size: ExportEdit = {
  id: 'size',
  takes: syntax,
  about: 'resizes the frames of all videos; the aspect ratio may change',
  read: (texts) => {
    const match = /^(\d{2,4})x(\d{2,4})$/.exec(texts.join(' '));
    const [width_px, height_px] = [Number(match?.[1]), Number(match?.[2])];
    const fits = (side: number) => side >= 16 && side <= 8192 && side % 2 === 0;
    if (!fits(width_px) || !fits(height_px))
      throw new AssayError('usage', `--size requires ${syntax}, got ${texts.join(' ')}`, {});
    return {
      lineage: { edit: 'size', width_px, height_px },
      encode: { size: [width_px, height_px] },
      features: (features) => requireVideo(features, '--size'),
    };
  },
};
