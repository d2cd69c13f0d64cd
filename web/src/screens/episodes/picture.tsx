import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type EpisodeSummary, requestOf } from '#client';
import { client } from '../../api/client.ts';

/** Delay in ms before an image is requested again after the service answered that it is busy. */
const again_ms = 1500;
const mostTries = 6;

interface PictureProps {
  readonly episode: EpisodeSummary;
  /** Time in seconds since the start of the episode; absent for its middle. */
  readonly moment_s?: number | undefined;
}

/** Image of the first camera of an episode. */
export function Picture({ episode: { id: episode_id, duration_s, name }, moment_s }: PictureProps) {
  const camera = useQuery({
    queryKey: ['first_camera', episode_id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { items } = await client.episodes.listStreams({ episode_id }, { signal });
      return items.find(({ links }) => links.frames !== null)?.id ?? null;
    },
  });
  const [tries, setTries] = useState(0);
  const [state, setState] = useState<'shown' | 'waits' | 'missing'>('shown');
  useEffect(() => {
    if (state !== 'waits') return undefined;
    const timer = setTimeout(() => {
      setTries((before) => before + 1);
      setState('shown');
    }, again_ms);
    return () => clearTimeout(timer);
  }, [state]);
  if (camera.data === null) return <span className="picture is-none">no camera</span>;
  if (camera.isLoadingError || state === 'missing') return <span className="picture is-none">no frame</span>;
  if (camera.data === undefined || state === 'waits') return <span className="picture is-none">…</span>;
  const at_s = Math.round(10 * (moment_s ?? duration_s / 2)) / 10;
  const { path } = requestOf('get_frame', { episode_id, stream_id: camera.data, at_s, width_px: 320 });
  return (
    <img
      key={tries}
      className="picture"
      src={path}
      alt={`${name} at ${at_s} s`}
      loading="lazy"
      decoding="async"
      onError={() => setState(tries < mostTries ? 'waits' : 'missing')}
    />
  );
}
