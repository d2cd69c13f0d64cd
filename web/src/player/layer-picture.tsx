import { useEffect, useState } from 'react';
import { LayerLoader, type LayerState } from './layer-loader.ts';
import type { PlayClock } from './play-clock.ts';

interface LayerPictureProps {
  readonly clock: PlayClock;
  /** Returns the address of the annotated frame at a time in seconds. */
  readonly urlAt: (time_s: number) => string;
  readonly alt: string;
}

/** The annotated frame of a camera at the time of a clock, or the reason why there is none. */
export function LayerPicture({ clock, urlAt, alt }: LayerPictureProps) {
  const [state, setState] = useState<LayerState | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    const loader = new LayerLoader({ clock, urlAt, onState: setState });
    return () => {
      loader.close();
      setState(null);
    };
  }, [clock, urlAt, attempt]);
  if (state === null) return null;
  if (state.is === 'shown') return <img className="player-layer" src={state.src} alt={alt} />;
  if (state.is === 'missing')
    return <p className="player-layer-note">No output of this layer for this camera at this time</p>;
  return (
    <p className="player-layer-note" role="alert">
      {state.why}{' '}
      <button type="button" className="button" onClick={() => setAttempt(attempt + 1)}>
        Try again
      </button>
    </p>
  );
}
