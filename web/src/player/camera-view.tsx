import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { Film, type FilmState } from './film.ts';
import { LayerPicture } from './layer-picture.tsx';
import type { PlayClock } from './play-clock.ts';
import type { PlayerCamera, PlayerLayer, PlayerProps } from './types.ts';

interface CameraViewProps extends Pick<PlayerProps, 'duration_s' | 'spanUrl' | 'layerUrl'> {
  readonly camera: PlayerCamera;
  readonly clock: PlayClock;
  /** Layer that is drawn over the video; `null` for the video alone. */
  readonly layer: PlayerLayer | null;
}

/** The video of one camera, in step with the clock. */
export function CameraView({ camera, clock, duration_s, spanUrl, layer, layerUrl }: CameraViewProps) {
  const video = useRef<HTMLVideoElement>(null);
  const { state, retry } = useFilm(video, { camera, clock, duration_s, spanUrl });
  const { stream_id, problem } = camera;
  const layerAddress = useRef(layerUrl);
  layerAddress.current = layerUrl;
  const layerId = layer?.id ?? null;
  const urlAt = useCallback(
    (time_s: number) => (layerId === null ? '' : layerAddress.current(layerId, stream_id, time_s)),
    [layerId, stream_id],
  );
  const why = problem ?? (state.is === 'failed' ? state.why : null);
  return (
    <figure className="player-camera" data-state={problem === null ? state.is : 'failed'}>
      {why === null ? (
        <div className="player-frame">
          <video
            ref={video}
            muted
            playsInline
            preload="auto"
            disablePictureInPicture
            aria-label={stream_id}
          />
          {layer !== null && (
            <LayerPicture
              key={layer.produced_at}
              {...{ clock, urlAt, alt: `${layer.title} over ${stream_id}` }}
            />
          )}
        </div>
      ) : (
        <p className="player-none">
          {why}
          {problem === null && (
            <button type="button" className="button" onClick={retry}>
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

type FilmInputs = Pick<CameraViewProps, 'camera' | 'clock' | 'duration_s' | 'spanUrl'>;

/** Loads and plays the video of a camera in an element. Returns its state and a function that loads it again. */
function useFilm(
  video: RefObject<HTMLVideoElement | null>,
  { camera, clock, duration_s, spanUrl }: FilmInputs,
): { readonly state: FilmState; readonly retry: () => void } {
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
      ...{ camera: own, clock, duration_s, onState: setState },
      spanUrl: (span) => address.current(span),
    });
    return () => film.close();
  }, [clock, duration_s, stream_id, mime, part_s, problem, attempt]);
  const retry = () => {
    setState({ is: 'loading' });
    setAttempt(attempt + 1);
  };
  return { state, retry };
}
