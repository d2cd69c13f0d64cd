import { useEffect, useRef } from 'react';
import type { PlayerSignal } from './types.ts';

interface SignalLaneProps {
  readonly signal: PlayerSignal;
  readonly duration_s: number;
}

const height_px = 56;
const inset_px = 4;
const golden_deg = 137.5;

/** A stream's dimensions over the episode, each as a band from least to greatest value on a scale of its own. */
export function SignalLane({ signal, duration_s }: SignalLaneProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const redraw = () => draw(element, signal, duration_s);
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', redraw);
    return () => {
      observer.disconnect();
      theme.removeEventListener('change', redraw);
    };
  }, [signal, duration_s]);
  const { stream_id, dimensions } = signal;
  const names = dimensions.map(({ index, name }) => name ?? index).join(', ');
  return (
    <div className="player-lane">
      <span className="player-lane-name mono" title={names}>
        {stream_id} <span className="faint">{dimensions.length}</span>
      </span>
      <canvas ref={canvas} style={{ height: height_px }} role="img" aria-label={`${stream_id}: ${names}`} />
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, { at, axis, dimensions }: PlayerSignal, duration_s: number): void {
  const { clientWidth: width } = canvas;
  const context = canvas.getContext('2d');
  if (context === null || width === 0 || duration_s === 0) return;
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height_px * devicePixelRatio);
  context.scale(devicePixelRatio, devicePixelRatio);
  const whole = axis === 'time_s' ? duration_s : Math.max(1, at.at(-1) ?? 1);
  const x = (place: number) => (at[place] / whole) * width;
  for (const [order, { min, max }] of dimensions.entries()) {
    const colour = `hsl(${(205 + order * golden_deg) % 360} 55% 50%)`;
    context.strokeStyle = colour;
    context.fillStyle = colour;
    band(context, { min, max, x });
  }
}

interface Band {
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  readonly x: (place: number) => number;
}

function band(context: CanvasRenderingContext2D, { min, max, x }: Band): void {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of min) if (value !== null && value < low) low = value;
  for (const value of max) if (value !== null && value > high) high = value;
  const scale = high > low ? (height_px - 2 * inset_px) / (high - low) : 0;
  const y = (value: number) => (scale === 0 ? height_px / 2 : height_px - inset_px - (value - low) * scale);
  context.beginPath();
  let isOpen = false;
  for (const [place, least] of min.entries()) {
    const greatest = max[place];
    if (least === null || greatest === null) {
      isOpen = false;
      continue;
    }
    if (isOpen) context.lineTo(x(place), y(greatest));
    else context.moveTo(x(place), y(greatest));
    if (greatest > least) context.lineTo(x(place), y(least));
    isOpen = true;
  }
  context.stroke();
}
