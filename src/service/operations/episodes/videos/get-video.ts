import { sha256 } from '#core';
import { type KeptFilm, rowsIn } from '#engine';
import type { FilmCodec } from '#io/media';
import type { Store } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { loadEpisode } from '../load-episode.ts';
import { filmCamera } from './film-camera.ts';
import { type FilmedCamera, factsOf, makeVideo } from './make-video.ts';
import { payVideo } from './pay-video.ts';

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
