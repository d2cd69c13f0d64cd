import { join } from 'node:path';
import type { CameraEvidence, Episode } from '#core/episode';
import type { MediaService } from '#io/media';
import { openVideoWriter } from '#io/video';
import type { Base } from './bases.ts';
import { examineAll } from './examine.ts';
import { type Clip, decodeClip } from './spoil-video.ts';

const closeUp = 'observation.images.close';

/** The same demonstrations with a second camera, which sees the middle of the first one's picture twice as large. */
export async function withCloseUp(base: Base, media: MediaService): Promise<Base> {
  const cameras = new Map<string, ReadonlyMap<string, CameraEvidence>>();
  const episodes: Episode[] = [];
  for (const episode of base.episodes) {
    const own = episode.streams.find(({ frames }) => frames?.locator.type === 'video');
    if (own?.frames === undefined) throw new Error(`${episode.id} has no video`);
    const path = `close-${episode.index}.mp4`;
    await film(await decodeClip(own, base.root), join(base.root, path));
    const locator = {
      type: 'video' as const,
      path,
      from_s: 0,
      to_s: null,
      expected_frames: own.sample_count,
    };
    const stream = { ...own, id: closeUp, frames: { ...own.frames, locator } };
    const measured = await examineAll({ ...episode, streams: [stream] }, base.root, media);
    cameras.set(episode.id, new Map([...(base.cameras.get(episode.id) ?? []), ...measured]));
    episodes.push({ ...episode, streams: [...episode.streams, stream] });
  }
  const declared_cameras = [...base.facts.declared_cameras, closeUp];
  return {
    ...base,
    id: 'two-cameras',
    title: 'generated, two cameras',
    facts: { ...base.facts, declared_cameras },
    episodes,
    targets: episodes,
    cameras,
    severalCameras: true,
  };
}

async function film({ frames, width, height, rate_hz }: Clip, path: string): Promise<void> {
  const writer = await openVideoWriter(path, { width_px: width, height_px: height, rate_hz });
  const out = new Uint8Array((width * height * 3) / 2);
  const luma = width * height;
  for (const frame of frames) {
    enlarge(frame, out, 0, width, height);
    enlarge(frame, out, luma, width / 2, height / 2);
    enlarge(frame, out, luma * 1.25, width / 2, height / 2);
    await writer.write(out);
  }
  await writer.close();
}

/** The middle half of a plane, each pixel as four. */
function enlarge(from: Uint8Array, to: Uint8Array, offset: number, width: number, height: number): void {
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      to[offset + y * width + x] = from[offset + ((height + 2 * y) >> 2) * width + ((width + 2 * x) >> 2)];
}
