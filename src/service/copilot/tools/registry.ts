import { defineRegistry } from '#core';
import { type Role, roleReaches } from '#core/api';
import { getAnnotationLayersTool } from './annotation/get-annotation-layers.ts';
import { runAnnotationJobTool } from './annotation/run-annotation-job.ts';
import { setAnnotationLayersTool } from './annotation/set-annotation-layers.ts';
import { createExportTool } from './exports/create-export.ts';
import { deleteExportTool } from './exports/delete-export.ts';
import { getExportDownloadTool } from './exports/get-export-download.ts';
import { listExportsTool } from './exports/list-exports.ts';
import { sealExportTool } from './exports/seal-export.ts';
import { getBudgetTool } from './models/get-budget.ts';
import { getModelsTool } from './models/get-models.ts';
import { setBudgetTool } from './models/set-budget.ts';
import { setModelTool } from './models/set-model.ts';
import { createProjectTool } from './projects/create-project.ts';
import { createWorkspaceTool } from './projects/create-workspace.ts';
import { listProjectsTool } from './projects/list-projects.ts';
import { listUseCasesTool } from './projects/list-use-cases.ts';
import { listWorkspacesTool } from './projects/list-workspaces.ts';
import { openProjectTool } from './projects/open-project.ts';
import { setTargetProfileTool } from './projects/set-target-profile.ts';
import { diagnoseFailuresTool } from './readiness/diagnose-failures.ts';
import { getReadinessReportTool } from './readiness/get-readiness-report.ts';
import { getReadinessSettingsTool } from './readiness/get-readiness-settings.ts';
import { setReadinessSettingsTool } from './readiness/set-readiness-settings.ts';
import { cancelRunTool } from './runs/cancel-run.ts';
import { getRunStatusTool } from './runs/get-run-status.ts';
import { listSourcesTool } from './runs/list-sources.ts';
import { registerSourceTool } from './runs/register-source.ts';
import { triggerRunTool } from './runs/trigger-run.ts';
import { createSliceTool } from './search/create-slice.ts';
import { curateSubsetTool } from './search/curate-subset.ts';
import { listSlicesTool } from './search/list-slices.ts';
import { searchEpisodesTool } from './search/search-episodes.ts';
import { inviteUserTool } from './team/invite-user.ts';
import { listUsersTool } from './team/list-users.ts';
import { raiseSupportQueryTool } from './team/raise-support-query.ts';
import type { Tool } from './tool.ts';

/** Every tool, by area. */
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

/** The catalogue of a role: what it may do, and nothing else, so that nothing else is asked of a model. */
export function toolsFor(role: Role): readonly Tool[] {
  return tools.rows.filter((tool) => roleReaches(role, tool.role));
}
