import { type KeyboardEvent, useMemo, useRef } from 'react';
import { type PlayClock, speeds } from './play-clock.ts';
import type { PlayerMark } from './types.ts';

export interface PlayerActions {
  frame(by: number): void;
  /** To the next mark, or the one before. */
  mark(direction: 1 | -1): void;
  choose(mark: PlayerMark): void;
  /** Begins or ends to play the mark at hand again and again. */
  readonly loop: () => void;
  readonly key: (event: KeyboardEvent) => void;
}

const usualRate_hz = 30;
/** Two marks within this begin at one place. */
const same_s = 1e-3;

/** What a person does to the clock. `marks` rise by their beginning. */
export function useActions(
  clock: PlayClock,
  marks: readonly PlayerMark[],
  rate_hz: number | null,
): PlayerActions {
  const chosen = useRef<PlayerMark | null>(null);
  return useMemo(() => {
    const frame = (by: number) => {
      clock.pause();
      const rate = rate_hz ?? usualRate_hz;
      clock.seek((Math.floor(clock.time_s * rate + same_s) + by) / rate);
    };
    const choose = (mark: PlayerMark) => {
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
      const at = (mark: PlayerMark) => mark.from_s <= clock.time_s + same_s && mark.to_s >= clock.time_s;
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
      // The screen around it may know the same key.
      event.stopPropagation();
      act(event.shiftKey);
    };
    return { frame, mark: step, choose, loop, key };
  }, [clock, marks, rate_hz]);
}

/** A list that is open, and a field, have their own use of keys. */
const takesKeys = (target: EventTarget): boolean =>
  !(target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement);

/** A button is pressed by the space bar. */
const isPressed = (key: string, target: EventTarget): boolean =>
  key === ' ' && target instanceof HTMLButtonElement;
