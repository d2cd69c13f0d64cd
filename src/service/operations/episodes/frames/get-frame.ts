import { AssayError, sha256 } from '#core';
import type { FrameLocator } from '#core/episode';
import { type Camera, withFiles } from '#engine';
import type { RecognisedDataset } from '#formats';
import type { Picture } from '#io/media';
import { episodeRows, type Store, type TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { loadEpisode } from '../load-episode.ts';
import type { LocatedCamera } from './frame-service.ts';
import { type FrameService, frameService, type Shown } from './frame-service.ts';
import { locateCamera } from './locate-camera.ts';
import { recordingsNow } from './recording-files.ts';

export interface FrameQuery {
  readonly episode_id: string;
  readonly stream_id: string;
  readonly at_s: number;
  readonly width_px: number;
  /** Of the JPEG, 1 to 100; absent: little, to be looked at. */
  readonly quality?: number;
}

/** A frame that has not been decoded yet. */
export interface Frame {
  /** Changes when the recording does. */
  readonly etag: string;
  picture(): Promise<Shown>;
}

/**
 * The frame that a camera shows at a time of an episode. Throws `not_found`; its picture is read from the recording,
 * decoded in another process, and throws `not_found` where that is gone, `conflict` where it is another one,
 * `media_failed` with the reason, `busy`.
 */
export async function getFrame(store: Store, call: Call, query: FrameQuery): Promise<Frame> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const found = await loadEpisode(scope, query.episode_id);
  const { stream_id, at_s, width_px } = query;
  // The receipt seals the hashes of the files, so that its own stands for them.
  const etag = sha256(JSON.stringify([found.receipt.content_hash, stream_id, at_s, width_px])).slice(0, 32);
  const service = frameService(store);
  const make = async () => {
    const { jpeg, time_s } = await makePicture({ store, scope, service, found, query });
    return { bytes: jpeg, time_s };
  };
  return { etag, picture: () => service.picture(`${scope.tenant_id} ${etag}`, make) };
}

export interface Making {
  readonly store: Store;
  readonly scope: TenantScope;
  readonly service: FrameService;
  readonly found: episodeRows.EpisodeWithReceipt;
  readonly query: FrameQuery;
}

/** Throws as the picture of `getFrame`. */
export async function makePicture(making: Making): Promise<Picture> {
  const { store, service, found, query } = making;
  const located = await locateCamera(store, service, found, query.stream_id);
  const { frames } = located.camera;
  const chosen = chooseFrame(located.camera, query.at_s);
  if (frames === null || chosen === null)
    throw new AssayError('not_found', `the stream ${query.stream_id} has no pictures`, {
      advice: 'GET …/streams lists the streams of an episode; those with frames have a link to them',
    });
  switch (frames.locator.type) {
    case 'missing':
      throw new AssayError('not_found', `the recording has no pictures of it: ${frames.locator.reason}`);
    case 'video':
      return videoFrame(making, located, frames.locator);
    case 'image-files':
      return pictureFile(making, located, frames.locator, chosen);
    case 'embedded':
      return embeddedFrame(making, located, frames.locator, chosen);
  }
}

type LocatorOf<Type extends FrameLocator['type']> = Extract<FrameLocator, { type: Type }>;

/** The video's own stamps say what is shown; where it has none, those of the stream. */
async function videoFrame(
  making: Making,
  { camera, bytes_of }: LocatedCamera,
  locator: LocatorOf<'video'>,
): Promise<Picture> {
  const { service, query } = making;
  const file = { path: locator.path, bytes: bytes_of.get(locator.path) };
  const stamps_s = locator.unstamped === true ? camera.time_s : null;
  return withRecording(making, file, (root) =>
    service.decode({ ...requestOf(camera, query), stamps_s, root }, query.at_s),
  );
}

async function pictureFile(
  making: Making,
  { camera, bytes_of }: LocatedCamera,
  locator: LocatorOf<'image-files'>,
  { row, time_s }: ChosenFrame,
): Promise<Picture> {
  const { service, query } = making;
  const path = locator.paths[Math.min(row, locator.paths.length - 1)];
  const request = requestOf(camera, query);
  const frames = { ...request.frames, locator: { ...locator, paths: [path] } };
  return withRecording(making, { path, bytes: bytes_of.get(path) }, async (root) => {
    const { jpeg } = await service.decode({ ...request, frames, root }, 0);
    return { jpeg, time_s };
  });
}

async function embeddedFrame(
  making: Making,
  { camera, bytes_of }: LocatedCamera,
  locator: LocatorOf<'embedded'>,
  { row, time_s }: ChosenFrame,
): Promise<Picture> {
  const { service, found, query, scope, store } = making;
  const { episode } = found;
  const recognised = await episodeRows.getRecognised(scope, episode);
  if (recognised === null)
    throw new AssayError('not_found', 'the run that judged the episode is not known any more');
  const wanted = {
    locator,
    episode_index: episode.index,
    start_ns: episode.start_ns,
    ...{ row, log_s: camera.log_s?.[row] ?? null },
  };
  const kept = await withRecording(
    making,
    { path: locator.path, bytes: bytes_of.get(locator.path) },
    async () => {
      const recordings = await recordingsNow(store, scope, episode.source_id);
      return service.readers.do({
        type: 'pictures',
        recordings,
        recognised: recognised as RecognisedDataset,
        wanted,
      });
    },
  );
  const last = kept.at(-1);
  if (last === undefined)
    throw new AssayError('media_failed', 'the picture is not where it was in the recording', {
      advice: 'start a run of the source, so that what is shown is what was judged',
    });
  const request = requestOf(camera, query);
  const { jpeg } = await service.decode(
    { ...request, root: '/', frames: { ...request.frames, kept } },
    last.time_s,
  );
  return { jpeg, time_s };
}

function requestOf({ frames, declared_rate_hz }: LocatedCamera['camera'], { width_px, quality }: FrameQuery) {
  return { frames: frames!, declared_rate_hz, width_px, ...(quality === undefined ? {} : { quality }) };
}

async function withRecording<Answer>(
  { scope, store, found: { episode } }: Making,
  file: { readonly path: string; readonly bytes: number | undefined },
  work: (root: string) => Promise<Answer>,
): Promise<Answer> {
  const recordings = await recordingsNow(store, scope, episode.source_id);
  return withFiles(recordings, { dataset_path: episode.dataset_path, files: [file] }, work);
}

/** A frame of a camera by its place in the order of recording. */
interface ChosenFrame {
  readonly row: number;
  /** Since the start of the episode. */
  readonly time_s: number;
}

/** A stamp this little after the time asked for is that time: what was computed from a rate has lost its last digits. */
const rounding_s = 1e-6;

/** The frame shown at a time: the last at or before it, or the first where all are later. Null without any. */
export function chooseFrame(
  { time_s, sample_count, declared_rate_hz }: Pick<Camera, 'time_s' | 'sample_count' | 'declared_rate_hz'>,
  at_s: number,
): ChosenFrame | null {
  if (sample_count === 0) return null;
  if (time_s !== null && time_s.length > 0) return lastUntil(time_s, at_s + rounding_s);
  const rate_hz = declared_rate_hz ?? 1;
  const row = Math.min(sample_count - 1, Math.max(0, Math.floor(at_s * rate_hz + rounding_s)));
  return { row, time_s: row / rate_hz };
}

/** Stamps may run backwards: it is the latest stamp that counts, not the last in the file. */
function lastUntil(time_s: Float64Array, until_s: number): ChosenFrame {
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
