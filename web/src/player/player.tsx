import { useEffect, useMemo, useState } from 'react';
import { findPath, type Timeline } from '#quality/report/timeline';
import { CameraView } from './camera-view.tsx';
import { Controls } from './controls.tsx';
import { KeyHelp } from './key-help.tsx';
import { LayerChoice } from './layer-choice.tsx';
import { PathView } from './path-view.tsx';
import { PlayClock } from './play-clock.ts';
import './player.css';
import { PoseView } from './pose-view.tsx';
import { toSignalStreams } from './signals.ts';
import { TimelineView } from './timeline-view.tsx';
import type { PlayerMark, PlayerProps } from './types.ts';
import { useActions } from './use-actions.ts';
import { useClock } from './use-clock.ts';

/** Plays all cameras of an episode in step with a timeline of its signals, flags and annotations. */
export function Player(props: PlayerProps) {
  const { cameras, spanUrl, layers, layer, onLayer, objects, missing, layerUrl } = props;
  const { duration_s, signals, streams, segments, captions, poses, onTimeline } = props;
  const ownClock = useMemo(() => new PlayClock(duration_s), [duration_s]);
  const clock = props.clock ?? ownClock;
  useEffect(() => clock.pause, [clock]);
  const [timeline, setTimeline] = useState<Timeline | null>(null);
  useEffect(() => {
    onTimeline(timeline);
    return () => onTimeline(null);
  }, [onTimeline, timeline]);
  const marks = useMemo(
    () => [...(timeline?.marks ?? []), ...segments].sort((a, b) => a.from_s - b.from_s),
    [timeline, segments],
  );
  const path = useMemo(
    () => findPath(toSignalStreams(signals, streams, duration_s)),
    [signals, streams, duration_s],
  );
  const [helps, setHelps] = useState(false);
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
      {(cameras.length > 0 || path !== null || poses.length > 0) && (
        <div className="player-pictures">
          <div className={`player-cameras${cameras.length > 2 ? ' is-grid' : ''}`}>
            {cameras.map((camera) => (
              <CameraView
                key={camera.stream_id}
                {...{ camera, clock, duration_s, spanUrl, layer, layerUrl }}
              />
            ))}
          </div>
          {cameras.length > 0 && <LayerChoice {...{ clock, layers, layer, onLayer, objects, missing }} />}
          {captions.length > 0 && <Caption clock={clock} captions={captions} />}
          {path !== null && <PathView {...{ path, timeline, clock }} />}
          {poses.length > 0 && <PoseView {...{ poses, timeline, clock }} />}
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
