import { type KeyboardEvent, useMemo, useRef } from 'react';
import type { Span, Timeline } from '#quality/report/timeline';
import { type PlayClock, speeds } from './play-clock.ts';

/** Actions of the player's buttons and keys. */
export interface PlayerActions {
  frame(by: number): void;
  /** Goes to the next mark (1), or the one before (-1). */
  mark(direction: 1 | -1): void;
  /** Starts or stops to loop the current mark. */
  readonly loop: () => void;
  readonly help: () => void;
  readonly key: (event: KeyboardEvent) => void;
}

interface ActionOptions {
  readonly clock: PlayClock;
  /** Marks to step through, sorted by start. */
  readonly marks: readonly Span[];
  /** Frame rate of the cameras; `null` if unknown. */
  readonly rate_hz: number | null;
  readonly timeline: Timeline | null;
  readonly onHelp: () => void;
}

const usualRate_hz = 30;
/** Marks that start within this time of each other count as one place. */
const same_s = 1e-3;

/** Returns the actions of a player, and a handler of its keys. */
export function useActions({ clock, marks, rate_hz, timeline, onHelp }: ActionOptions): PlayerActions {
  const chosen = useRef<Span | null>(null);
  const help = useRef(onHelp);
  help.current = onHelp;
  return useMemo(() => {
    const frame = (by: number) => {
      clock.pause();
      const rate = rate_hz ?? usualRate_hz;
      clock.seek((Math.floor(clock.time_s * rate + same_s) + by) / rate);
    };
    const choose = (mark: Span) => {
      chosen.current = mark;
      if (clock.loop === null) clock.seek(mark.from_s);
      else clock.setLoop(mark);
    };
    const step = (direction: 1 | -1) => {
      const next =
        direction > 0
          ? (marks.find(({ from_s }) => from_s > clock.time_s + same_s) ?? marks[0])
          : (marks.findLast(({ from_s }) => from_s < clock.time_s - same_s) ?? marks.at(-1));
      if (next !== undefined) choose(next);
    };
    const loop = () => {
      const at = (mark: Span) => mark.from_s <= clock.time_s + same_s && mark.to_s >= clock.time_s;
      if (clock.loop === null) clock.setLoop(marks.findLast(at) ?? chosen.current ?? marks[0] ?? null);
      else clock.setLoop(null);
    };
    const speed = (by: number) => {
      const at = speeds.findIndex((each) => each >= clock.speed);
      clock.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, at + by))]);
    };
    const keys: Readonly<Record<string, (isFar: boolean) => void>> = {
      ' ': () => clock.toggle(),
      ArrowLeft: (isFar) => clock.seek(clock.time_s - (isFar ? 5 : 1)),
      ArrowRight: (isFar) => clock.seek(clock.time_s + (isFar ? 5 : 1)),
      ',': () => frame(-1),
      '.': () => frame(1),
      n: () => step(1),
      p: () => step(-1),
      l: loop,
      '-': () => speed(-1),
      '+': () => speed(1),
      i: () => timeline?.zoom(0.5),
      o: () => timeline?.zoom(2),
      0: () => timeline?.showWhole(),
      '?': () => help.current(),
      Home: () => clock.seek(0),
      End: () => clock.seek(clock.duration_s),
    };
    const key = (event: KeyboardEvent) => {
      const isOurs =
        !event.altKey &&
        !event.ctrlKey &&
        !event.metaKey &&
        takesKeys(event.target) &&
        !isPressed(event.key, event.target);
      const act = isOurs ? keys[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      // The screen may use the same key.
      event.stopPropagation();
      act(event.shiftKey);
    };
    return { frame, mark: step, loop, help: () => help.current(), key };
  }, [clock, marks, rate_hz, timeline]);
}

/** False for elements that use all keys themselves. */
const takesKeys = (target: EventTarget): boolean =>
  !(target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement);

/** True for the space bar on a button, which presses it. */
const isPressed = (key: string, target: EventTarget): boolean =>
  key === ' ' && target instanceof HTMLButtonElement;
