import { Link } from '@tanstack/react-router';
import type { EpisodeSummary } from '#client';
import { Badge } from '../../components/decision.tsx';
import { codeTitle, score } from '../../components/words.ts';
import { Picture } from '../episodes/picture.tsx';

/** Moments of the contact sheet, as fractions of the duration: near the start, the middle and near the end. */
const moments = [0.02, 0.5, 0.98];

interface WorstEpisodesProps {
  readonly project_id: string;
  readonly episodes: readonly EpisodeSummary[];
}

/** Contact sheet of the episodes with the lowest scores: three frames of the first camera, the decision and the flags. */
export function WorstEpisodes({ project_id, episodes }: WorstEpisodesProps) {
  return (
    <ul className="worst">
      {episodes.map((episode) => {
        const { id, name, duration_s, decision, review_decision, flags } = episode;
        const times = duration_s > 0 ? moments.map((part) => part * duration_s) : [0];
        return (
          <li key={id}>
            <Link
              to="/projects/$projectId/episodes/$episodeId"
              params={{ projectId: project_id, episodeId: id }}
              className="worst-link"
            >
              <span className="worst-pictures">
                {times.map((moment_s) => (
                  <Picture key={moment_s} episode={episode} moment_s={moment_s} />
                ))}
              </span>
              <span className="mono">{name}</span>
            </Link>
            <p>
              <Badge decision={review_decision ?? decision} />{' '}
              <span className="number">{score(episode.score)}</span>{' '}
              <span className="faint">{flags.map(codeTitle).join(', ')}</span>
            </p>
          </li>
        );
      })}
    </ul>
  );
}
