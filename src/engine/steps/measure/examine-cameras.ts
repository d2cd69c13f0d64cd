import { type CameraEvidence, type Episode, type PictureScope, type Stream, timesOf } from '#core/episode';
import type { OpenDataset } from '#formats';
import type { CameraRequest, MediaService } from '#io/media';
import { filesOf, type KeptCameras } from '../../cache/kept-cameras.ts';

interface CameraOptions {
  readonly thumbnails: number;
  readonly pictures: PictureScope | undefined;
  /** What was measured before; null where nothing is kept. */
  readonly kept: Pick<KeptCameras, 'examine'> | null;
}

/** Has every camera of an episode measured; null when it has none, so that the caller need not wait. */
export function examineCameras(
  episode: Episode,
  dataset: Pick<OpenDataset, 'root' | 'within' | 'hold' | 'holdPart'>,
  media: () => Promise<MediaService>,
  { thumbnails, pictures, kept }: CameraOptions,
): Promise<Map<string, CameraEvidence>> | null {
  const pending: Promise<readonly [string, CameraEvidence]>[] = [];
  for (const stream of episode.streams) {
    const { frames } = stream;
    if (frames === undefined) continue;
    const request = {
      root: dataset.root,
      ...(dataset.within === dataset.root ? {} : { within: dataset.within }),
      frames,
      declared_rate_hz: stream.declared_rate_hz,
      expected_frames: frames.locator.type === 'video' ? frames.locator.expected_frames : stream.sample_count,
      stamps_s: stampsOf(stream),
      thumbnails,
      ...(pictures === undefined ? {} : { pictures }),
    };
    const measure = () => examine(request, dataset, media());
    const examined = kept === null || dataset.hold !== null ? measure() : kept.examine(request, measure);
    pending.push(examined.then((evidence) => [stream.id, evidence] as const));
  }
  return pending.length === 0 ? null : Promise.all(pending).then((all) => new Map(all));
}

/** Stamps for pictures that carry none of their own. */
function stampsOf(stream: Stream): Float64Array | null {
  const locator = stream.frames?.locator;
  const unstamped =
    (locator?.type === 'image-files' && locator.paths.length > 1) ||
    (locator?.type === 'video' && locator.unstamped === true);
  return unstamped ? timesOf(stream) : null;
}

/** Decoders open files by name: they are held there meanwhile. */
async function examine(
  request: CameraRequest,
  { hold, holdPart }: Pick<OpenDataset, 'hold' | 'holdPart'>,
  media: Promise<MediaService>,
): Promise<CameraEvidence> {
  const paths = hold === null ? [] : filesOf(request.frames.locator);
  if (hold === null || paths.length === 0) return (await media).examine(request);
  const sampled = holdPart === null ? null : await examineParts(request, holdPart, media);
  if (sampled !== null) return sampled;
  const held = await hold(paths);
  try {
    return await (await media).examine(request);
  } finally {
    await held.release();
  }
}

/** Far more than it takes: index, first frames, samples, what they made doubtful. */
const mostRounds = 24;

/** Measured from what of a video it takes; null where that is all of it. */
async function examineParts(
  request: CameraRequest,
  holdPart: NonNullable<OpenDataset['holdPart']>,
  media: Promise<MediaService>,
): Promise<CameraEvidence | null> {
  const { locator } = request.frames;
  const held = locator.type === 'video' ? await holdPart(locator.path) : null;
  if (held === null) return null;
  try {
    for (let round = 0; round < mostRounds; round++) {
      const { root } = held;
      const parts = held.parts();
      const answer = await (await media).examineParts({ ...request, root, within: root, parts });
      if (!('wants' in answer)) return answer;
      if (answer.wants === null) return null;
      await held.fetch(answer.wants);
    }
    return null;
  } finally {
    await held.release();
  }
}
