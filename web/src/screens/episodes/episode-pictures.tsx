import { Link } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { EpisodeSummary } from '#client';
import { Badge } from '../../components/decision.tsx';
import { duration, plural, score } from '../../components/words.ts';
import { Picture } from './picture.tsx';
import { SelectBox } from './select-box.tsx';
import { type EpisodeListProps, useEpisodeWindow } from './use-episode-window.ts';
import type { Selection } from './use-selection.ts';

const widest_px = 230;
const gap_px = 12;
/** Height in px of the text below the picture: name, decision and score. */
const words_px = 46;

/** Episodes as a grid of any length, each with the frame in its middle; only visible rows are in the page. */
export function EpisodePictures({ project_id, list, total, selection }: EpisodeListProps) {
  const body = useRef<HTMLDivElement>(null);
  const width_px = useWidth(body);
  const lanes = Math.max(2, Math.floor((width_px + gap_px) / (widest_px + gap_px)));
  const cell_px = (width_px - gap_px * (lanes - 1)) / lanes;
  const row_px = Math.round(cell_px * 0.75) + words_px + gap_px;
  const { known, top_px, rows } = useEpisodeWindow({ body, list, total, row_px, lanes, overscan: 1 });
  useEffect(() => {
    // Row height depends on the window width.
    if (row_px > 0) rows.measure();
  }, [rows, row_px]);
  return (
    <div ref={body} className="episode-space" style={{ minHeight: rows.getTotalSize() }}>
      {known === 0 && <p className="empty">No episodes match. Change or clear the filters.</p>}
      {rows.getVirtualItems().map(({ index, start, key }) => (
        <ul
          key={key}
          className="picture-row"
          aria-label={`Episodes starting at number ${index * lanes + 1}`}
          style={{ transform: `translateY(${start - top_px}px)`, '--lanes': lanes } as object}
        >
          {Array.from({ length: Math.min(lanes, known - index * lanes) }, (_, lane) => {
            const episode = list.items[index * lanes + lane];
            return episode === undefined ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: an episode that is loading has no id yet
              <li key={lane} className="is-coming">
                …
              </li>
            ) : (
              <Card
                key={episode.id}
                project_id={project_id}
                episode={episode}
                index={index * lanes + lane}
                selection={selection}
              />
            );
          })}
        </ul>
      ))}
    </div>
  );
}

interface CardProps {
  readonly project_id: string;
  readonly episode: EpisodeSummary;
  readonly index: number;
  readonly selection: Selection;
}

function Card({ project_id, episode, index, selection }: CardProps) {
  const { id, name, decision, review_decision, flags, duration_s } = episode;
  return (
    <li className="picture-card">
      <Link to="/projects/$projectId/episodes/$episodeId" params={{ projectId: project_id, episodeId: id }}>
        <Picture episode={episode} />
        <span className="episode-link">{name}</span>
      </Link>
      <p className="picture-words">
        <SelectBox selection={selection} index={index} id={id} name={name} />
        <Badge decision={review_decision ?? decision} /> <span>{score(episode.score)}</span>
        {flags.length > 0 && <span className="faint">{plural(flags.length, 'flag')}</span>}
        <span className="faint">{duration(duration_s)}</span>
      </p>
    </li>
  );
}

function useWidth(of: React.RefObject<HTMLElement | null>): number {
  const [width_px, setWidth] = useState(960);
  useLayoutEffect(() => {
    const { current } = of;
    if (current === null) return undefined;
    const watch = new ResizeObserver(() => setWidth(current.clientWidth));
    setWidth(current.clientWidth);
    watch.observe(current);
    return () => watch.disconnect();
  }, [of]);
  return width_px;
}
