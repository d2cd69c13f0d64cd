import type { Frames, SampledPicture } from '#core/episode';
import type { DecodeRequest } from '#io/media';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import { selectSampleRows } from '../../write/picture-samples.ts';
import { type LeRobotDraft, parseFeatures } from '../draft.ts';
import type { EpisodeLocation } from '../fixes/fix.ts';
import { queryChunks } from '../parquet/query.ts';
import type { DraftEpisode } from '../tables.ts';
import { videoPathV2, videoPathV3 } from '../video-paths.ts';

/** The sampled pictures of a camera in one episode. */
export interface EpisodePictures {
  readonly path: string;
  /** Number of rows of the episode. */
  readonly length: number;
  /** Parts to decode one after another; pictures of a table are read a few at a time. */
  readonly parts: () => AsyncIterable<PicturesPart> | Iterable<PicturesPart>;
}

/** Pictures that are decoded with one request. */
interface PicturesPart {
  /** Row of the episode for each decoded frame. */
  readonly rows: readonly number[];
  readonly request: DecodeRequest;
}

/** Reason why there are no pictures, for users. */
export interface NoPictures {
  readonly path: string;
  readonly reason: string;
}

/** Decode size larger than any picture, so that none is scaled: the library samples single pixels. */
const fullSizeWishes = [{ rate_hz: 1, longest_side_px: 1_000_000 }] as const;

/**
 * Returns what to decode for the pictures of an episode that the library would sample, or the reason why there are
 * none; decodes nothing.
 */
export function locatePictures(
  draft: LeRobotDraft,
  locations: ReadonlyMap<number, EpisodeLocation>,
  camera: string,
  episode: DraftEpisode,
): Promise<EpisodePictures | NoPictures> {
  const { dtype } = parseFeatures(draft.info.value).get(camera) ?? {};
  return dtype === 'image'
    ? locateInTable(draft, locations, camera, episode)
    : locateInVideo(draft, camera, episode);
}

/** Locates sampled frames in a video file. */
async function locateInVideo(
  draft: LeRobotDraft,
  camera: string,
  { index, length, videos }: DraftEpisode,
): Promise<EpisodePictures | NoPictures> {
  const window = videos.get(camera);
  const path =
    draft.layout === 'v2'
      ? videoPathV2(draft, camera, index)
      : videoPathV3(draft, camera, window?.chunk ?? 0, window?.file ?? 0);
  if (draft.layout === 'v3' && window === undefined)
    return { path, reason: 'the episode table has no video location for it' };
  if (draft.rewrittenVideos.has(path))
    return { path, reason: 'this fix rewrites its video; run assay fix again afterwards' };
  const fact = await draft.videos.get(path);
  if (fact === null || fact.frames === 0) return { path, reason: 'the video is unreadable' };
  const rate_hz = Number(draft.info.value.fps);
  if (length === null || length === 0) return { path, reason: 'the episode has no rows' };
  const from_s = window?.from_s ?? 0;
  const rowOf = new Map<number, number>();
  for (const row of selectSampleRows(length))
    rowOf.set(findNearest(fact.time_s, from_s + row / rate_hz), row);
  const span = { from_s: fact.time_s[0], to_s: null, expected_frames: null };
  const request = createRequest(draft, { type: 'video', path, ...span }, [...rowOf.keys()]);
  return { path, length, parts: () => [{ rows: [...rowOf.values()], request }] };
}

/** Locates sampled pictures in the rows of a data file. */
async function locateInTable(
  draft: LeRobotDraft,
  locations: ReadonlyMap<number, EpisodeLocation>,
  camera: string,
  { index, length }: DraftEpisode,
): Promise<EpisodePictures | NoPictures> {
  const location = locations.get(index);
  if (location === undefined) return { path: camera, reason: 'its rows are not in any data file' };
  const { path, columns } = location.file;
  const type = columns.find(({ name }) => name === camera)?.type ?? '';
  if (!/\bbytes"? BLOB/.test(type)) return { path, reason: `its column ${camera} contains no images` };
  if (length === null || length === 0) return { path, reason: 'the episode has no rows' };
  return { path, length, parts: () => readTableParts(draft, camera, location, selectSampleRows(length)) };
}

/** Number of pictures of a table held in memory. */
const picturesPerRead = 32;

async function* readTableParts(
  draft: LeRobotDraft,
  camera: string,
  { file: { path, absolute }, span }: EpisodeLocation,
  all: readonly number[],
): AsyncGenerator<PicturesPart> {
  for (let from = 0; from < all.length; from += picturesPerRead) {
    const rows = all.slice(from, from + picturesPerRead);
    const kept: SampledPicture[] = [];
    const sql = `SELECT file_row_number::INTEGER, ${sqlName(camera)}.bytes
      FROM ${parquetSource([absolute], 'file_row_number = true')}
      WHERE file_row_number IN (${rows.map((row) => span.start + row).join(', ')}) ORDER BY 1`;
    for await (const chunk of queryChunks(path, sql))
      for (let at = 0; at < chunk.rows; at++) {
        const index = chunk.integers(0).values[at] - span.start;
        const bytes = chunk.bytes(1, at);
        if (bytes !== null) kept.push({ index, time_s: index, bytes: Uint8Array.from(bytes) });
      }
    const locator = { type: 'embedded', path, channel: camera, encoding: 'png' } as const;
    yield { rows, request: createRequest(draft, locator, rows, kept) };
  }
}

function createRequest(
  { root }: LeRobotDraft,
  locator: Frames['locator'],
  places: readonly number[],
  sampledPictures?: readonly SampledPicture[],
): DecodeRequest {
  const frames = {
    locator,
    declared_size_px: null,
    declared_codec: null,
    ...(sampledPictures && { kept: sampledPictures }),
  };
  const plan = places.map((row, at) => ({ row, time_s: at, needs: [0] }));
  return { root, frames, declared_rate_hz: null, stamps_s: null, needs: fullSizeWishes, plan };
}

/** Returns the position of the nearest time; `time_s` is ascending. */
function findNearest(time_s: Float64Array, target_s: number): number {
  let [low, high] = [0, time_s.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time_s[middle] < target_s) low = middle + 1;
    else high = middle;
  }
  return low > 0 && target_s - time_s[low - 1] <= time_s[low] - target_s ? low - 1 : low;
}
