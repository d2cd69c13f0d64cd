import type { UseCase, UseCaseId, Workspace } from '#client';

interface WorkspaceFieldProps {
  readonly workspaces: readonly Workspace[];
  readonly useCases: readonly UseCase[];
  readonly useCase: UseCase;
  /** Empty for a new workspace. */
  readonly workspace_id: string;
  readonly onWorkspace: (id: string) => void;
  readonly onUseCase: (id: UseCaseId) => void;
}

/** Select field for an existing workspace, or a new one with a use case. */
export function WorkspaceField(props: WorkspaceFieldProps) {
  const { workspaces, useCases, useCase, workspace_id, onWorkspace, onUseCase } = props;
  const titleOf = (id: UseCaseId) => useCases.find((each) => each.id === id)?.title ?? id;
  return (
    <>
      <label className="line">
        Workspace
        <select value={workspace_id} onChange={({ target }) => onWorkspace(target.value)}>
          {workspaces.map(({ id, name, use_case }) => (
            <option key={id} value={id}>
              {name}: {titleOf(use_case)}
            </option>
          ))}
          <option value="">New workspace</option>
        </select>
      </label>
      {workspace_id === '' && (
        <>
          <label className="line">
            New workspace name
            <input name="workspace_name" required maxLength={200} autoComplete="off" />
          </label>
          <label className="line">
            Use case
            <select value={useCase.id} onChange={({ target }) => onUseCase(target.value as UseCaseId)}>
              {useCases.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
      <p className="advice">{useCase.summary}</p>
    </>
  );
}
