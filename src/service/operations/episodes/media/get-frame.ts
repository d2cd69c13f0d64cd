import { AssayError, sha256 } from '#core';
import type { FrameLocator } from '#core/episode';
import { type CameraInfo, withFiles } from '#engine';
import type { RecognisedDataset } from '#formats';
import type { Picture } from '#io/media';
import { episodeRows, type Store, type TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { loadEpisode } from '../load-episode.ts';
import {
  type FrameService,
  frameService,
  type LocatedCamera,
  locateCamera,
  locateRecordings,
  type RenderedImage,
} from './frame-service.ts';

/** A frame of a camera to render. */
export interface FrameQuery {
  readonly episode_id: string;
  readonly stream_id: string;
  readonly at_s: number;
  readonly width_px: number;
  /** JPEG quality, 1–100. Defaults to low (preview). */
  readonly quality?: number;
}

/** A frame that is decoded on demand. */
export interface Frame {
  /** Changes if the recording changes. */
  readonly etag: string;
  picture(): Promise<RenderedImage>;
}

/**
 * Returns the frame that a camera shows at a time of an episode; the image is decoded on demand in another process.
 * Throws `not_found`. Decoding throws `not_found` if the recording is missing, `conflict` if it has changed,
 * `media_failed` with the reason, or `busy`.
 */
export async function getFrame(store: Store, call: Call, query: FrameQuery): Promise<Frame> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const found = await loadEpisode(scope, query.episode_id);
  const { stream_id, at_s, width_px } = query;
  // The receipt's hash covers the hashes of the recording's files.
  const etag = sha256(JSON.stringify([found.receipt.content_hash, stream_id, at_s, width_px])).slice(0, 32);
  const service = frameService(store);
  const make = async () => {
    const { jpeg, time_s } = await renderFrame({ store, scope, service, found, query });
    return { bytes: jpeg, time_s };
  };
  return { etag, picture: () => service.image(`${scope.tenant_id} ${etag}`, make) };
}

/** A frame to decode, with the episode and service that it is decoded with. */
export interface FrameRequest {
  readonly store: Store;
  readonly scope: TenantScope;
  readonly service: FrameService;
  readonly found: episodeRows.EpisodeWithReceipt;
  readonly query: FrameQuery;
}

/** Decodes the frame of a request and returns it as JPEG with its time. Throws as the image of `getFrame`. */
export async function renderFrame(frameRequest: FrameRequest): Promise<Picture> {
  const { store, service, found, query } = frameRequest;
  const located = await locateCamera(store, service, found, query.stream_id);
  const { frames } = located.camera;
  const chosen = chooseFrame(located.camera, query.at_s);
  if (frames === null || chosen === null)
    throw new AssayError('not_found', `the stream ${query.stream_id} has no frames`, {
      advice: 'list the streams with GET …/streams; streams with frames have a link to them',
    });
  switch (frames.locator.type) {
    case 'missing':
      throw new AssayError(
        'not_found',
        `the recording has no frames for this stream: ${frames.locator.reason}`,
      );
    case 'video':
      return decodeVideoFrame(frameRequest, located, frames.locator);
    case 'image-files':
      return decodeImageFile(frameRequest, located, frames.locator, chosen);
    case 'embedded':
      return decodeEmbeddedFrame(frameRequest, located, frames.locator, chosen);
  }
}

type LocatorOf<Type extends FrameLocator['type']> = Extract<FrameLocator, { type: Type }>;

/** Decodes a frame of a video by the video's own timestamps; by those of the stream if the video has none. */
async function decodeVideoFrame(
  frameRequest: FrameRequest,
  { camera, file_bytes }: LocatedCamera,
  locator: LocatorOf<'video'>,
): Promise<Picture> {
  const { service, query } = frameRequest;
  const file = { path: locator.path, bytes: file_bytes.get(locator.path) };
  const stamps_s = locator.unstamped === true ? camera.time_s : null;
  return withRecording(frameRequest, file, (root) =>
    service.decode({ ...toDecodeRequest(camera, query), stamps_s, root }, query.at_s),
  );
}

async function decodeImageFile(
  frameRequest: FrameRequest,
  { camera, file_bytes }: LocatedCamera,
  locator: LocatorOf<'image-files'>,
  { row, time_s }: FramePosition,
): Promise<Picture> {
  const { service, query } = frameRequest;
  const path = locator.paths[Math.min(row, locator.paths.length - 1)];
  const request = toDecodeRequest(camera, query);
  const frames = { ...request.frames, locator: { ...locator, paths: [path] } };
  return withRecording(frameRequest, { path, bytes: file_bytes.get(path) }, async (root) => {
    const { jpeg } = await service.decode({ ...request, frames, root }, 0);
    return { jpeg, time_s };
  });
}

async function decodeEmbeddedFrame(
  frameRequest: FrameRequest,
  { camera, file_bytes }: LocatedCamera,
  locator: LocatorOf<'embedded'>,
  { row, time_s }: FramePosition,
): Promise<Picture> {
  const { service, found, query, scope, store } = frameRequest;
  const { episode } = found;
  const recognised = await episodeRows.getRecognised(scope, episode);
  if (recognised === null)
    throw new AssayError('not_found', 'the run that evaluated the episode no longer exists');
  const imageRequest = {
    locator,
    episode_index: episode.index,
    start_ns: episode.start_ns,
    ...{ row, log_s: camera.log_s?.[row] ?? null },
  };
  const storedImages = await withRecording(
    frameRequest,
    { path: locator.path, bytes: file_bytes.get(locator.path) },
    async () => {
      const recordings = await locateRecordings(store, scope, episode.source_id);
      return service.readers.do({
        type: 'pictures',
        recordings,
        recognised: recognised as RecognisedDataset,
        wanted: imageRequest,
      });
    },
  );
  const last = storedImages.at(-1);
  if (last === undefined)
    throw new AssayError('media_failed', 'the frame is no longer at its place in the recording', {
      advice: 'start a run of the source to evaluate the current recording',
    });
  const request = toDecodeRequest(camera, query);
  const { jpeg } = await service.decode(
    { ...request, root: '/', frames: { ...request.frames, kept: storedImages } },
    last.time_s,
  );
  return { jpeg, time_s };
}

function toDecodeRequest(
  { frames, declared_rate_hz }: LocatedCamera['camera'],
  { width_px, quality }: FrameQuery,
) {
  return { frames: frames!, declared_rate_hz, width_px, ...(quality === undefined ? {} : { quality }) };
}

async function withRecording<Answer>(
  { scope, store, found: { episode } }: FrameRequest,
  file: { readonly path: string; readonly bytes: number | undefined },
  work: (root: string) => Promise<Answer>,
): Promise<Answer> {
  const recordings = await locateRecordings(store, scope, episode.source_id);
  return withFiles(recordings, { dataset_path: episode.dataset_path, files: [file] }, work);
}

/** A frame of a camera by its index in recording order. */
interface FramePosition {
  readonly row: number;
  /** Seconds since the start of the episode. */
  readonly time_s: number;
}

/**
 * Timestamps up to this much later than the requested time count as equal, to absorb rounding of times computed from
 * a rate.
 */
const stampTolerance_s = 1e-6;

/**
 * Returns the frame shown at a time: the last one at or before it, or the first if all are later; null without
 * frames.
 */
export function chooseFrame(
  {
    time_s,
    sample_count,
    declared_rate_hz,
  }: Pick<CameraInfo, 'time_s' | 'sample_count' | 'declared_rate_hz'>,
  at_s: number,
): FramePosition | null {
  if (sample_count === 0) return null;
  if (time_s !== null && time_s.length > 0) return lastFrameUntil(time_s, at_s + stampTolerance_s);
  const rate_hz = declared_rate_hz ?? 1;
  const row = Math.min(sample_count - 1, Math.max(0, Math.floor(at_s * rate_hz + stampTolerance_s)));
  return { row, time_s: row / rate_hz };
}

/** Timestamps may be out of order, so the latest timestamp counts, not the last row. */
function lastFrameUntil(time_s: Float64Array, until_s: number): FramePosition {
  let best = -1;
  let earliest = 0;
  for (let row = 0; row < time_s.length; row++) {
    const time = time_s[row];
    if (time < time_s[earliest]) earliest = row;
    if (time <= until_s && (best < 0 || time >= time_s[best])) best = row;
  }
  const row = best < 0 ? earliest : best;
  return { row, time_s: time_s[row] };
}
