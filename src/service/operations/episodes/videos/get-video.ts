import { sha256 } from '#core';
import { type KeptFilm, rowsIn } from '#engine';
import { charge, priceOf, release, reserve, usdUp } from '#engine/budget';
import type { Film, FilmCodec } from '#io/media';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { loadEpisode } from '../load-episode.ts';
import { type FilmedCamera, factsOf, filmCamera, makeVideo } from './film-camera.ts';

export interface VideoQuery {
  readonly episode_id: string;
  readonly stream_id: string;
  readonly codec: FilmCodec;
  readonly from_s: number;
  readonly until_s?: number | undefined;
  readonly width_px: number;
}

/** A film that has not been made yet, or was. */
export interface Video {
  /** Changes when the recording does. */
  readonly etag: string;
  film(): Promise<KeptFilm>;
}

/** Films that are made in another way are other films. */
const version = 1;

/**
 * Part of a camera as an MP4 for browsers: the recorder's packets where a browser may play them, else H.264, made once
 * and kept. Throws `not_found`; making it throws `not_found` where the recording is gone, `conflict` where it is another
 * one, `media_failed` with the reason, `budget_exceeded`, `limit_exceeded`, `busy`.
 */
export async function getVideo(store: Store, call: Call, query: VideoQuery): Promise<Video> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { episode_id, stream_id, codec, from_s, until_s = null, width_px } = query;
  const found = await loadEpisode(scope, episode_id);
  const { content_hash } = found.receipt;
  // The receipt seals the hashes of the files, so that its own stands for them.
  const made_of = [version, scope.tenant_id, content_hash, stream_id, codec, from_s, until_s, width_px];
  const etag = sha256(JSON.stringify(made_of));
  const film = async () => {
    const filmed = await filmCamera({ store, scope, found, stream_id });
    const part = { codec, from_s, until_s, longest_side_px: width_px };
    return filmed.videos.film(etag, async (target, scratch) => {
      const make = () => makeVideo(filmed, part, target, scratch);
      return (await isCopied(filmed, codec))
        ? make()
        : payVideo(filmed, framesIn(filmed, from_s, until_s), make);
    });
  };
  return { etag, film };
}

/** Copying takes next to nothing, and is not charged. */
async function isCopied(filmed: FilmedCamera, wanted: FilmCodec): Promise<boolean> {
  const { mime, codec } = await factsOf(filmed);
  return mime !== null && (wanted === 'recorded' || codec === wanted);
}

/** As many as the stream has rows there, to plan with. */
function framesIn({ located: { camera } }: FilmedCamera, from_s: number, until_s: number | null): number {
  const rows = camera.time_s === null ? null : rowsIn(camera.time_s, from_s, until_s);
  return rows === null ? camera.sample_count : rows[1] - rows[0] + 1;
}

/** Under which films stand in prices and costs, beside `readiness` and the annotation layers. */
const costName = 'video';
/** Figures to plan with: decoding and coding of a frame on one core, and what a film takes besides. */
const frame_s = 0.03;
const film_s = 1;

/**
 * Has a film made while money is put aside for it, and charges what it took; also where nothing came of it what was put
 * aside is given back. Throws `budget_exceeded`, and what `make` throws.
 */
async function payVideo(
  { store, scope, found: { episode } }: FilmedCamera,
  frames: number,
  make: () => Promise<Film>,
): Promise<Film> {
  const price_usd_per_s = priceOf(store.prices, costName, 'cpu');
  const estimate_usd = usdUp((film_s + frames * frame_s) * price_usd_per_s);
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
