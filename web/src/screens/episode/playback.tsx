import { useMemo } from 'react';
import { type Episode, type Flag, requestOf } from '#client';
import type { Timeline } from '#quality/report/timeline';
import { useAnswer } from '../../api/use-answer.ts';
import { Panel } from '../../components/page.tsx';
import { layerTitle } from '../../components/words.ts';
import { Player } from '../../player/player.tsx';
import type { FilmSpan, PlayerLayer } from '../../player/types.ts';
import { Cameras } from './cameras.tsx';
import { useSpans } from './use-spans.ts';

/** Maximum number of columns that `get_playback` gives: one per sample up to a minute at 30 Hz. */
const columns_px = 2000;

interface PlaybackProps {
  readonly episode: Episode;
  readonly flags: readonly Flag[];
  /** Receives the timeline once it is drawn, and `null` when it is closed. */
  readonly onTimeline: (timeline: Timeline | null) => void;
}

/** The player of an episode; for a single picture, the picture. */
export function Playback({ episode, flags, onTimeline }: PlaybackProps) {
  const { id: episode_id, project_id, duration_s, streams } = episode;
  const playback = useAnswer('get_playback', { episode_id, width_px: columns_px }, { when: duration_s > 0 });
  const spans = useSpans(episode);
  const layers = useDrawnLayers(episode);
  if (duration_s === 0 || playback.isError) return <Cameras episode={episode} />;
  // The data of the previous episode is not shown as this one's.
  if (playback.data === undefined || playback.isPlaceholderData) return null;
  const { cameras, signals, omitted } = playback.data;
  if (cameras.length === 0 && signals.length === 0) return null;
  const spanUrl = ({ stream_id, ...span }: FilmSpan) =>
    requestOf('get_video', { episode_id, stream_id, ...span }).path;
  const layerUrl = (layer: PlayerLayer['id'], camera: string, t: number) =>
    requestOf('get_overlay', { project_id, episode_id, layer, camera, t, width_px: 640 }).path;
  return (
    <Panel title="Playback">
      <Player
        key={episode_id}
        {...{
          cameras,
          signals,
          streams,
          omitted,
          duration_s,
          flags,
          spanUrl,
          layers,
          layerUrl,
          onTimeline,
          ...spans,
        }}
      />
    </Panel>
  );
}

/** Layers that are drawn over frames. */
const drawnLayers = [
  'object_labels',
  'segmentation',
  'tracks',
  'body_pose',
  'hand_pose',
  'depth',
  'optical_flow',
] as const;

/** Returns the layers of an episode that can be drawn over its frames. */
function useDrawnLayers({ project_id, id: episode_id }: Episode): PlayerLayer[] {
  const { data } = useAnswer('list_episode_annotations', { project_id, episode_id });
  return useMemo(() => {
    const items = (data?.items ?? []).filter(
      ({ machine, ...of }) => machine !== null && of.episode_id === episode_id,
    );
    const ids = drawnLayers.filter((id) => items.some(({ layer }) => layer === id));
    return ids.map((id) => ({ id, title: layerTitle(id) }));
  }, [data, episode_id]);
}
