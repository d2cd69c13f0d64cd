import { Link } from '@tanstack/react-router';
import type { ProjectSummary, Run } from '#client';
import { describeSetVerdict } from '#quality/report/views';
import { others_ms, useAnswer } from '../../api/use-answer.ts';
import { DecisionBar } from '../../components/decision.tsx';
import { FindingItem } from '../../components/finding-item.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Panel } from '../../components/page.tsx';
import { codeTitle, count, duration, plural, score } from '../../components/words.ts';
import { ScoreHistogram } from './score-histogram.tsx';
import { WorstEpisodes } from './worst-episodes.tsx';

/** The verdict on a project's data: a sentence, scores, flags, the findings of the newest run, and the worst episodes. */
export function Glance({ project_id }: { readonly project_id: string }) {
  const summary = useAnswer('summarise_project', { project_id }, { every_ms: others_ms });
  return (
    <Loaded of={summary} what="the summary">
      {(value) => (
        <>
          <Verdict project_id={project_id} summary={value} />
          {value.episodes > 0 && (
            <>
              <div className="pair">
                <Panel title="Scores">
                  <ScoreHistogram project_id={project_id} counts={value.score.histogram} />
                </Panel>
                <Panel title="Flags" tally={value.flags.length === 0 ? 'none' : 'episodes per flag'}>
                  <FlagBars project_id={project_id} summary={value} />
                </Panel>
              </div>
              <Panel title="Worst episodes">
                <WorstEpisodes project_id={project_id} episodes={value.worst} />
              </Panel>
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

interface SummaryProps {
  readonly project_id: string;
  readonly summary: ProjectSummary;
}

function Verdict({ project_id, summary }: SummaryProps) {
  const { episodes, duration_s, decisions, score: scores, reviews } = summary;
  const runs = useAnswer('list_runs', { project_id, status: 'succeeded', limit: 1 }, { every_ms: others_ms });
  const run = runs.data?.items[0];
  return (
    <>
      <div className="verdict">
        {episodes > 0 && <p className="headline">{headline(decisions.accept, episodes)}</p>}
        {run !== undefined && <RunVerdict run={run} />}
        <DecisionBar counts={decisions} />
        <Facts
          rows={[
            ['Episodes', count(episodes)],
            ['Duration', duration(duration_s)],
            ['Median score', score(scores.median)],
            ['Reviewed', `${count(reviews.reviewed)} (${plural(reviews.overruled, 'override')})`],
            ...(run?.loader ? [['Loader', run.loader] as const] : []),
          ]}
        />
      </div>
      {run !== undefined && <NewestFindings project_id={project_id} run_id={run.id} />}
    </>
  );
}

function headline(accepted: number, episodes: number): string {
  if (accepted === 0) return 'No episode is fit to train on.';
  if (accepted === episodes) return 'All episodes are fit to train on.';
  return `${count(accepted)} of ${count(episodes)} episodes ${accepted === 1 ? 'is' : 'are'} fit to train on.`;
}

/** The verdict of the newest run on its dataset, if there is anything to do about it. */
function RunVerdict({ run: { usability, episodes, loader } }: { readonly run: Run }) {
  if (usability === null || usability.verdict === 'usable') return null;
  return (
    <p className="lost">{describeSetVerdict(usability, episodes.judged + episodes.unreadable, loader)}</p>
  );
}

const maxFindings = 4;

/** The first findings of the newest run with a link to the rest; nothing if there are none. */
function NewestFindings({ project_id, run_id }: { readonly project_id: string; readonly run_id: string }) {
  const findings = useAnswer('list_run_findings', { run_id, limit: maxFindings + 1 });
  const items = findings.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Panel title="Dataset findings" tally="of the newest run">
      <ul className="flag-list">
        {items.slice(0, maxFindings).map((finding) => (
          <FindingItem key={`${finding.code} ${finding.path} ${finding.message}`} finding={finding} />
        ))}
      </ul>
      {items.length > maxFindings && (
        <p>
          <Link to="/projects/$projectId/runs/$runId" params={{ projectId: project_id, runId: run_id }}>
            Show all findings
          </Link>
        </p>
      )}
    </Panel>
  );
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
