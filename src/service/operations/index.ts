export {
  getAnnotationSettings,
  getCachedAnnotationSettings,
  getWorkspaceAnnotationSettings,
  setAnnotationSettings,
  setWorkspaceAnnotationSettings,
} from './annotation/annotation-settings.ts';
export {
  getAnnotationCoverage,
  getAnnotationStatus,
  getCachedAnnotationStatus,
} from './annotation/annotation-status.ts';
export { verifyAudit } from './audit/audit-chain.ts';
export { type AuditedAction, actorId, appendAudit, listAudit } from './audit/audit-log.ts';
export { getBudget, getCosts, setBudget } from './budget.ts';
export { SerializedAnswer } from './caches.ts';
export { type Actor, type Call, requireRole, scopeOf, systemCall } from './call.ts';
export {
  type BundleResult,
  exportCertification,
  importCertificationReport,
} from './certification/bundles.ts';
export {
  createCertificationPolicy,
  diffCertificationPolicies,
  getCertificationPolicy,
  getDefaultCertificationPolicy,
  listCertificationPolicies,
} from './certification/policies.ts';
export {
  dryRunCertificationPolicy,
  getCertificationReport,
  listCertificationDecisions,
} from './certification/report.ts';
export { listCertificationKeys, rotateCertificationKey } from './certification/signing-keys.ts';
export { type Approvals, hashMessage, openApprovals } from './copilot/approvals.ts';
export {
  activeProvider,
  explainProvider,
  getCopilotModels,
  type ReservedCall,
  reserveModelCall,
  settleModelCall,
} from './copilot/model-calls.ts';
export { listSupportQueries, raiseSupportQuery } from './copilot/support-queries.ts';
export { deleteThread, type FinishedTurn, getThread, listThreads, saveTurn } from './copilot/threads.ts';
export {
  applyCuration,
  curate,
  listStrategies,
  previewCuration,
  recommendCuration,
} from './curation/curate.ts';
export { getCurationPlan, listCurationPlans } from './curation/plans.ts';
export { editDenseText, listAnnotationEdits } from './episodes/annotation-edits.ts';
export { getAnnotationPart, getEpisodeAnnotation, listEpisodeAnnotations } from './episodes/annotations.ts';
export { getEpisode, getReceipt, type SealedReceipt, updateEpisode } from './episodes/episode-details.ts';
export {
  type EpisodeQuery,
  listEpisodes,
  listFindings,
  type ProjectFindingQuery,
} from './episodes/list-episodes.ts';
export { closeFrameService } from './episodes/media/frame-service.ts';
export { type Frame, type FrameQuery, getFrame } from './episodes/media/get-frame.ts';
export { getOverlay } from './episodes/media/get-overlay.ts';
export { getPlayback, type PlaybackQuery } from './episodes/media/get-playback.ts';
export { getVideo, type Video, type VideoQuery } from './episodes/media/get-video.ts';
export { closeVideoService } from './episodes/media/video-service.ts';
export { createReview, listReviews, type NewReview, withdrawReview } from './episodes/reviews.ts';
export { getPoses, getStream, listStreams, type StreamQuery } from './episodes/streams.ts';
export { type SummaryQuery, summariseProject } from './episodes/summarise-project.ts';
export { createExport, previewExport } from './exports/create-export.ts';
export {
  downloadExport,
  getExportFile,
  getExportLineage,
  listExportFiles,
  type RangedBytes,
} from './exports/export-files.ts';
export { cancelExport, deleteExport, getExport, listExports, sealExport } from './exports/manage-exports.ts';
export { closeLoop } from './failures/close-loop.ts';
export { importFailures } from './failures/import-failures.ts';
export { getFailureImport, listFailures } from './failures/list-failures.ts';
export { type AnnotateEpisode, annotateEpisode } from './jobs/annotate-episode.ts';
export { enqueueJob, type JobInput, previewJob } from './jobs/enqueue-job.ts';
export {
  cancelJob,
  getJob,
  type JobQuery,
  type JobStreamEvent,
  listJobs,
  streamJobs,
} from './jobs/manage-jobs.ts';
export { installedModels, listModels, registryView, requireModel, setModels } from './models.ts';
export { listDeliveries, redeliver, sendTestEvent } from './notifications/deliveries.ts';
export {
  createEmailSubscription,
  getEmailSubscription,
  listEmailSubscriptions,
  subscriptionId,
  updateEmailSubscription,
} from './notifications/email-subscriptions.ts';
export { removeTarget } from './notifications/targets.ts';
export {
  createWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  webhookId,
} from './notifications/webhooks.ts';
export { getOntologySummary, setOntologySummary } from './ontology.ts';
export { type Page, pageOfRows, readCursor } from './page.ts';
export { getDataKind, setDataKind } from './projects/data-kind.ts';
export { getProjectFormats } from './projects/get-project-formats.ts';
export {
  createProject,
  deleteProject,
  getProject,
  listProjects,
  updateProject,
} from './projects/manage-projects.ts';
export { effectiveSettings } from './readiness/effective-settings.ts';
export { getTargetReadiness } from './readiness/get-target-readiness.ts';
export { getReadinessSettings, setReadinessSettings } from './readiness/readiness-settings.ts';
export { getRunReport } from './runs/get-run-report.ts';
export { cancelRun, getRun, listRunFindings, listRuns, streamRun } from './runs/manage-runs.ts';
export { planRun } from './runs/plan-run.ts';
export { rescoreProject } from './runs/rescore-project.ts';
export { resumeRun } from './runs/resume-run.ts';
export { startRun } from './runs/start-run.ts';
export { mapEpisodes } from './search/map-episodes.ts';
export { searchProject } from './search/search-project.ts';
export { checkReadiness, countRuns } from './service-status.ts';
export { type Comparison, compareEpisodes } from './slices/compare-episodes.ts';
export { diffSlices } from './slices/diff-slices.ts';
export {
  createSlice,
  deleteSlice,
  getSlice,
  listSliceMembers,
  listSlices,
  promoteSlice,
} from './slices/manage-slices.ts';
export { createSource } from './sources/create-source.ts';
export {
  deleteSource,
  getSource,
  listSourceFiles,
  listSources,
  sweepUploads,
} from './sources/manage-sources.ts';
export {
  beginUploadFile,
  completeSource,
  extendUpload,
  finishUploadFile,
  getUploadProgress,
  removeUploadFile,
  type UploadProgress,
} from './sources/upload-files.ts';
export { uploadsPath } from './sources/views.ts';
export {
  acceptInvitation,
  createSession,
  createSignInLink,
  endSession,
  findActor,
  type Session,
  whoami,
} from './tenancy/sessions.ts';
export {
  addTenant,
  type BootstrapResult,
  bootstrapTenant,
  createTenant,
  defaultTenant,
  findTenant,
  listTenants,
  type Tenant,
} from './tenancy/tenants.ts';
export { createToken, listTokens, type NewToken, revokeToken } from './tenancy/tokens.ts';
export { createUser, listUsers } from './tenancy/users.ts';
export { getUseCase, listTargetProfiles, listUseCases } from './use-cases.ts';
export { getDistributionGap, getUtility, runAblation, runProjectProbe } from './utility.ts';
export {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  setUseCase,
  updateWorkspace,
} from './workspaces.ts';
