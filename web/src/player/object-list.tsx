import { useMemo } from 'react';
import { frameIndexAt, groupByCamera, type ObjectFrame, summariseLabels } from './frame-objects.ts';
import type { PlayClock } from './play-clock.ts';
import { useClock } from './use-clock.ts';

interface ObjectListProps {
  readonly clock: PlayClock;
  /** Annotated frames of a layer, by time. */
  readonly frames: readonly ObjectFrame[];
}

/** Objects that a layer found in the frames at the time of the clock, and all labels of the episode. */
export function ObjectList({ clock, frames }: ObjectListProps) {
  const cameras = useMemo(() => groupByCamera(frames), [frames]);
  // Text, so that the list is rendered only when another annotated frame is reached, not with every frame of the video.
  const key = useClock(clock, ({ time_s }) => cameras.map((own) => frameIndexAt(own, time_s)).join(' '));
  const indexes = key.split(' ').map(Number);
  const current = cameras.map((own, at) => own[indexes[at]]);
  const labels = useMemo(() => summariseLabels(frames), [frames]);
  if (labels.length === 0) return <p className="faint">The layer found no objects in this episode.</p>;
  return (
    <section className="player-objects" aria-label="Objects">
      {current.map(({ camera, objects }) => (
        <div key={camera}>
          <h4>
            {objects.length === 0 ? 'No objects' : `${objects.length} at this time`}
            {cameras.length > 1 && <span className="mono faint"> {camera}</span>}
          </h4>
          <ul>
            {objects.map(({ label, note }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: objects of a frame have no other identity
              <li key={at}>
                {label} <span className="number faint">{note}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <h4>In the episode</h4>
      <ul>
        {labels.map(({ label, frames: count, first_s }) => (
          <li key={label}>
            <button
              type="button"
              className="link"
              title={`Go to the first frame with ${label}`}
              onClick={() => clock.seek(first_s)}
            >
              {label}
            </button>{' '}
            <span className="number faint">
              {count} {count === 1 ? 'frame' : 'frames'}, from {first_s.toFixed(2)} s
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
