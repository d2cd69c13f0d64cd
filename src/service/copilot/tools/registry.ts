import { defineRegistry } from '#core';
import { type Role, roleReaches } from '#core/api';
import { assertNoMedia } from '../boundary/assert-no-media.ts';
import type { ModelRequest } from '../call-model.ts';
import {
  getBudgetTool,
  getModelsTool,
  inviteUserTool,
  listUsersTool,
  raiseSupportQueryTool,
  setBudgetTool,
  setModelTool,
} from './administration.ts';
import { getAnnotationLayersTool, runAnnotationJobTool, setAnnotationLayersTool } from './annotation.ts';
import type { Tool } from './define-tool.ts';
import {
  createExportTool,
  deleteExportTool,
  getExportDownloadTool,
  listExportsTool,
  sealExportTool,
} from './exports.ts';
import {
  createProjectTool,
  createWorkspaceTool,
  listProjectsTool,
  listUseCasesTool,
  listWorkspacesTool,
  openProjectTool,
  setTargetProfileTool,
} from './projects.ts';
import {
  diagnoseFailuresTool,
  getReadinessReportTool,
  getReadinessSettingsTool,
  setReadinessSettingsTool,
} from './readiness.ts';
import {
  cancelRunTool,
  getRunStatusTool,
  listSourcesTool,
  registerSourceTool,
  triggerRunTool,
} from './runs.ts';
import { createSliceTool, curateSubsetTool, listSlicesTool, searchEpisodesTool } from './search.ts';

/** All tools, by area. */
export const tools = defineRegistry<Tool>([
  listWorkspacesTool,
  listUseCasesTool,
  createWorkspaceTool,
  listProjectsTool,
  openProjectTool,
  createProjectTool,
  setTargetProfileTool,
  registerSourceTool,
  listSourcesTool,
  triggerRunTool,
  getRunStatusTool,
  cancelRunTool,
  getReadinessReportTool,
  diagnoseFailuresTool,
  getReadinessSettingsTool,
  setReadinessSettingsTool,
  getAnnotationLayersTool,
  setAnnotationLayersTool,
  runAnnotationJobTool,
  searchEpisodesTool,
  createSliceTool,
  listSlicesTool,
  curateSubsetTool,
  listExportsTool,
  createExportTool,
  sealExportTool,
  getExportDownloadTool,
  deleteExportTool,
  getModelsTool,
  setModelTool,
  getBudgetTool,
  setBudgetTool,
  listUsersTool,
  inviteUserTool,
  raiseSupportQueryTool,
]);

/** Returns the tools that a role may use; only these are described to the model. */
export function toolsFor(role: Role): readonly Tool[] {
  return tools.rows.filter((tool) => roleReaches(role, tool.role));
}

const catalogues = new Map<Role, ModelRequest['tools']>();

/**
 * Returns the tool descriptions for a role, cached. They are texts of this program, so the media boundary checks them
 * once instead of on every call.
 */
export function toolCatalogue(role: Role): ModelRequest['tools'] {
  const cached = catalogues.get(role);
  if (cached !== undefined) return cached;
  const catalogue = toolsFor(role).map(({ id, description, input_schema }) => ({
    id,
    description,
    input_schema,
  }));
  assertNoMedia(catalogue);
  catalogues.set(role, catalogue);
  return catalogue;
}
