import { Link, useNavigate } from '@tanstack/react-router';
import { type PointerEvent, type RefObject, useRef, useState } from 'react';
import { plural } from '../../components/words.ts';

interface ScoreHistogramProps {
  readonly project_id: string;
  /** Number of episodes in equal ranges of the score from 0 to 1. */
  readonly counts: readonly number[];
}

/** First and last selected bin. */
type Range = readonly [from: number, to: number];

/**
 * Returns the scores of a range of bins. The filter includes both bounds, a bin only the lower one; the last bin includes
 * 1.
 */
const scoresOf = ([from, to]: Range, bins: number) => ({
  min_score: from / bins,
  max_score: to + 1 === bins ? 1 : (to + 1) / bins - 1e-6,
});

/** Histogram of scores. A click on a bar, or a drag over several, lists the episodes with these scores. */
export function ScoreHistogram({ project_id, counts }: ScoreHistogramProps) {
  const navigate = useNavigate();
  const plot = useRef<HTMLDivElement>(null);
  const { selected, handlers } = useBinDrag(plot, counts.length, (range) => {
    const search = scoresOf(range, counts.length);
    void navigate({ to: '/projects/$projectId/episodes', params: { projectId: project_id }, search });
  });
  const highest = Math.max(1, ...counts);
  return (
    <>
      <div ref={plot} className="score-bars" {...handlers}>
        {counts.map((episodes, bin) => {
          const search = scoresOf([bin, bin], counts.length);
          return (
            <Bar
              key={search.min_score}
              {...{ project_id, episodes, search, highest }}
              isSelected={selected !== null && bin >= selected[0] && bin <= selected[1]}
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

interface BarProps {
  readonly project_id: string;
  readonly episodes: number;
  /** Scores of its episodes. */
  readonly search: ReturnType<typeof scoresOf>;
  /** Number of episodes of the highest bar. */
  readonly highest: number;
  readonly isSelected: boolean;
}

/** A bar of the histogram, which links to its episodes; a gap if it has none. */
function Bar({ project_id, episodes, search, highest, isSelected }: BarProps) {
  const { min_score, max_score } = search;
  const title = `${min_score.toFixed(2)}–${max_score.toFixed(2)}: ${plural(episodes, 'episode')}`;
  const className = `score-bar${isSelected ? ' is-selected' : ''}`;
  if (episodes === 0) return <span className={className} title={title} />;
  return (
    <Link
      to="/projects/$projectId/episodes"
      params={{ projectId: project_id }}
      search={search}
      className={className}
      // Square root: a single bad episode among thousands stays visible.
      style={{ '--height': Math.sqrt(episodes / highest) } as object}
      title={title}
      aria-label={title}
      draggable={false}
    />
  );
}

/**
 * Returns the range of bins over which the pointer is being dragged, `null` if it is not, and the handlers of the plot.
 * `onSelect` receives the range of a drag over more than one bin.
 */
function useBinDrag(plot: RefObject<HTMLDivElement | null>, bins: number, onSelect: (range: Range) => void) {
  const [drag, setDrag] = useState<readonly [start: number, end: number] | null>(null);
  const selected: Range | null = drag && [Math.min(...drag), Math.max(...drag)];
  const binAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = plot.current!.getBoundingClientRect();
    return Math.min(bins - 1, Math.max(0, Math.floor(((clientX - left) / width) * bins)));
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button === 0) setDrag([binAt(event), binAt(event)]);
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag === null) return;
      const end = binAt(event);
      // Not before: a captured pointer would not click the link below it.
      if (end !== drag[0]) plot.current?.setPointerCapture(event.pointerId);
      setDrag(event.buttons === 0 ? null : [drag[0], end]);
    },
    onPointerUp: (event: PointerEvent) => {
      setDrag(null);
      if (drag === null || binAt(event) === drag[0]) return;
      const ends = [drag[0], binAt(event)];
      onSelect([Math.min(...ends), Math.max(...ends)]);
    },
    onPointerCancel: () => setDrag(null),
  };
  return { selected, handlers };
}
