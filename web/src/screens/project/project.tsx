import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../../api/use-answer.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { caseTitle, kindTitle, targetTitle } from '../../components/words.ts';
import { Begin } from './begin.tsx';
import { Glance } from './glance.tsx';
import { Layers } from './layers.tsx';
import { Target } from './target.tsx';

const route = getRouteApi('/projects/$projectId/');

/** Overview of a project: the verdict on its data, how ready it is for its target, and the annotation layers. */
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
