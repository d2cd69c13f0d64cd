import type { Frames, KeptPicture } from '#core/episode';
import type { DecodeRequest } from '#io/media';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import { sampledRows } from '../../write/statistics/picture-samples.ts';
import { featuresOf, type LeRobotDraft } from '../draft/draft.ts';
import type { DraftEpisode } from '../draft/episode.ts';
import { videoPathV2, videoPathV3 } from '../draft/video-paths.ts';
import type { Home } from '../mend/mend.ts';
import { queryChunks } from '../parquet/query.ts';

/** The pictures of a camera in one episode that statistics are taken from. */
export interface EpisodePictures {
  readonly path: string;
  /** How many rows the episode has. */
  readonly length: number;
  /** One after the other: pictures that are read out of a table are held a few at a time. */
  readonly parts: () => AsyncIterable<PicturesPart> | Iterable<PicturesPart>;
}

/** What is decoded in one go. */
interface PicturesPart {
  /** Rows of the episode, a frame of the answer each. */
  readonly rows: readonly number[];
  readonly request: DecodeRequest;
}

/** Why there are none, for people. */
export interface NoPictures {
  readonly path: string;
  readonly reason: string;
}

/** Larger than any picture: none is reduced, since the library looks at single pixels. */
const wishes = [{ rate_hz: 1, longest_side_px: 1_000_000 }] as const;

/** Where the pictures lie that the library would look at; decodes nothing. */
export function picturesOf(
  draft: LeRobotDraft,
  homes: ReadonlyMap<number, Home>,
  camera: string,
  episode: DraftEpisode,
): Promise<EpisodePictures | NoPictures> {
  const { dtype } = featuresOf(draft.info.value).get(camera) ?? {};
  return dtype === 'image' ? inTable(draft, homes, camera, episode) : inVideo(draft, camera, episode);
}

async function inVideo(
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
    return { path, reason: 'no window says where its pictures are' };
  if (draft.films.has(path)) return { path, reason: 'the video is written again first' };
  const fact = await draft.videos.of(path);
  if (fact === null || fact.frames === 0) return { path, reason: 'the video cannot be read' };
  const rate_hz = Number(draft.info.value.fps);
  if (length === null || length === 0) return { path, reason: 'the episode has no rows' };
  const from_s = window?.from_s ?? 0;
  const rowOf = new Map<number, number>();
  for (const row of sampledRows(length)) rowOf.set(nearest(fact.time_s, from_s + row / rate_hz), row);
  const span = { from_s: fact.time_s[0], to_s: null, expected_frames: null };
  const request = requestOf(draft, { type: 'video', path, ...span }, [...rowOf.keys()]);
  return { path, length, parts: () => [{ rows: [...rowOf.values()], request }] };
}

/** Pictures that lie in the rows of a data file. */
async function inTable(
  draft: LeRobotDraft,
  homes: ReadonlyMap<number, Home>,
  camera: string,
  { index, length }: DraftEpisode,
): Promise<EpisodePictures | NoPictures> {
  const home = homes.get(index);
  if (home === undefined) return { path: camera, reason: 'no data file has its rows' };
  const { path, columns } = home.file;
  const type = columns.find(({ name }) => name === camera)?.type ?? '';
  if (!/\bbytes"? BLOB/.test(type)) return { path, reason: `its column ${camera} holds no pictures` };
  if (length === null || length === 0) return { path, reason: 'the episode has no rows' };
  return { path, length, parts: () => tableParts(draft, camera, home, sampledRows(length)) };
}

/** Pictures of a table that are held at once. */
const atOnce = 32;

async function* tableParts(
  draft: LeRobotDraft,
  camera: string,
  { file: { path, absolute }, span }: Home,
  all: readonly number[],
): AsyncGenerator<PicturesPart> {
  for (let from = 0; from < all.length; from += atOnce) {
    const rows = all.slice(from, from + atOnce);
    const kept: KeptPicture[] = [];
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
    yield { rows, request: requestOf(draft, locator, rows, kept) };
  }
}

function requestOf(
  { root }: LeRobotDraft,
  locator: Frames['locator'],
  places: readonly number[],
  kept?: readonly KeptPicture[],
): DecodeRequest {
  const frames = { locator, declared_size_px: null, declared_codec: null, ...(kept && { kept }) };
  const plan = places.map((row, at) => ({ row, time_s: at, wishes: [0] }));
  return { root, frames, declared_rate_hz: null, stamps_s: null, wishes, plan };
}

/** The place of the stamp that is nearest; stamps rise. */
function nearest(time_s: Float64Array, wanted_s: number): number {
  let [low, high] = [0, time_s.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time_s[middle] < wanted_s) low = middle + 1;
    else high = middle;
  }
  return low > 0 && wanted_s - time_s[low - 1] <= time_s[low] - wanted_s ? low - 1 : low;
}
