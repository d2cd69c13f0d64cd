import type { PlayerMark } from './types.ts';

interface MarkLaneProps {
  readonly name: string;
  readonly marks: readonly PlayerMark[];
  readonly duration_s: number;
  readonly onChoose: (mark: PlayerMark) => void;
}

/** Marks of one kind over the episode; choosing one goes there. */
export function MarkLane({ name, marks, duration_s, onChoose }: MarkLaneProps) {
  if (marks.length === 0 || duration_s === 0) return null;
  const share = (time_s: number) => `${(100 * Math.min(duration_s, Math.max(0, time_s))) / duration_s}%`;
  return (
    <div className="player-lane">
      <span className="player-lane-name">{name}</span>
      <div className="player-marks">
        {marks.map((mark) => (
          <button
            key={`${mark.label} ${mark.from_s} ${mark.to_s}`}
            type="button"
            tabIndex={-1}
            className={`player-mark is-${mark.severity ?? 'plain'}`}
            style={{ left: share(mark.from_s), width: share(mark.to_s - mark.from_s) }}
            title={`${mark.label}, ${mark.from_s.toFixed(2)} to ${mark.to_s.toFixed(2)} s`}
            aria-label={`${mark.label} at ${mark.from_s.toFixed(2)} s`}
            onClick={() => onChoose(mark)}
          >
            <span>{mark.severity === undefined ? mark.label : ''}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
