export { toApiPointer, toApiWords } from './durable/exports/api-words.ts';
export {
  endExport,
  exportNotFound,
  exportPrefix,
  exportPrice,
  exportRef,
  launchExport,
  toExport,
} from './durable/exports/export-lifecycle.ts';
export { getSigner, registerKey } from './durable/exports/tenant-signer.ts';
export { estimateJob, type OpenedJob, openJob, queueJob } from './durable/jobs/create-job.ts';
export { cancelLockedJob, stopJob } from './durable/jobs/end-job.ts';
export {
  hasEnded,
  jobEvents,
  jobNotFound,
  publishJob,
  toJob,
  toJobs,
  updateJob,
} from './durable/jobs/job.ts';
export { findModelTokenPrices } from './durable/jobs/job-costs.ts';
export {
  type LanePlan,
  noLaneError,
  planLane,
  projectModels,
  usesVisionEndpoint,
} from './durable/jobs/lane-plan.ts';
export { launchRun, lookAtRecordings, planHash, queueStage } from './durable/runs/launch-run.ts';
export { runEvents, runNotFound, toRun, updateRun } from './durable/runs/run.ts';
export {
  estimateRun,
  rescoreSeconds,
  reserveForRun,
  runsAreCharged,
  secondsLeft,
} from './durable/runs/run-costs.ts';
export { pageRunFindings } from './durable/runs/run-findings.ts';
export { stopRun } from './durable/runs/run-kind.ts';
export { restartLayers, resumeLayers, unavailableLayer } from './durable/runs/run-layers.ts';
export { startWorkEngine, type WorkEngine } from './durable/start-engine.ts';
export { type CachedFilm, FilmCache, findRowRange, type RenderFilm } from './film-cache.ts';
export { indexTexts, queueTextIndex } from './index-texts.ts';
export { type DatasetFiles, recordingNotFound, withFiles } from './open-recordings.ts';
export { requireAllowedFolder, requireAllowedPrefix, resolveRecordings } from './resolve-recordings.ts';
export { layerIdentity } from './steps/annotate/lane-models.ts';
export { certifyEvidence } from './steps/certify-evidence.ts';
export { requireCopyable } from './steps/export/check-export.ts';
export {
  type AssessedDataset,
  type AssessedStreams,
  requireStorable,
} from './steps/export/check-streams.ts';
export {
  isLeRobotCopy,
  requireExportable,
  requireNoAbsentCamera,
  requireRows,
  type StorableSettings,
  toEditRequest,
} from './steps/export/export-request.ts';
export { formatsWithAnnotations } from './steps/export/judged-facts.ts';
export { lineageFile } from './steps/export/lineage.ts';
export { exportFileKey, exportIndexKey } from './steps/export/store-files.ts';
export { exportedLayers, unsupportedLayers } from './steps/exported-layers.ts';
export type { LookAnswer } from './steps/messages.ts';
export {
  type CameraInfo,
  type ReaderLimits,
  ReaderThreads,
  type ShardLocation,
} from './steps/read/reader-threads.ts';
export { readReportAsset } from './steps/read-asset.ts';
export { closeTextEncoders, textEncoders } from './text-encoders.ts';
export { deleteListings, listWebSource, requireAllowedAddress } from './web-sources.ts';
export { busyError } from './workers/worker-pool.ts';
