import { useEffect, useRef } from 'react';
import {
  type Axis,
  flagGroup,
  type LaneGroup,
  SpanLane,
  signalGroups,
  Timeline,
} from '#quality/report/timeline';
import type { PlayClock } from './play-clock.ts';
import { toSignalStreams } from './signals.ts';
import type { PlayerMark, PlayerProps } from './types.ts';

type TimelineViewProps = Omit<PlayerProps, 'cameras' | 'spanUrl' | 'clock'> & {
  readonly clock: PlayClock;
  /** Receives the timeline once it is drawn, and `null` when it is closed. */
  readonly onTimeline: (timeline: Timeline | null) => void;
};

/** The timeline of an episode, in step with a clock: click to seek, drag to zoom. */
export function TimelineView(props: TimelineViewProps) {
  const { clock, duration_s, signals, streams, omitted, flags, segments, captions, onTimeline } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const drawn = toSignalStreams(signals, streams, duration_s);
    const timeline = new Timeline({
      ...{ flags, duration_s, omitted, onSeek: clock.seek },
      axes: drawn.flatMap(({ columns }) => columns.slice(0, 1).map(({ axis }) => rangeOfAxis(axis))),
      groups: (marks, choose) =>
        [
          flagGroup(flags, marks, choose),
          spanGroup(segments, captions),
          ...signalGroups(drawn, marks),
        ].filter((group) => group !== null),
    });
    place.current.replaceChildren(timeline.element);
    timeline.draw();
    timeline.showTime(clock.time_s);
    onTimeline(timeline);
    const unsubscribe = clock.subscribe(() => timeline.showTime(clock.time_s));
    const stopTheme = watchTheme(() => timeline.refreshTheme());
    return () => {
      unsubscribe();
      stopTheme();
      timeline.close();
      onTimeline(null);
    };
  }, [clock, duration_s, signals, streams, omitted, flags, segments, captions, onTimeline]);
  return <div className="player-timeline" ref={place} />;
}

const rangeOfAxis = ({ first, last, count }: Axis) => ({
  from: first[0] ?? Number.NaN,
  to: last[count - 1] ?? Number.NaN,
});

function spanGroup(segments: readonly PlayerMark[], captions: readonly PlayerMark[]): LaneGroup | null {
  const toSpans = (marks: readonly PlayerMark[]) =>
    marks.map(({ label, ...span }) => ({ ...span, text: label }));
  const lanes = [
    ...(segments.length > 0 ? [new SpanLane('segments', toSpans(segments))] : []),
    ...(captions.length > 0 ? [new SpanLane('captions', toSpans(captions))] : []),
  ];
  return lanes.length === 0 ? null : { title: 'Annotations', about: [], lanes, more: [] };
}

/** Calls `onChange` when the theme of the page or of the system changes. Returns a function that stops it. */
function watchTheme(onChange: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const page = new MutationObserver(onChange);
  system.addEventListener('change', onChange);
  page.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', onChange);
    page.disconnect();
  };
}
