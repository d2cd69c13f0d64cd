import { useEffect, useRef } from 'react';
import { type Path, PathMap, type Timeline } from '#quality/report/timeline';
import type { PlayClock } from './play-clock.ts';

interface PathViewProps {
  readonly path: Path;
  readonly timeline: Timeline | null;
  readonly clock: PlayClock;
}

/** Map of an episode's path, in step with its timeline: hover to read, click to seek. */
export function PathView({ path, timeline, clock }: PathViewProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null || timeline === null) return;
    const { marks } = timeline;
    const onPoint = (time_s: number | null) => timeline.moveCursor(time_s);
    const map = new PathMap({ path, marks, onPoint, onSeek: clock.seek });
    place.current.replaceChildren(map.element);
    return timeline.attach(map);
  }, [path, timeline, clock]);
  return <div ref={place} />;
}
