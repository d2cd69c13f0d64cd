import { useEffect, useMemo, useState } from 'react';
import { listMarks, type Timeline } from '#quality/report/timeline';
import { CameraView } from './camera-view.tsx';
import { Controls } from './controls.tsx';
import { KeyHelp } from './key-help.tsx';
import { PlayClock } from './play-clock.ts';
import './player.css';
import { TimelineView } from './timeline-view.tsx';
import type { PlayerMark, PlayerProps } from './types.ts';
import { useActions } from './use-actions.ts';
import { useClock } from './use-clock.ts';

/** Plays all cameras of an episode in step with a timeline of its signals, flags and annotations. */
export function Player(props: PlayerProps) {
  const { cameras, spanUrl, layers, layerUrl, duration_s, flags, segments, captions, onTimeline } = props;
  const clock = useMemo(() => new PlayClock(duration_s), [duration_s]);
  useEffect(() => clock.pause, [clock]);
  const marks = useMemo(
    () => [...listMarks(flags), ...segments].sort((a, b) => a.from_s - b.from_s),
    [flags, segments],
  );
  const [timeline, setTimeline] = useState<Timeline | null>(null);
  useEffect(() => onTimeline(timeline), [onTimeline, timeline]);
  const [helps, setHelps] = useState(false);
  const [layerId, setLayerId] = useState('');
  const layer = layers.find(({ id }) => id === layerId) ?? null;
  const rate_hz = cameras.find((camera) => camera.rate_hz !== null)?.rate_hz ?? null;
  const actions = useActions({ clock, marks, rate_hz, timeline, onHelp: () => setHelps(true) });
  return (
    <section
      className="player"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys, as its label says
      tabIndex={0}
      aria-label="Player. Space plays and pauses. Press the question mark for all keys."
      onKeyDown={actions.key}
    >
      {cameras.length > 0 && (
        <div className="player-pictures">
          <div className={`player-cameras${cameras.length > 2 ? ' is-grid' : ''}`}>
            {cameras.map((camera) => (
              <CameraView key={camera.stream_id} {...{ camera, clock, spanUrl, layer, layerUrl }} />
            ))}
          </div>
          {layers.length > 0 && (
            <label className="player-layers">
              Layer over the video
              <select value={layerId} onChange={({ target }) => setLayerId(target.value)}>
                <option value="">None</option>
                {layers.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
          )}
          {captions.length > 0 && <Caption clock={clock} captions={captions} />}
        </div>
      )}
      <div className="player-signals">
        <Controls clock={clock} actions={actions} hasMarks={marks.length > 0} />
        <TimelineView {...props} clock={clock} onTimeline={setTimeline} />
      </div>
      {helps && <KeyHelp onClose={() => setHelps(false)} />}
    </section>
  );
}

function Caption({
  clock,
  captions,
}: {
  readonly clock: PlayClock;
  readonly captions: readonly PlayerMark[];
}) {
  const text = useClock(clock, ({ time_s }) => {
    const now = captions.findLast(({ from_s, to_s }) => from_s <= time_s && time_s < to_s);
    return now?.label ?? '';
  });
  return <p className="player-caption">{text}</p>;
}
