import { useId, useState } from 'react';
import type { Episode } from '#client';
import { requestOf } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { Panel } from '../../components/page.tsx';

/** Images of all cameras at one time, with buttons for the flagged times. */
export function Cameras({ episode }: { readonly episode: Episode }) {
  const id = useId();
  const streams = useAnswer('list_streams', { episode_id: episode.id });
  const [at_s, setAt] = useState(0);
  const cameras = (streams.data?.items ?? []).filter(({ links }) => links.frames !== null);
  if (cameras.length === 0) return null;
  return (
    <Panel title="Cameras" tally={`at ${at_s.toFixed(2)} s`}>
      <ul className="cameras">
        {cameras.map((stream) => (
          <Camera key={stream.id} episode={episode} stream_id={stream.id} at_s={at_s} />
        ))}
      </ul>
      {episode.duration_s > 0 && (
        <>
          <label className="visually-hidden" htmlFor={id}>
            Time in seconds
          </label>
          <input
            id={id}
            className="moment"
            type="range"
            min={0}
            max={episode.duration_s}
            step="any"
            value={at_s}
            onChange={({ target }) => setAt(Number(target.value))}
          />
        </>
      )}
      <Moments episode={episode} onGo={setAt} />
    </Panel>
  );
}

interface CameraProps {
  readonly episode: Episode;
  readonly stream_id: string;
  readonly at_s: number;
}

function Camera({ episode, stream_id, at_s }: CameraProps) {
  const [missing, setMissing] = useState<string | null>(null);
  // Rounded to 0.1 s, so that dragging the slider does not request more images than the browser caches.
  const at = Math.round(at_s * 10) / 10;
  const { path } = requestOf('get_frame', { episode_id: episode.id, stream_id, at_s: at, width_px: 480 });
  return (
    <li>
      <figure>
        {missing === path ? (
          <p className="camera-none">No frame at this time.</p>
        ) : (
          <img src={path} alt={`${stream_id} at ${at} s`} onError={() => setMissing(path)} />
        )}
        <figcaption className="mono">{stream_id}</figcaption>
      </figure>
    </li>
  );
}

interface MomentsProps {
  readonly episode: Episode;
  readonly onGo: (at_s: number) => void;
}

function Moments({ episode, onGo }: MomentsProps) {
  const marks = episode.flag_details.flatMap(({ code, marks: own }) =>
    own.map((mark) => ({ code, ...mark })),
  );
  if (marks.length === 0) return null;
  return (
    <p className="moments">
      <span className="faint">Flagged at</span>
      {marks.slice(0, 12).map(({ code, stream, from_s, to_s }) => (
        <button
          key={`${code} ${stream} ${from_s} ${to_s}`}
          type="button"
          className="chip"
          title={`${code}, ${stream}`}
          onClick={() => onGo(from_s)}
        >
          {from_s.toFixed(2)} s
        </button>
      ))}
    </p>
  );
}
