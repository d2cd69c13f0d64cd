import type { DistanceBatch, DistanceFrame, MissingFrame } from '#labels/annotation';
import { type EpisodeRecording, episodeDistances } from './episode-frames.ts';

/** What the depth cameras of an episode recorded, at most so many frames of a second. */
export async function* distanceBatches(
  recording: EpisodeRecording,
  rate_hz: number,
  tools: Parameters<typeof episodeDistances>[2],
): AsyncGenerator<DistanceBatch, void, undefined> {
  const encodings = new Map(
    recording.depths.map(({ stream, frames }) => [stream.id, frames.declared_codec] as const),
  );
  for await (const { camera, frames, unreadable } of episodeDistances(recording, rate_hz, tools)) {
    const own: DistanceFrame[] = [];
    const missing: MissingFrame[] = [];
    for (const frame of frames) {
      const { row, time_s } = frame;
      if ('reason' in frame) missing.push({ camera, row, time_s, reason: frame.reason });
      else if (frame.distances !== undefined) own.push({ camera, row, time_s, ...frame.distances });
    }
    yield { camera, encoding: encodings.get(camera) ?? null, frames: own, missing, unreadable };
  }
}
