import { type PointerEvent, useEffect, useMemo } from 'react';
import { CameraView } from './camera-view.tsx';
import { Controls } from './controls.tsx';
import { MarkLane } from './mark-lane.tsx';
import { PlayClock } from './play-clock.ts';
import './player.css';
import { SignalLane } from './signal-lane.tsx';
import type { PlayerMark, PlayerProps } from './types.ts';
import { useActions } from './use-actions.ts';
import { useClock } from './use-clock.ts';

/** All cameras of an episode in step with its signals, flags and segments. */
export function Player(props: PlayerProps) {
  const { cameras, spanUrl, duration_s, signals, flags, segments, captions } = props;
  const clock = useMemo(() => new PlayClock(duration_s), [duration_s]);
  useEffect(() => clock.pause, [clock]);
  const marks = useMemo(() => [...flags, ...segments].sort((a, b) => a.from_s - b.from_s), [flags, segments]);
  const rate_hz = cameras.find((camera) => camera.rate_hz !== null)?.rate_hz ?? null;
  const actions = useActions(clock, marks, rate_hz);
  return (
    <section
      className="player"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys, as its label says
      tabIndex={0}
      aria-label="Player. Space: play or pause. Left and right arrow: move by 1 second, with Shift by 5. Comma and period: move by 1 frame. N and P: next and previous marker. L: loop the marker. Plus and minus: change the speed."
      onKeyDown={actions.key}
    >
      <div className="player-cameras">
        {cameras.map((camera) => (
          <CameraView key={camera.stream_id} camera={camera} clock={clock} spanUrl={spanUrl} />
        ))}
      </div>
      {captions.length > 0 && <Caption clock={clock} captions={captions} />}
      <Controls clock={clock} actions={actions} hasMarks={marks.length > 0} />
      <div
        className="player-timeline"
        onPointerDown={(event) => point(event, clock)}
        onPointerMove={(event) => event.buttons === 1 && point(event, clock)}
      >
        <MarkLane name="Flags" marks={flags} duration_s={duration_s} onChoose={actions.choose} />
        <MarkLane name="Segments" marks={segments} duration_s={duration_s} onChoose={actions.choose} />
        {signals.map((signal) => (
          <SignalLane key={signal.stream_id} signal={signal} duration_s={duration_s} />
        ))}
        <Position clock={clock} />
      </div>
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

/** Where the clock is: a line over all lanes, and a slider for who moves it without a pointer. */
function Position({ clock }: { readonly clock: PlayClock }) {
  const time_s = useClock(clock, (own) => own.time_s);
  const share = clock.duration_s === 0 ? 0 : time_s / clock.duration_s;
  return (
    <>
      <div className="player-lane">
        <span className="player-lane-name">Time</span>
        <input
          type="range"
          aria-label="Time in seconds"
          min={0}
          max={clock.duration_s}
          step="any"
          value={time_s}
          onChange={({ target }) => clock.seek(Number(target.value))}
        />
      </div>
      <div className="player-cursor" aria-hidden="true">
        <div style={{ left: `${100 * share}%` }} />
      </div>
    </>
  );
}

/** Goes to the time under the pointer, on the lanes of signals. */
function point({ target, clientX }: PointerEvent, clock: PlayClock): void {
  if (!(target instanceof HTMLCanvasElement)) return;
  const { left, width } = target.getBoundingClientRect();
  if (width > 0) clock.seek(((clientX - left) / width) * clock.duration_s);
}
