import { Link, useNavigate } from '@tanstack/react-router';
import { type PointerEvent, useRef, useState } from 'react';
import { plural } from '../../components/words.ts';

interface ScoreHistogramProps {
  readonly project_id: string;
  /** Number of episodes in equal ranges of the score from 0 to 1. */
  readonly counts: readonly number[];
}

/** First and last selected bin. */
type Range = readonly [from: number, to: number];

/** Histogram of scores. A click on a bar, or a drag over several, lists the episodes with these scores. */
export function ScoreHistogram({ project_id, counts }: ScoreHistogramProps) {
  const navigate = useNavigate();
  const plot = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Range | null>(null);
  const highest = Math.max(1, ...counts);
  const bounds = ([from, to]: Range) => ({
    min_score: from / counts.length,
    max_score: (to + 1) / counts.length,
  });
  const binAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = plot.current!.getBoundingClientRect();
    return Math.min(counts.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * counts.length)));
  };
  const release = () => {
    setDrag(null);
    if (drag === null || drag[0] === drag[1]) return;
    const search = bounds([Math.min(...drag), Math.max(...drag)]);
    void navigate({ to: '/projects/$projectId/episodes', params: { projectId: project_id }, search });
  };
  const isSelected = (bin: number) => drag !== null && bin >= Math.min(...drag) && bin <= Math.max(...drag);
  return (
    <>
      <div
        ref={plot}
        className="score-bars"
        onPointerDown={(event) => event.button === 0 && setDrag([binAt(event), binAt(event)])}
        onPointerMove={(event) => drag !== null && setDrag([drag[0], binAt(event)])}
        onPointerUp={release}
        onPointerLeave={() => setDrag(null)}
      >
        {counts.map((episodes, bin) => {
          const { min_score, max_score } = bounds([bin, bin]);
          const title = `${min_score.toFixed(2)}–${max_score.toFixed(2)}: ${plural(episodes, 'episode')}`;
          // Square root: a single bad episode among thousands stays visible.
          const style = { '--height': Math.sqrt(episodes / highest) } as object;
          const className = `score-bar${isSelected(bin) ? ' is-selected' : ''}`;
          return episodes === 0 ? (
            <span key={min_score} className={className} title={title} />
          ) : (
            <Link
              key={min_score}
              to="/projects/$projectId/episodes"
              params={{ projectId: project_id }}
              search={{ min_score, max_score }}
              className={className}
              style={style}
              title={title}
              aria-label={title}
              draggable={false}
            />
          );
        })}
      </div>
      <p className="score-axis" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((score) => (
          <span key={score}>{score}</span>
        ))}
      </p>
      <p className="faint">Drag to list the episodes of a range.</p>
    </>
  );
}
