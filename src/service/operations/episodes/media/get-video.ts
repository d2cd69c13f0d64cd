import { sha256 } from '#core';
import { type CachedFilm, findRowRange } from '#engine';
import { ceilUsd, charge, findPrice, release, reserve } from '#engine/budget';
import type { Film, FilmCodec } from '#io/media';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { loadEpisode } from '../load-episode.ts';
import { encodeVideo, openVideoSource, readVideoFacts, type VideoSource } from './video-service.ts';

/** Part of a camera to encode as video. */
export interface VideoQuery {
  readonly episode_id: string;
  readonly stream_id: string;
  readonly codec: FilmCodec;
  readonly from_s: number;
  readonly until_s?: number | undefined;
  readonly width_px: number;
}

/** A video that is encoded on demand or read from the cache. */
export interface Video {
  /** Changes if the recording changes. */
  readonly etag: string;
  film(): Promise<CachedFilm>;
}

/** Part of the cache key; raise it when the encoding changes. */
const encodingVersion = 1;

/**
 * Returns part of a camera as an MP4: the recorder's packets if browsers can play them, else H.264. It is encoded
 * once and cached. Throws `not_found`; encoding throws `not_found` if the recording is missing, `conflict` if it has
 * changed, `media_failed` with the reason, `budget_exceeded`, `limit_exceeded`, `busy`.
 */
export async function getVideo(store: Store, call: Call, query: VideoQuery): Promise<Video> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { episode_id, stream_id, codec, from_s, until_s = null, width_px } = query;
  const found = await loadEpisode(scope, episode_id);
  const { content_hash } = found.receipt;
  // The receipt's hash covers the hashes of the recording's files.
  const cacheKeyParts = [
    encodingVersion,
    scope.tenant_id,
    content_hash,
    stream_id,
    codec,
    from_s,
    until_s,
    width_px,
  ];
  const etag = sha256(JSON.stringify(cacheKeyParts));
  const film = async () => {
    const filmed = await openVideoSource({ store, scope, found, stream_id });
    const part = { codec, from_s, until_s, longest_side_px: width_px };
    return filmed.videos.film(etag, async (target, scratch) => {
      const make = () => encodeVideo(filmed, part, target, scratch);
      return (await isStreamCopy(filmed, codec))
        ? make()
        : encodeWithBudget(filmed, countFrames(filmed, from_s, until_s), make);
    });
  };
  return { etag, film };
}

/** Returns whether the packets are only copied; copying costs almost nothing and is not charged. */
async function isStreamCopy(filmed: VideoSource, requestedCodec: FilmCodec): Promise<boolean> {
  const { mime, codec } = await readVideoFacts(filmed);
  return mime !== null && (requestedCodec === 'recorded' || codec === requestedCodec);
}

/**
 * Returns the number of frames in a time range, for the cost estimate; that of the whole stream if it has no
 * timestamps or none in the range.
 */
function countFrames({ located: { camera } }: VideoSource, from_s: number, until_s: number | null): number {
  const rows = camera.time_s === null ? null : findRowRange(camera.time_s, from_s, until_s);
  return rows === null ? camera.sample_count : rows[1] - rows[0] + 1;
}

/** Name of videos in prices and costs, next to `readiness` and the annotation layers. */
const costName = 'video';
/** Planned CPU seconds: per frame on one core, and per video. */
const perFrame_s = 0.03;
const perVideo_s = 1;

/**
 * Encodes a video with reserved budget and charges the measured time; the reservation is released even if encoding
 * fails. Throws `budget_exceeded`, and what `make` throws.
 */
async function encodeWithBudget(
  { store, scope, found: { episode } }: VideoSource,
  frames: number,
  make: () => Promise<Film>,
): Promise<Film> {
  const price_usd_per_s = findPrice(store.prices, costName, 'cpu');
  const estimate_usd = ceilUsd((perVideo_s + frames * perFrame_s) * price_usd_per_s);
  if (estimate_usd === 0) return make();
  const till = () => ({ store, scope, now: new Date() });
  const purpose = { purpose_id: episode.id, project_id: episode.project_id };
  const reservation = await reserve(till(), purpose, estimate_usd);
  try {
    const film = await make();
    const { cpu_s: compute_s } = film;
    const measured = { layer: costName, model: null, compute_s, amount_usd: compute_s * price_usd_per_s };
    await charge(till(), purpose, reservation, measured);
    return film;
  } finally {
    await release(till(), reservation);
  }
}
