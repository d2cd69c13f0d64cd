import { Link } from '@tanstack/react-router';
import type { ProjectSummary } from '#client';
import { others_ms, useAnswer } from '../../api/use-answer.ts';
import { DecisionBar } from '../../components/decision.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Panel } from '../../components/page.tsx';
import { codeTitle, count, duration, plural, score } from '../../components/words.ts';
import { ScoreHistogram } from './score-histogram.tsx';
import { SourceFindings, SourceVerdict, useAssessedSources } from './source-verdicts.tsx';
import { WorstEpisodes } from './worst-episodes.tsx';

/** The verdict on a project's data: a sentence, the worst episodes, the findings of each source, scores and flags. */
export function Glance({ project_id }: { readonly project_id: string }) {
  const summary = useAnswer('summarise_project', { project_id }, { every_ms: others_ms });
  return (
    <Loaded of={summary} what="the summary">
      {(value) => (
        <>
          <Verdict project_id={project_id} summary={value} />
          {value.episodes > 0 && (
            <>
              <Panel title="Worst episodes">
                <WorstEpisodes project_id={project_id} episodes={notable(value.worst)} />
              </Panel>
              <Findings project_id={project_id} />
              <div className="pair">
                <Panel title="Scores">
                  <ScoreHistogram project_id={project_id} counts={value.score.histogram} />
                </Panel>
                <Panel title="Flags" tally={value.flags.length === 0 ? 'none' : 'episodes per flag'}>
                  <FlagBars project_id={project_id} summary={value} />
                </Panel>
              </div>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

/** Leaves out episodes that were accepted without flags, unless there are no others. */
function notable(worst: ProjectSummary['worst']): ProjectSummary['worst'] {
  const others = worst.filter(({ decision, flags }) => decision !== 'accept' || flags.length > 0);
  return others.length > 0 ? others : worst;
}

interface SummaryProps {
  readonly project_id: string;
  readonly summary: ProjectSummary;
}

function Verdict({ project_id, summary }: SummaryProps) {
  const { episodes, duration_s, effective_decisions: decisions, score: scores, reviews } = summary;
  const sources = useAssessedSources(project_id);
  const loaders = [...new Set(sources.flatMap(({ run }) => run.loader ?? []))];
  return (
    <div className="verdict">
      {episodes > 0 && <p className="headline">{headline(decisions.accept, episodes)}</p>}
      {sources.map((source) => (
        <SourceVerdict key={source.run.id} source={source} isOnly={sources.length === 1} />
      ))}
      <DecisionBar counts={decisions} />
      <Facts
        rows={[
          ['Episodes', count(episodes)],
          ['Duration', duration(duration_s)],
          ['Median score', score(scores.median)],
          ['Reviewed', `${count(reviews.reviewed)} (${plural(reviews.overruled, 'override')})`],
          ...(loaders.length > 0 ? [['Loader', loaders.join(', ')] as const] : []),
        ]}
      />
    </div>
  );
}

function Findings({ project_id }: { readonly project_id: string }) {
  const sources = useAssessedSources(project_id);
  return sources.map((source) => (
    <SourceFindings key={source.run.id} source={source} isOnly={sources.length === 1} />
  ));
}

function headline(accepted: number, episodes: number): string {
  if (accepted === 0) return 'No episode is fit to train on.';
  if (accepted === episodes) return 'All episodes are fit to train on.';
  return `${count(accepted)} of ${count(episodes)} episodes ${accepted === 1 ? 'is' : 'are'} fit to train on.`;
}

const maxFlags = 10;

/** Number of episodes with each flag; a click lists them. */
function FlagBars({ project_id, summary: { flags, episodes } }: SummaryProps) {
  return (
    <ul className="bars">
      {flags.slice(0, maxFlags).map(({ value, episodes: flagged }) => (
        <li key={value}>
          <Link
            to="/projects/$projectId/episodes"
            params={{ projectId: project_id }}
            search={{ flag: [value] }}
          >
            {codeTitle(value)}
          </Link>
          <i className="meter" style={{ '--value': flagged / Math.max(1, episodes) } as object} />
          <span className="number">{count(flagged)}</span>
        </li>
      ))}
    </ul>
  );
}
