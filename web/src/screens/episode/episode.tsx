import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Episode, Flag } from '#client';
import type { Timeline } from '#quality/report/timeline';
import { decisionWords, reasonText } from '#quality/report/views';
import { others_ms, useAnswer } from '../../api/use-answer.ts';
import { Badge } from '../../components/decision.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page } from '../../components/page.tsx';
import { useKeys } from '../../components/use-keys.ts';
import { duration, percent, score } from '../../components/words.ts';
import type { PlayClock } from '../../player/play-clock.ts';
import { findNeighbours } from '../episodes/episode-order.ts';
import { Checks } from './checks.tsx';
import { Decide } from './decide.tsx';
import { Flags } from './flags.tsx';
import { History } from './history.tsx';
import { Playback } from './playback.tsx';
import { ReceiptPanel } from './receipt-panel.tsx';
import { Streams } from './streams.tsx';
import { Tags } from './tags.tsx';
import { Texts } from './texts/texts.tsx';

const route = getRouteApi('/projects/$projectId/episodes/$episodeId');

/** Screen of one episode, with all facts and the decision of a reviewer. */
export function EpisodeScreen() {
  const { episodeId: episode_id } = route.useParams();
  const episode = useAnswer('get_episode', { episode_id }, { every_ms: others_ms });
  return (
    <Loaded of={episode} what="the episode">
      {(value) => (
        <Page
          title={value.name}
          note={<EpisodeNote episode={value} />}
          aside={<Decide key={value.id} episode={value} />}
        >
          <Tags key={value.id} episode={value} />
          <EpisodeBody episode={value} />
          <Texts key={value.id} episode={value} />
          <Checks views={value.views} />
          <Streams streams={value.streams} />
          <ReceiptPanel episode={value} />
          <History episode_id={value.id} />
        </Page>
      )}
    </Loaded>
  );
}

/** The task, with links to similar episodes and to the neighbours in the list. */
function EpisodeNote({ episode: { id, project_id, task } }: { readonly episode: Episode }) {
  return (
    <>
      {task !== null && <>{task} · </>}
      <Link to="/projects/$projectId/search" params={{ projectId: project_id }} search={{ like: id }}>
        More like this
      </Link>{' '}
      ·{' '}
      <Link to="/projects/$projectId/side-by-side" params={{ projectId: project_id }} search={{ one: id }}>
        Side by side with similar
      </Link>
      <Neighbours project_id={project_id} id={id} />
    </>
  );
}

/** Links to the previous and next episode of the list that was shown last; the keys [ and ] follow them. */
function Neighbours({ project_id, id }: Pick<Episode, 'project_id' | 'id'>) {
  const { before, after } = findNeighbours(project_id, id);
  const navigate = useNavigate();
  const open = (episodeId: string | null) =>
    episodeId !== null &&
    void navigate({
      to: '/projects/$projectId/episodes/$episodeId',
      params: { projectId: project_id, episodeId },
    });
  useKeys({ '[': () => open(before), ']': () => open(after) });
  const link = (episodeId: string | null, text: string, title: string) =>
    episodeId !== null && (
      <Link
        to="/projects/$projectId/episodes/$episodeId"
        params={{ projectId: project_id, episodeId }}
        title={title}
      >
        {text}
      </Link>
    );
  if (before === null && after === null) return null;
  return (
    <span className="neighbours">
      {link(before, '← Previous', 'Previous episode of the list ([)')}
      {link(after, 'Next →', 'Next episode of the list (])')}
    </span>
  );
}

interface EpisodeBodyProps {
  readonly episode: Episode;
  /** Clock that several players share; absent if the player has its own. */
  readonly clock?: PlayClock;
}

/** The verdict on an episode, its player, flags and facts: all that a reviewer needs. */
export function EpisodeBody({ episode, clock }: EpisodeBodyProps) {
  const { decision, decision_reason, review_decision, kind, robot, outcome_facts, flag_details } = episode;
  const flags = useMemo(() => flag_details.toSorted((a, b) => rank(a) - rank(b)), [flag_details]);
  const [timeline, setTimeline] = useState<Timeline | null>(null);
  return (
    <>
      <p className="reason">
        <Badge decision={decision} /> <span>{reasonText(decision_reason)}</span>
      </p>
      <Playback episode={episode} clock={clock} flags={flags} onTimeline={setTimeline} />
      <Flags flags={flags} timeline={timeline} />
      <div className="episode-facts">
        <Facts
          rows={[
            [
              'Human review',
              review_decision === null ? 'not reviewed' : decisionWords[review_decision].toLowerCase(),
            ],
            ['Score', score(episode.score)],
            ['Evaluated', `${percent(episode.graded_fraction)} of applicable checks`],
            ['Duration', duration(episode.duration_s)],
            ['Kind', kind],
            ['Robot', robot ?? 'unknown'],
            ['Outcome', `${outcome_facts.value}: ${outcome_facts.reason}`],
          ]}
        />
      </div>
    </>
  );
}

const severities = ['blocking', 'warning', 'info'];
const rank = ({ severity }: Flag): number => severities.indexOf(severity);
