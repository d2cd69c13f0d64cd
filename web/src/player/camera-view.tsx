import { useEffect, useRef, useState } from 'react';
import { Film, type FilmState } from './film.ts';
import type { PlayClock } from './play-clock.ts';
import type { PlayerCamera, PlayerProps } from './types.ts';

interface CameraViewProps extends Pick<PlayerProps, 'spanUrl'> {
  readonly camera: PlayerCamera;
  readonly clock: PlayClock;
}

/** The video of one camera, in step with the clock. */
export function CameraView({ camera, clock, spanUrl }: CameraViewProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<FilmState>({ is: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const address = useRef(spanUrl);
  address.current = spanUrl;
  const { stream_id, mime, part_s, problem } = camera;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt makes another film
  useEffect(() => {
    if (video.current === null || problem !== null) return;
    const own = { stream_id, mime, part_s, problem, rate_hz: null };
    const film = new Film(video.current, {
      ...{ camera: own, clock, onState: setState },
      spanUrl: (span) => address.current(span),
    });
    return () => film.close();
  }, [clock, stream_id, mime, part_s, problem, attempt]);
  const again = () => {
    setState({ is: 'loading' });
    setAttempt(attempt + 1);
  };
  const why = problem ?? (state.is === 'failed' ? state.why : null);
  return (
    <figure className="player-camera" data-state={problem === null ? state.is : 'failed'}>
      {why === null ? (
        <video ref={video} muted playsInline preload="auto" disablePictureInPicture aria-label={stream_id} />
      ) : (
        <p className="player-none">
          {why}
          {problem === null && (
            <button type="button" className="button" onClick={again}>
              Try again
            </button>
          )}
        </p>
      )}
      <figcaption className="mono">
        {stream_id}
        {why === null && state.is === 'loading' && <span className="faint"> loading…</span>}
      </figcaption>
    </figure>
  );
}
