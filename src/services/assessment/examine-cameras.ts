import type { CameraEvidence, Episode } from '#episode';
import type { MediaService } from '#media';

/** Has every camera of an episode measured; null when it has none, so that the caller need not wait. */
export function examineCameras(
  episode: Episode,
  root: string,
  media: () => MediaService,
  thumbnails: number,
): Promise<Map<string, CameraEvidence>> | null {
  const pending: Promise<readonly [string, CameraEvidence]>[] = [];
  for (const stream of episode.streams) {
    const { frames } = stream;
    if (frames === undefined) continue;
    const request = {
      root,
      frames,
      declared_rate_hz: stream.declared_rate_hz,
      expected_frames: frames.locator.type === 'video' ? frames.locator.expected_frames : stream.sample_count,
      thumbnails,
    };
    pending.push(
      media()
        .examine(request)
        .then((evidence) => [stream.id, evidence] as const),
    );
  }
  return pending.length === 0 ? null : Promise.all(pending).then((all) => new Map(all));
}
