import { getRouteApi, Link } from '@tanstack/react-router';
import { others_ms, useAnswer } from '../../api/use-answer.ts';
import { Badge, DecisionBar } from '../../components/decision.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Panel } from '../../components/page.tsx';
import {
  caseTitle,
  codeTitle,
  count,
  duration,
  kindTitle,
  plural,
  score,
  targetTitle,
} from '../../components/words.ts';
import { Begin } from './begin.tsx';
import { Layers } from './layers.tsx';
import { Target } from './target.tsx';

const route = getRouteApi('/projects/$projectId/');

/** Readiness at a glance: decisions, what was flagged, what the target still wants, the layers. */
export function ProjectScreen() {
  const { projectId: project_id } = route.useParams();
  const project = useAnswer('get_project', { project_id });
  return (
    <Loaded of={project} what="the project">
      {({ name, use_case, target_profile, data_kind }) => (
        <Page
          title={name}
          note={`${caseTitle(use_case)} · target: ${targetTitle(target_profile)} · ${data_kind.effective === null ? 'kind not detected yet' : kindTitle(data_kind.effective)}`}
        >
          <Glance project_id={project_id} />
          <Begin project_id={project_id} />
          <Target project_id={project_id} />
          <Layers project_id={project_id} />
        </Page>
      )}
    </Loaded>
  );
}

function Glance({ project_id }: { readonly project_id: string }) {
  const summary = useAnswer('summarise_project', { project_id }, { every_ms: others_ms });
  return (
    <Loaded of={summary} what="the summary">
      {({ episodes, duration_s, decisions, score: scores, reviews, flags, worst, findings }) => (
        <>
          <div className="verdict">
            <DecisionBar counts={decisions} />
            <Facts
              rows={[
                ['Episodes', count(episodes)],
                ['Duration', duration(duration_s)],
                ['Median score', score(scores.median)],
                ['Reviewed', `${count(reviews.reviewed)} (${plural(reviews.overruled, 'override')})`],
                [
                  'Findings',
                  plural(
                    findings.blocking + findings.error + findings.warning,
                    'error or warning',
                    'errors and warnings',
                  ),
                ],
              ]}
            />
          </div>
          <div className="pair">
            <Panel title="Flags" tally={flags.length === 0 ? 'none' : 'episodes per flag'}>
              <ul className="bars">
                {flags.slice(0, 12).map(({ value, episodes: flagged }) => (
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
            </Panel>
            <Panel title="Worst episodes">
              <ul className="bars is-worst">
                {worst.map(({ id, name, score: own, decision, flags: why }) => (
                  <li key={id}>
                    <Link
                      to="/projects/$projectId/episodes/$episodeId"
                      params={{ projectId: project_id, episodeId: id }}
                      className="mono"
                    >
                      {name}
                    </Link>
                    <span className="faint">{why.map(codeTitle).join(', ')}</span>
                    <span className="number">{score(own)}</span>
                    <Badge decision={decision} />
                  </li>
                ))}
              </ul>
            </Panel>
          </div>
        </>
      )}
    </Loaded>
  );
}
