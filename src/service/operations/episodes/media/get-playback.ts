import { AssayError } from '#core';
import type { Playback, StreamSamples } from '#core/api';
import type { episodeRows, Store, TenantScope } from '#store';
import { type Call, requireRole, scopeOf } from '../../call.ts';
import { loadEpisode, readReceipt, withShard } from '../load-episode.ts';
import { frameService } from './frame-service.ts';
import { openVideoSource, readVideoFacts } from './video-service.ts';

/** An episode to play, with the width of its signals in columns. */
export interface PlaybackQuery {
  readonly episode_id: string;
  readonly width_px: number;
}

/** Roles of streams that are plotted, in order: commands and measured motion first. */
const signalRoles = [
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
const maxSignals = 8;
/**
 * Longer videos are encoded and loaded in parts of this many seconds: when encoded anew, and when the packets are
 * copied.
 */
const maxPart_s = { encoded: 20, copied: 300 };

/**
 * Returns what a player needs for an episode: its cameras, and its signals downsampled to columns that keep every
 * extreme. Throws `not_found`.
 */
export async function getPlayback(store: Store, call: Call, query: PlaybackQuery): Promise<Playback> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const found = await loadEpisode(scope, query.episode_id);
  const { streams, episode } = await readReceipt(store, found.receipt);
  const pictured = streams.filter(({ role }) => role === 'camera' || role === 'depth');
  const drawn = streams
    .filter(({ modality, role }) => modality === 'numeric' && signalRoles.includes(role))
    .sort((a, b) => signalRoles.indexOf(a.role) - signalRoles.indexOf(b.role));
  const cameras = pictured.map(({ id }) => describeCamera({ store, scope, found }, id, episode.duration_s));
  const signals = drawn.slice(0, maxSignals).map(({ id }) => readSignal(store, found, id, query.width_px));
  const [cameraViews, series] = await Promise.all([Promise.all(cameras), Promise.all(signals)]);
  return {
    duration_s: episode.duration_s,
    cameras: cameraViews,
    signals: series,
    omitted: drawn.slice(maxSignals).map(({ id }) => id),
  };
}

interface EpisodeContext {
  readonly store: Store;
  readonly scope: TenantScope;
  readonly found: episodeRows.EpisodeWithReceipt;
}

/**
 * Describes a camera's video. A camera that cannot be decoded has the reason as `problem`, so the other cameras still
 * play.
 */
async function describeCamera(
  owner: EpisodeContext,
  stream_id: string,
  duration_s: number,
): Promise<Playback['cameras'][number]> {
  const link = `/v1/episodes/${owner.found.episode.id}/videos/${encodeURIComponent(stream_id)}`;
  const named = { stream_id, links: { video: link } };
  try {
    const facts = await readVideoFacts(await openVideoSource({ ...owner, stream_id }));
    const maxLength_s = facts.mime === null ? maxPart_s.encoded : maxPart_s.copied;
    const [width_px, height_px] = facts.size_px ?? [null, null];
    const { size_px: _, ...fileFacts } = facts;
    return {
      ...named,
      ...fileFacts,
      ...{ width_px, height_px, problem: null },
      part_s: duration_s > 1.5 * maxLength_s ? maxLength_s : null,
    };
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code === 'busy') throw thrown;
    const unknown = { codec: null, mime: null, width_px: null, height_px: null, rate_hz: null };
    const unseen = { frames: 0, starts_s: null, last_s: null, part_s: null };
    return { ...named, ...unknown, ...unseen, problem: thrown.message };
  }
}

async function readSignal(
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
