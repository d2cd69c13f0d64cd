import { AssayError } from '#core';
import type { FrameOutcome, MediaService } from '#io/media';
import { PictureSamples } from '../../write/statistics/picture-samples.ts';
import type { StatisticsEntry } from '../draft/statistics-entry.ts';
import type { EpisodePictures } from './frames-of.ts';

/** What the pictures of a camera give in one episode, or why they give nothing. Throws `unfinished` and `cancelled`. */
export async function measurePictures(
  media: MediaService,
  { length, parts }: EpisodePictures,
  signal?: AbortSignal,
): Promise<StatisticsEntry | string> {
  const samples = new PictureSamples(length);
  try {
    for await (const { rows, request } of parts()) {
      let at = 0;
      for await (const frames of media.decode(request, signal))
        for (const frame of frames) {
          const reason = offer(samples, rows[at++], frame);
          if (reason !== null) return reason;
        }
    }
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'media_failed') return thrown.message;
    throw thrown;
  }
  return { ...samples.result() };
}

function offer(samples: PictureSamples, row: number, frame: FrameOutcome): string | null {
  if (!('pictures' in frame)) return `the picture of row ${row} is not decoded: ${frame.reason}`;
  const [picture] = frame.pictures;
  if (picture === null) return `the picture of row ${row} is not decoded`;
  samples.offer(row, picture);
  return null;
}
