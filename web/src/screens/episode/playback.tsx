import { useState } from 'react';
import { type Episode, type Flag, requestOf } from '#client';
import type { Timeline, TimelinePose } from '#quality/report/timeline';
import { useAnswer } from '../../api/use-answer.ts';
import { Panel } from '../../components/page.tsx';
import type { PlayClock } from '../../player/play-clock.ts';
import { Player } from '../../player/player.tsx';
import type { FilmSpan, PlayerLayer } from '../../player/types.ts';
import { Cameras } from './cameras.tsx';
import { useEpisodeLayers, useObjects } from './use-layers.ts';
import { useSpans } from './use-spans.ts';

/** Maximum number of columns that `get_playback` gives: one per sample up to a minute at 30 Hz. */
const columns_px = 2000;

/** Time in ms for which samples are not fetched again: a recording seldom changes. */
const stale_ms = 10 * 60_000;

interface PlaybackProps {
  readonly episode: Episode;
  readonly flags: readonly Flag[];
  /** Clock that several players share; absent if the player has its own. */
  readonly clock?: PlayClock | undefined;
  /** Receives the timeline once it is drawn, and `null` when it is closed. */
  readonly onTimeline: (timeline: Timeline | null) => void;
}

/** The player of an episode; for a single picture, the picture. */
export function Playback({ episode, flags, clock, onTimeline }: PlaybackProps) {
  const { id: episode_id, project_id, duration_s, streams } = episode;
  const input = { episode_id, width_px: columns_px };
  const playback = useAnswer('get_playback', input, { when: duration_s > 0, stale_ms });
  const poses = usePoses(episode);
  const spans = useSpans(episode);
  const { layers, missing } = useEpisodeLayers(episode);
  const [layerId, setLayerId] = useState<PlayerLayer['id'] | null>(null);
  // The next episode is shown with the same layer if it has it.
  const layer = layers.find(({ id }) => id === layerId) ?? null;
  const objects = useObjects(episode, layer);
  if (duration_s === 0 || playback.isLoadingError) return <Cameras episode={episode} />;
  // The data of the previous episode is not shown as this one's.
  if (playback.data === undefined || playback.isPlaceholderData) return null;
  const { cameras, signals, omitted } = playback.data;
  if (cameras.length === 0 && signals.length === 0) return null;
  const spanUrl = ({ stream_id, ...span }: FilmSpan) =>
    requestOf('get_video', { episode_id, stream_id, ...span }).path;
  const layerUrl = (layer: PlayerLayer['id'], camera: string, t: number) =>
    requestOf('get_overlay', {
      project_id,
      episode_id,
      layer,
      camera,
      t: Math.min(t, duration_s),
      width_px: 640,
    }).path;
  return (
    <Panel title="Playback">
      <Player
        key={episode_id}
        {...{
          clock,
          cameras,
          signals,
          streams,
          omitted,
          duration_s,
          flags,
          spanUrl,
          layers,
          layer,
          onLayer: (chosen) => setLayerId(chosen?.id ?? null),
          objects,
          missing,
          layerUrl,
          onTimeline,
          poses,
          ...spans,
        }}
      />
    </Panel>
  );
}

const noPoses: readonly TimelinePose[] = [];

/** Returns the poses of an episode; empty while loading. */
function usePoses({ id: episode_id, duration_s }: Episode): readonly TimelinePose[] {
  const { data, isPlaceholderData } = useAnswer(
    'get_poses',
    { episode_id },
    { when: duration_s > 0, stale_ms },
  );
  return data === undefined || isPlaceholderData ? noPoses : data.poses;
}
