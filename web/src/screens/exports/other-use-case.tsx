import type { ProjectFormats, UseCase } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';

const changed = ['get_project_formats', 'get_project', 'list_projects', 'get_readiness_settings'] as const;

/**
 * Shown if the use case of the workspace has no export format: use cases that have one, with a button to change to
 * it.
 */
export function OtherUseCase({ formats }: { readonly formats: ProjectFormats }) {
  const project = useAnswer('get_project', { project_id: formats.project_id });
  const useCases = useAnswer('list_use_cases', { limit: 50 });
  const set = useAct('set_use_case', changed);
  if (project.data === undefined) return null;
  const { workspace_id } = project.data;
  const fitting = (useCases.data?.items ?? []).filter((each) => takes(each, formats));
  return (
    <div>
      <p className="advice">
        What will you use this data for? The choice applies to every project of the workspace. Decisions
        change only when episodes are re-evaluated.
      </p>
      <div className="decide-row">
        {fitting.map(({ id: use_case, title }) => (
          <Action
            key={use_case}
            needs="engineer"
            busy={set.isPending}
            onAct={() => set.mutate({ workspace_id, use_case })}
          >
            {title}
          </Action>
        ))}
      </div>
      {set.error !== null && <Complaint error={set.error} />}
    </div>
  );
}

/**
 * Returns true if a use case expects this kind of data, offers the project's target profile and has a suitable export
 * format.
 */
const takes = (
  { expected_kinds, target_profiles, export_formats }: UseCase,
  { data_kind, target_profile }: ProjectFormats,
): boolean =>
  (data_kind === null || expected_kinds.includes(data_kind)) &&
  target_profiles.some(({ id, applicable }) => applicable && id === target_profile) &&
  export_formats.some(({ fits }) => fits);
