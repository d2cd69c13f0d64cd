import type { CameraEvidence, Episode } from '#core/episode';
import type { MediaService } from '#io/media';

/** Measures every camera of an episode as an assessment does. */
export async function examineAll(
  episode: Episode,
  root: string,
  media: MediaService,
): Promise<ReadonlyMap<string, CameraEvidence>> {
  const out = new Map<string, CameraEvidence>();
  for (const stream of episode.streams) {
    const { frames } = stream;
    if (frames === undefined) continue;
    const expected_frames =
      frames.locator.type === 'video' ? frames.locator.expected_frames : stream.sample_count;
    const { declared_rate_hz } = stream;
    out.set(
      stream.id,
      await media.examine({ root, frames, declared_rate_hz, expected_frames, thumbnails: 0 }),
    );
  }
  return out;
}
