import type { Stream } from 'node-av';
import { AssayError, messageOf } from '#core';

/** What the headers of a video file say of how it is coded. */
export interface VideoFacts {
  /** Null: another one. */
  readonly codec: 'h264' | 'h265' | 'av1' | null;
  readonly size_px: readonly [width: number, height: number];
  readonly is_yuv420p: boolean;
}

type Av = typeof import('node-av');

export function videoFacts(av: Av, { codecpar: { codecId, width, height, format } }: Stream): VideoFacts {
  return {
    codec: codecOf(av, codecId),
    size_px: [width, height],
    is_yuv420p: format === av.AV_PIX_FMT_YUV420P,
  };
}

/** Reads the headers alone. Throws `unreadable_input` where the file is no video. */
export async function openVideoFacts(path: string): Promise<VideoFacts> {
  const av = await import('node-av');
  av.Log.setLevel(av.AV_LOG_ERROR);
  const demuxer = await av.Demuxer.open(path).catch((thrown: unknown) => {
    throw unreadableVideo(path, messageOf(thrown));
  });
  try {
    const stream = demuxer.video();
    if (stream === undefined) throw unreadableVideo(path, 'it has no video stream');
    return videoFacts(av, stream);
  } finally {
    await demuxer.close();
  }
}

export function unreadableVideo(path: string, why: string): AssayError {
  return new AssayError('unreadable_input', `${path} cannot be copied: ${why}`, {
    path,
    advice: 'leave its episodes out, or restore the file from its source',
  });
}

function codecOf(av: Av, codecId: number): VideoFacts['codec'] {
  if (codecId === av.AV_CODEC_ID_H264) return 'h264';
  if (codecId === av.AV_CODEC_ID_HEVC) return 'h265';
  return codecId === av.AV_CODEC_ID_AV1 ? 'av1' : null;
}
