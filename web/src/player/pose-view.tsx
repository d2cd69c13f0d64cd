import { useEffect, useId, useMemo, useRef, useState } from 'react';
import {
  boxOf,
  describeTrack,
  fastestOf,
  formatLength,
  type PoseTrack,
  pointAt,
  type Timeline,
  type TimelinePose,
  toTrack,
} from '#quality/report/timeline';
import { number } from '#quality/report/views';
import type { PlayClock } from './play-clock.ts';
import type { Colouring, PoseScene } from './pose-scene.ts';

interface PoseViewProps {
  readonly poses: readonly TimelinePose[];
  readonly timeline: Timeline | null;
  readonly clock: PlayClock;
}

/** Poses of an episode in space, in step with its timeline, with their positions in words below. */
export function PoseView({ poses, timeline, clock }: PoseViewProps) {
  const tracks = useMemo(() => poses.map(toTrack), [poses]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [colouring, setColouring] = useState<Colouring>('speed');
  const { place, scene, problem } = usePoseScene(tracks, timeline, clock);
  useEffect(() => scene?.setHidden(hidden), [scene, hidden]);
  useEffect(() => scene?.setColouring(colouring), [scene, colouring]);
  const toggle = (label: string) => {
    const next = new Set(hidden);
    if (!next.delete(label)) next.add(label);
    setHidden(next);
  };
  const hasMarks = (timeline?.marks.length ?? 0) > 0;
  return (
    <figure className="pose-view" aria-label="Poses in 3D">
      {problem === null ? (
        <div ref={place} className="pose-place" />
      ) : (
        <p className="player-none">{problem}</p>
      )}
      <figcaption>
        {problem === null && (
          <div className="pose-controls">
            {hasMarks && <ColourChoice value={colouring} onChoose={setColouring} />}
            <button type="button" className="quiet" onClick={() => scene?.reset()}>
              Reset view
            </button>
            {scene !== null && <SceneNote {...{ tracks, hidden, colouring }} />}
          </div>
        )}
        <PoseList {...{ tracks, hidden, timeline, onToggle: toggle }} />
        {tracks.length > 1 && (
          <p className="faint">
            Drawn as recorded. The recording does not state whether these poses share a coordinate frame.
          </p>
        )}
      </figcaption>
    </figure>
  );
}

const noGraphics = 'This browser cannot draw in 3D: WebGL is not available. The positions are listed below.';

/** Creates the 3D view in `place`, or returns the reason why it cannot be drawn. */
function usePoseScene(tracks: readonly PoseTrack[], timeline: Timeline | null, clock: PlayClock) {
  const place = useRef<HTMLDivElement>(null);
  const current = useRef(timeline);
  current.current = timeline;
  const [scene, setScene] = useState<PoseScene | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let created: PoseScene | null = null;
    let isClosed = false;
    const create = async () => {
      const module = await import('./pose-scene.ts').catch(() => null);
      if (isClosed || place.current === null) return;
      if (module === null)
        return setProblem('The 3D view could not be loaded. Reload the page to try again.');
      try {
        created = new module.PoseScene({
          tracks,
          onPoint: (time_s) => current.current?.moveCursor(time_s),
          onSeek: clock.seek,
          onLost: () =>
            isClosed || setProblem('The browser stopped drawing in 3D. Reload the page to try again.'),
        });
      } catch {
        return setProblem(noGraphics);
      }
      place.current.replaceChildren(created.element);
      setScene(created);
    };
    void create();
    return () => {
      isClosed = true;
      setScene(null);
      created?.close();
    };
  }, [tracks, clock]);
  useEffect(() => {
    if (scene === null || timeline === null) return;
    scene.setMarks(timeline.marks);
    return timeline.attach(scene);
  }, [scene, timeline]);
  return { place, scene, problem };
}

interface ColourChoiceProps {
  readonly value: Colouring;
  readonly onChoose: (colouring: Colouring) => void;
}

function ColourChoice({ value, onChoose }: ColourChoiceProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <span role="group" aria-label="Colour of the paths">
      {(['speed', 'flags'] as const).map((colouring) => (
        <button
          key={colouring}
          type="button"
          className="quiet"
          aria-pressed={value === colouring}
          onClick={() => onChoose(colouring)}
        >
          {colouring === 'speed' ? 'Speed' : 'Flags'}
        </button>
      ))}
    </span>
  );
}

interface ShownTracks {
  readonly tracks: readonly PoseTrack[];
  /** Labels of hidden poses. */
  readonly hidden: ReadonlySet<string>;
}

/** Scale, directions and colours of the scene. */
function SceneNote({ tracks, hidden, colouring }: ShownTracks & { readonly colouring: Colouring }) {
  const shown = tracks.filter(({ pose }) => !hidden.has(pose.label));
  if (shown.length === 0) return null;
  const { step, ground } = boxOf(shown);
  const { unit, pose } = shown.find(({ pose: each }) => each.unit !== null) ?? shown[0];
  const height = pose.z_axis === 'down' ? -ground : ground;
  const fastest = fastestOf(shown);
  return (
    <>
      {colouring === 'speed' && fastest > 0 && (
        <span className="path-legend">
          0 <i /> {number(fastest, 2)} {unit}/s
        </span>
      )}
      <span className="faint">
        Grid {formatLength(step, unit)} at z = {number(height, 3)} · z axis points {pose.z_axis}
      </span>
    </>
  );
}

interface PoseListProps extends ShownTracks {
  readonly timeline: Timeline | null;
  readonly onToggle: (label: string) => void;
}

/** Poses with their streams and their positions at the cursor; each can be hidden. */
function PoseList({ tracks, hidden, timeline, onToggle }: PoseListProps) {
  const id = useId();
  const readings = useRef<(HTMLElement | null)[]>([]);
  const hasMetres = tracks.some(({ pose }) => pose.unit !== null);
  useEffect(() => {
    const read = (time_s: number | null) => {
      for (const [i, track] of tracks.entries()) {
        const element = readings.current[i];
        if (element) element.textContent = time_s === null ? '' : readingAt(track, time_s);
      }
    };
    return timeline?.attach({ draw: () => {}, read });
  }, [timeline, tracks]);
  return (
    <ul className="pose-list">
      {tracks.map((track, i) => {
        const { label, stream_id } = track.pose;
        return (
          <li key={label}>
            <label htmlFor={`${id}-${i}`} title={describeTrack(track)}>
              <input
                id={`${id}-${i}`}
                type="checkbox"
                checked={!hidden.has(label)}
                onChange={() => onToggle(label)}
              />{' '}
              {label}
            </label>
            <span
              className="reading"
              ref={(element) => {
                readings.current[i] = element;
              }}
            />
            <span className="faint">
              <code>{stream_id}</code>
              {notesOn(track, hasMetres).map((note) => ` · ${note}`)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Says what is unknown about a pose. */
function notesOn({ pose }: PoseTrack, hasMetres: boolean): string[] {
  const { unit, orientation_problem: problem } = pose;
  return [
    ...(unit === null ? [hasMetres ? 'unit not stated, drawn in metres' : 'unit not stated'] : []),
    ...(problem === null ? [] : [`orientation not drawn: ${problem}`]),
  ];
}

/** Returns the position at a time in words; `–` if there is none. */
function readingAt(track: PoseTrack, time_s: number): string {
  const at = pointAt(track, time_s);
  if (at === null) return '–';
  const { x, y, z, unit } = track.pose;
  const text = [x, y, z].map((axis, i) => `${'xyz'[i]} ${number(axis[at], 3)}`).join(' ');
  return unit === null ? text : `${text} ${unit}`;
}
