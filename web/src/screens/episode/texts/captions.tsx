import type { Episode } from '#client';
import { Panel } from '../../../components/page.tsx';
import { useSpans } from '../use-spans.ts';

/** List of the captions by time range. Captions are read-only; only the detailed description can be edited. */
export function Captions({ episode }: { readonly episode: Episode }) {
  const { captions } = useSpans(episode);
  return (
    <Panel title="Captions" tally={captions.length === 0 ? 'none' : captions.length}>
      {captions.length === 0 ? (
        <p className="advice">No captions yet. Run the captions layer on the Overview page.</p>
      ) : (
        <ol className="captions">
          {captions.map(({ from_s, to_s, label }) => (
            <li key={`${from_s} ${to_s} ${label}`}>
              <span className="faint">
                {from_s.toFixed(1)}–{to_s.toFixed(1)} s
              </span>{' '}
              {label}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
