import { z } from 'zod';
import {
  createProject,
  createWorkspace,
  getProject,
  listProjects,
  listUseCases,
  listWorkspaces,
  updateProject,
} from '#service/operations';
import { defineTool, operationOf } from './define-tool.ts';

const listWorkspacesOperation = operationOf('list_workspaces');

export const listWorkspacesTool = defineTool({
  id: 'list_workspaces',
  title: 'List workspaces',
  description:
    'Lists the workspaces of the tenant, newest first, each with its use case. Start here to find a workspace_id.',
  effect: 'read',
  operation: listWorkspacesOperation,
  input: listWorkspacesOperation,
  run: listWorkspaces,
});

const listUseCasesOperation = operationOf('list_use_cases');
const fits = (format: { readonly fits: boolean }): boolean => format.fits;

export const listUseCasesTool = defineTool({
  id: 'list_use_cases',
  title: 'List use cases',
  description:
    'Lists the use cases that a workspace can declare, with the target profiles and formats that fit each. Call it before create_workspace or create_project.',
  effect: 'read',
  operation: listUseCasesOperation,
  input: listUseCasesOperation,
  run: async (store, call, input) => {
    const { items, next_cursor } = await listUseCases(store, call, input);
    const useCases = items.map(({ id, title, summary, expected_kinds, presets, ...row }) => ({
      ...{ id, title, summary, expected_kinds, presets },
      target_profiles: row.target_profiles
        .filter(({ applicable }) => applicable)
        .map(({ id, recommended }) => ({ id, recommended })),
      source_formats: row.source_formats.filter(fits).map(({ id }) => id),
      export_formats: row.export_formats.filter(fits).map(({ id }) => id),
    }));
    return { items: useCases, next_cursor };
  },
});

const createWorkspaceOperation = operationOf('create_workspace');

export const createWorkspaceTool = defineTool({
  id: 'create_workspace',
  title: 'Create a workspace',
  description:
    'Creates a workspace for a use case; list_use_cases lists their ids. The use case determines the targets, formats and defaults of its projects.',
  effect: 'write',
  operation: createWorkspaceOperation,
  input: createWorkspaceOperation,
  run: createWorkspace,
});

const listProjectsOperation = operationOf('list_projects');

export const listProjectsTool = defineTool({
  id: 'list_projects',
  title: 'List projects',
  description:
    'Lists projects, newest first, with their target profile, kind of data, number of episodes and decisions; filter by workspace_id. Use it to find a project_id by name.',
  effect: 'read',
  operation: listProjectsOperation,
  input: listProjectsOperation,
  run: listProjects,
});

const openProjectOperation = operationOf('get_project');

export const openProjectTool = defineTool({
  id: 'open_project',
  title: 'Open a project',
  description:
    'Returns a project: its workspace, use case, target profile, data kind, and how many episodes were accepted, sent to review and rejected.',
  effect: 'read',
  operation: openProjectOperation,
  input: openProjectOperation,
  run: getProject,
});

const createProjectOperation = operationOf('create_project');

export const createProjectTool = defineTool({
  id: 'create_project',
  title: 'Create a project',
  description:
    'Creates a project in a workspace for one target profile. The profile must apply under the workspace’s use case; see list_use_cases.',
  effect: 'write',
  operation: createProjectOperation,
  input: createProjectOperation,
  run: createProject,
});

const setTargetProfileOperation = operationOf('update_project');

export const setTargetProfileTool = defineTool({
  id: 'set_target_profile',
  title: 'Set the target profile',
  description:
    'Sets what a project’s data is for, such as vla or detector. It determines which layers run by default, the recommended export format and the target requirements. open_project shows the current one.',
  effect: 'write',
  operation: setTargetProfileOperation,
  input: {
    params: setTargetProfileOperation.params,
    body: z.strictObject({ target_profile: setTargetProfileOperation.body.shape.target_profile.unwrap() }),
  },
  run: updateProject,
});
