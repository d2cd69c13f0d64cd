import { type CameraEvidence, type Episode, type PictureScope, type Stream, timesOf } from '#core/episode';
import type { OpenDataset } from '#formats';
import type { CameraRequest, MediaService } from '#io/media';
import { type CachedCameras, decodedFiles } from './cached-measurements.ts';

interface CameraOptions {
  readonly thumbnails: number;
  readonly pictures: PictureScope | undefined;
  /** Cache of camera measurements; `null` if there is none. */
  readonly kept: Pick<CachedCameras, 'examine'> | null;
}

/**
 * Measures all cameras of an episode and returns the results by stream id; null (not a promise) if it has no camera, so that
 * the caller need not wait.
 */
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
      stamps_s: frameStamps(stream),
      thumbnails,
      ...(pictures === undefined ? {} : { pictures }),
    };
    const measure = () => examine(request, dataset, media());
    const examined = kept === null || dataset.hold !== null ? measure() : kept.examine(request, measure);
    pending.push(examined.then((evidence) => [stream.id, evidence] as const));
  }
  return pending.length === 0 ? null : Promise.all(pending).then((all) => new Map(all));
}

/** Returns timestamps for pictures that have none of their own; null if not needed. */
function frameStamps(stream: Stream): Float64Array | null {
  const locator = stream.frames?.locator;
  const unstamped =
    (locator?.type === 'image-files' && locator.paths.length > 1) ||
    (locator?.type === 'video' && locator.unstamped === true);
  return unstamped ? timesOf(stream) : null;
}

/** Measures a camera while its files are held locally, since decoders open files by name. */
async function examine(
  request: CameraRequest,
  { hold, holdPart }: Pick<OpenDataset, 'hold' | 'holdPart'>,
  media: Promise<MediaService>,
): Promise<CameraEvidence> {
  const paths = hold === null ? [] : decodedFiles(request.frames.locator);
  if (hold === null || paths.length === 0) return (await media).examine(request);
  const sampled = holdPart === null ? null : await examineParts(request, holdPart, media);
  if (sampled !== null) return sampled;
  const local = await hold(paths);
  try {
    return await (await media).examine(request);
  } finally {
    await local.release();
  }
}

/** Maximum rounds of partial reads, far above what is needed: index, first frames, samples, re-checks. */
const maxRounds = 24;

/** Measures a camera from the needed parts of a remote video; null if all of it is needed. */
async function examineParts(
  request: CameraRequest,
  holdPart: NonNullable<OpenDataset['holdPart']>,
  media: Promise<MediaService>,
): Promise<CameraEvidence | null> {
  const { locator } = request.frames;
  const local = locator.type === 'video' ? await holdPart(locator.path) : null;
  if (local === null) return null;
  try {
    for (let round = 0; round < maxRounds; round++) {
      const { root } = local;
      const parts = local.parts();
      const answer = await (await media).examineParts({ ...request, root, within: root, parts });
      if (!('wants' in answer)) return answer;
      if (answer.wants === null) return null;
      await local.fetch(answer.wants);
    }
    return null;
  } finally {
    await local.release();
  }
}
