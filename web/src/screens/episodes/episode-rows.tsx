import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { EpisodeSummary } from '#client';
import { Badge } from '../../components/decision.tsx';
import { codeTitle, duration, score } from '../../components/words.ts';
import { SelectBox } from './select-box.tsx';
import { type EpisodeListProps, useEpisodeWindow } from './use-episode-window.ts';
import type { Selection } from './use-selection.ts';

const row_px = 44;

/** Episodes as a table of any length: only visible rows are in the page. */
export function EpisodeRows({ project_id, list, total, selection }: EpisodeListProps) {
  const { items } = list;
  const body = useRef<HTMLDivElement>(null);
  const { known, top_px, rows } = useEpisodeWindow({ body, list, total, row_px, lanes: 1, overscan: 12 });
  const shown = rows.getVirtualItems();
  if (known === 0) return <p className="empty">No episodes match. Change or clear the filters.</p>;
  return (
    <div className="episode-rows" role="table" aria-label="Episodes" aria-rowcount={known + 1}>
      <Head />
      <div ref={body} className="episode-space" role="rowgroup" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start, key }) => (
          <Row
            key={key}
            index={index}
            top_px={start - top_px}
            project_id={project_id}
            episode={items[index]}
            selection={selection}
          />
        ))}
      </div>
    </div>
  );
}

const titles = ['Episode', 'Score', 'Decision', 'Reviewed', 'Flags and tags', 'Duration'] as const;

function Head() {
  return (
    <div role="rowgroup">
      <div className="episode-row is-head" role="row">
        <span role="columnheader">
          <span className="visually-hidden">Selected</span>
        </span>
        {titles.map((title) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly index: number;
  readonly top_px: number;
  readonly project_id: string;
  /** `undefined` while it is loading. */
  readonly episode: EpisodeSummary | undefined;
  readonly selection: Selection;
}

function Row({ index, top_px, project_id, episode, selection }: RowProps) {
  return (
    <div
      className={episode === undefined ? 'episode-row is-coming' : 'episode-row'}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top_px}px)` }}
    >
      {episode === undefined ? (
        <>
          <span role="cell" />
          <span role="cell">…</span>
        </>
      ) : (
        <>
          <span role="cell">
            <SelectBox selection={selection} index={index} id={episode.id} name={episode.name} />
          </span>
          <Cells project_id={project_id} episode={episode} />
        </>
      )}
    </div>
  );
}

function Cells({ project_id, episode }: { readonly project_id: string; readonly episode: EpisodeSummary }) {
  const { id, name, task, decision, review_decision, flags, tags, duration_s } = episode;
  return (
    <>
      <span role="cell" className="names">
        <Link
          to="/projects/$projectId/episodes/$episodeId"
          params={{ projectId: project_id, episodeId: id }}
          className="episode-link"
        >
          {name}
        </Link>
        {task !== null && <span className="task faint">{task}</span>}
      </span>
      <span role="cell">{score(episode.score)}</span>
      <span role="cell">
        <Badge decision={decision} />
      </span>
      <span role="cell">
        {review_decision === null ? <span className="faint">–</span> : <Badge decision={review_decision} />}
      </span>
      <span role="cell" className="flags">
        {flags.map((flag) => (
          <span key={flag} className="tag">
            {codeTitle(flag)}
          </span>
        ))}
        {tags.map((tag) => (
          <span key={`tag ${tag}`} className="tag is-own" title="Tag">
            {tag}
          </span>
        ))}
      </span>
      <span role="cell">{duration(duration_s)}</span>
    </>
  );
}
