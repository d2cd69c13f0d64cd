import { AssayError } from '#core';
import type { Playback, StreamSamples } from '#core/api';
import type { episodeRows, Store, TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { frameService } from '../frames/frame-service.ts';
import { loadEpisode } from '../load-episode.ts';
import { readReceipt } from '../read-receipt.ts';
import { withShard } from '../with-shard.ts';
import { factsOf, filmCamera } from './film-camera.ts';

export interface PlaybackQuery {
  readonly episode_id: string;
  readonly width_px: number;
}

/** Streams drawn at once: what the robot was told and did comes first. */
const roles = [
  'action',
  'state',
  'effort',
  'tactile',
  'imu',
  'odometry',
  'vehicle',
  'gnss',
  'attitude',
  'reward',
];
const mostSignals = 8;
/** Longer films are made and loaded in parts of so many seconds: coded anew, and copied. */
const part_s = { encoded: 20, copied: 300 };

/** What a player shows of an episode: its cameras, and its signals in columns that keep every extreme. Throws `not_found`. */
export async function getPlayback(store: Store, call: Call, query: PlaybackQuery): Promise<Playback> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const found = await loadEpisode(scope, query.episode_id);
  const { streams, episode } = await readReceipt(store, found.receipt);
  const pictured = streams.filter(({ role }) => role === 'camera' || role === 'depth');
  const drawn = streams
    .filter(({ modality, role }) => modality === 'numeric' && roles.includes(role))
    .sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
  const cameras = pictured.map(({ id }) => cameraOf({ store, scope, found }, id, episode.duration_s));
  const signals = drawn.slice(0, mostSignals).map(({ id }) => signalOf(store, found, id, query.width_px));
  const [shown, series] = await Promise.all([Promise.all(cameras), Promise.all(signals)]);
  return {
    duration_s: episode.duration_s,
    cameras: shown,
    signals: series,
    omitted: drawn.slice(mostSignals).map(({ id }) => id),
  };
}

interface Owner {
  readonly store: Store;
  readonly scope: TenantScope;
  readonly found: episodeRows.EpisodeWithReceipt;
}

/** A camera that cannot be shown says why; the others are none the worse. */
async function cameraOf(
  owner: Owner,
  stream_id: string,
  duration_s: number,
): Promise<Playback['cameras'][number]> {
  const link = `/v1/episodes/${owner.found.episode.id}/videos/${encodeURIComponent(stream_id)}`;
  const named = { stream_id, links: { video: link } };
  try {
    const facts = await factsOf(await filmCamera({ ...owner, stream_id }));
    const longest_s = facts.mime === null ? part_s.encoded : part_s.copied;
    const [width_px, height_px] = facts.size_px ?? [null, null];
    const { size_px: _, ...told } = facts;
    return {
      ...named,
      ...told,
      ...{ width_px, height_px, problem: null },
      part_s: duration_s > 1.5 * longest_s ? longest_s : null,
    };
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code === 'busy') throw thrown;
    const unknown = { codec: null, mime: null, width_px: null, height_px: null, rate_hz: null };
    const unseen = { frames: 0, starts_s: null, last_s: null, part_s: null };
    return { ...named, ...unknown, ...unseen, problem: thrown.message };
  }
}

async function signalOf(
  store: Store,
  { episode }: episodeRows.EpisodeWithReceipt,
  stream_id: string,
  columns: number,
): Promise<StreamSamples> {
  const window = { from: null, to: null, columns, dimensions: null };
  const json = await withShard(store, episode, (shard) =>
    frameService(store).readers.do({ type: 'stream', shard, stream_id, ...window }),
  );
  return JSON.parse(Buffer.from(json).toString());
}
