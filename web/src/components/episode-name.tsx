import { Link, useParams } from '@tanstack/react-router';
import { useAnswer } from '../api/use-answer.ts';

/** Link to an episode given by its id, with its name as text. */
export function EpisodeName({ id }: { readonly id: string }) {
  const { projectId = '' } = useParams({ strict: false });
  const episode = useAnswer('get_episode', { episode_id: id });
  return (
    <Link
      to="/projects/$projectId/episodes/$episodeId"
      params={{ projectId, episodeId: id }}
      className="episode-link"
    >
      {episode.data?.name ?? id}
    </Link>
  );
}
