import { type PlayClock, speeds } from './play-clock.ts';
import type { PlayerActions } from './use-actions.ts';
import { useClock } from './use-clock.ts';

interface ControlsProps {
  readonly clock: PlayClock;
  readonly actions: PlayerActions;
  readonly hasMarks: boolean;
}

/** Buttons of the player, and its time. */
export function Controls({ clock, actions, hasMarks }: ControlsProps) {
  const playing = useClock(clock, (own) => own.playing);
  const waiting = useClock(clock, (own) => own.waiting);
  const speed = useClock(clock, (own) => own.speed);
  const loops = useClock(clock, (own) => own.loop !== null);
  const time = useClock(clock, (own) => own.time_s.toFixed(2));
  return (
    <div className="player-controls">
      <button type="button" className="button is-main" title="Play or pause (space)" onClick={clock.toggle}>
        {playing ? 'Pause' : 'Play'}
      </button>
      <span className="player-steps">
        <Step label="Previous frame (,)" text="‹" onAct={() => actions.frame(-1)} />
        <Step label="Next frame (.)" text="›" onAct={() => actions.frame(1)} />
        {hasMarks && <Step label="Previous marker (p)" text="« marker" onAct={() => actions.mark(-1)} />}
        {hasMarks && <Step label="Next marker (n)" text="marker »" onAct={() => actions.mark(1)} />}
        {hasMarks && (
          <button
            type="button"
            className="button"
            aria-pressed={loops}
            title="Loop the current marker (l)"
            onClick={actions.loop}
          >
            Loop
          </button>
        )}
      </span>
      <label className="player-speed">
        Speed
        <select value={speed} onChange={({ target }) => clock.setSpeed(Number(target.value))}>
          {speeds.map((each) => (
            <option key={each} value={each}>
              {each}×
            </option>
          ))}
        </select>
      </label>
      <Position clock={clock} />
      <span className="player-time mono">
        {time} / {clock.duration_s.toFixed(2)} s
      </span>
      <span className="faint" role="status">
        {waiting ? 'buffering' : ''}
      </span>
      <button
        type="button"
        className="quiet"
        title="Keys (?)"
        aria-label="Show all keys"
        onClick={actions.help}
      >
        ?
      </button>
    </div>
  );
}

/** Slider of the time, for the keyboard and for touch. */
function Position({ clock }: { readonly clock: PlayClock }) {
  const time_s = useClock(clock, (own) => own.time_s);
  return (
    <input
      type="range"
      className="player-position"
      aria-label="Time in seconds"
      min={0}
      max={clock.duration_s}
      step="any"
      value={time_s}
      onChange={({ target }) => clock.seek(Number(target.value))}
    />
  );
}

function Step(props: { readonly label: string; readonly text: string; readonly onAct: () => void }) {
  const { label, text, onAct } = props;
  return (
    <button type="button" className="button" title={label} aria-label={label} onClick={onAct}>
      {text}
    </button>
  );
}
