import { requestOf } from '@assay/client';
import { useEffect, useRef, useState } from 'react';
import { useAnswer } from '../api/use-answer.ts';

interface EpisodePictureProps {
  readonly episode: { readonly id: string; readonly name: string; readonly duration_s: number };
  /** Where in the episode; absent: its middle. */
  readonly at_s?: number | undefined;
}

const width_px = 160;

/** What the first camera of an episode shows, asked for once the place of it comes into sight. */
export function EpisodePicture({ episode: { id: episode_id, name, duration_s }, at_s }: EpisodePictureProps) {
  const place = useRef<HTMLSpanElement>(null);
  const seen = useSeen(place);
  const streams = useAnswer('list_streams', { episode_id }, { when: seen });
  const [missing, setMissing] = useState<string | null>(null);
  const camera = streams.data?.items.find(({ links }) => links.frames !== null);
  const at = Math.round((at_s ?? duration_s / 2) * 10) / 10;
  const path =
    camera === undefined
      ? null
      : requestOf('get_frame', { episode_id, stream_id: camera.id, at_s: at, width_px }).path;
  const none = (missing !== null && missing === path) || (streams.data !== undefined && camera === undefined);
  return (
    <span ref={place} className={none ? 'still is-none' : 'still'}>
      {none && <span className="faint">no picture</span>}
      {!none && path !== null && (
        <img src={path} alt={`${name} at ${at} s`} onError={() => setMissing(path)} />
      )}
    </span>
  );
}

/** Whether an element has been in sight, or a little below it. */
function useSeen(place: React.RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null || seen) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, seen]);
  return seen;
}
