import { getRouteApi, Link } from '@tanstack/react-router';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { time } from '../../components/words.ts';
import { ExportThese } from '../exports/export-these.tsx';
import { Outcome } from './outcome.tsx';

const route = getRouteApi('/projects/$projectId/curation/$planId');

/** Screen of an applied plan: kept episodes, episodes dropped by each stage, and export. */
export function PlanScreen() {
  const { projectId: project_id, planId: plan_id } = route.useParams();
  const plan = useAnswer('get_curation_plan', { project_id, plan_id });
  const strategies = useList('list_curation_strategies', { project_id, limit: 100 }).items;
  return (
    <Loaded of={plan} what="the plan">
      {(value) => (
        <Page
          title={value.name}
          note={`Applied ${time(value.created_at)} by ${value.created_by}`}
          aside={
            <Link
              to="/projects/$projectId/curation"
              params={{ projectId: project_id }}
              search={{ stages: value.plan.stages, seed: value.plan.seed }}
              className="button"
            >
              Edit as new plan
            </Link>
          }
        >
          <Panel title="Export kept episodes">
            <ExportThese
              project_id={project_id}
              chosen={{ curation_id: plan_id }}
              what="all episodes that the plan keeps, regardless of their decision"
            />
          </Panel>
          <Outcome result={value} strategies={strategies} />
        </Page>
      )}
    </Loaded>
  );
}
