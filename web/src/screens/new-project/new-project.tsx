import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Kind, TargetProfileId, UseCase, UseCaseId, Workspace } from '#client';
import { useList } from '../../api/use-answer.ts';
import { Choice, type Option } from '../../components/choice.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { useMay } from '../../shell/session.tsx';
import { KindField } from './kind-field.tsx';
import { type PresetId, useCreateProject } from './use-create-project.ts';
import { WorkspaceField } from './workspace-field.tsx';

/** Screen that creates a project: name, workspace, target profile, annotation preset and kind. */
export function NewProjectScreen() {
  const useCases = useList('list_use_cases', { limit: 100 });
  const workspaces = useList('list_workspaces', { limit: 100 });
  return (
    <Page
      title="New project"
      note="A project groups comparable recordings for one training target. You can change everything except the workspace later."
    >
      <Loaded of={useCases} what="use cases">
        {(cases) => (
          <Loaded of={workspaces} what="workspaces">
            {(known) => <Form useCases={cases} workspaces={known} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

interface FormProps {
  readonly useCases: readonly UseCase[];
  readonly workspaces: readonly Workspace[];
}

function Form({ useCases, workspaces }: FormProps) {
  const navigate = useNavigate();
  const may = useMay('engineer');
  const create = useCreateProject();
  const [workspace_id, setWorkspace] = useState(workspaces[0]?.id ?? '');
  const [wanted, setUseCase] = useState<UseCaseId | null>(null);
  const [target, setTarget] = useState<TargetProfileId | null>(null);
  const [preset, setPreset] = useState<PresetId | ''>('');
  const [kind, setKind] = useState<Kind | ''>('');
  const workspace = workspaces.find(({ id }) => id === workspace_id);
  const useCase = useCases.find(({ id }) => id === (workspace?.use_case ?? wanted)) ?? useCases[0];
  if (useCase === undefined) return null;
  const targets = targetsOf(useCase);
  const open = targets.filter(({ not }) => not === null);
  const chosen = (open.find(({ id }) => id === target) ?? open[0])?.id;
  const presets = presetsOf(useCase);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    if (chosen === undefined) return;
    create.mutate(
      {
        name: text('name'),
        workspace: workspace ?? { name: text('workspace_name'), use_case: useCase.id },
        target_profile: chosen,
        preset: presets.some(({ id }) => id === preset) && preset !== '' ? preset : null,
        kind: kind === '' ? null : kind,
      },
      {
        onSuccess: (projectId) =>
          void navigate({ to: '/projects/$projectId/sources', params: { projectId } }),
      },
    );
  };
  return (
    <form className="long-form" onSubmit={submit}>
      <fieldset className="plain" disabled={!may || create.isPending}>
        <legend className="visually-hidden">New project</legend>
        <label className="line">
          Name
          <input name="name" required maxLength={200} autoComplete="off" />
        </label>
        <WorkspaceField
          {...{ workspaces, useCases, useCase }}
          workspace_id={workspace?.id ?? ''}
          onWorkspace={setWorkspace}
          onUseCase={setUseCase}
        />
        <Choice
          legend="Training target"
          name="target"
          options={targets}
          value={chosen ?? null}
          onChoose={setTarget}
        />
        <Choice
          legend="Annotation preset"
          name="preset"
          options={presets}
          value={presets.some(({ id }) => id === preset) ? preset : ''}
          onChoose={setPreset}
        />
        <KindField useCase={useCase} value={kind} onChoose={setKind} />
        <button type="submit" className="button is-main">
          Create project
        </button>
      </fieldset>
      {!may && <span className="action-why">Requires the engineer role</span>}
      {create.error !== null && <Complaint error={create.error} />}
    </form>
  );
}

/** Returns the target profiles, those that suit the use case first; the others with the reason why not. */
const targetsOf = ({ target_profiles }: UseCase): readonly Option<TargetProfileId>[] =>
  [...target_profiles]
    .sort((a, b) => rank(b) - rank(a))
    .map(({ id, title, applicable, recommended, reason }) => ({
      id,
      title: recommended ? `${title} (recommended)` : title,
      note: reason,
      not: applicable ? null : reason,
    }));

const rank = ({ applicable, recommended }: UseCase['target_profiles'][number]): number =>
  Number(applicable) + Number(recommended);

const presetsOf = ({ title, preset_details }: UseCase): readonly Option<PresetId | ''>[] => [
  { id: '', title: 'Use case default', note: `The default layers for ${title.toLowerCase()}.` },
  ...preset_details.map(({ id, title: name, summary }) => ({ id, title: name, note: summary })),
];
