export { endExport } from './durable/exports/end-export.ts';
export { exportPrice } from './durable/exports/export-budget.ts';
export { exportPrefix, noExport, refOfExport } from './durable/exports/export-ref.ts';
export { launchExport } from './durable/exports/launch-export.ts';
export { listKey, signerOf } from './durable/exports/signer-of.ts';
export { exportOf } from './durable/exports/views.ts';
export { cancelHeld } from './durable/jobs/cancel-held.ts';
export { type OpenedJob, openJob, plannedJobSeconds, queueJob } from './durable/jobs/create-job.ts';
export { stopJob } from './durable/jobs/end-job.ts';
export { jobEvents } from './durable/jobs/job-events.ts';
export { hasEnded } from './durable/jobs/job-ref.ts';
export {
  asksEndpoint,
  type LanePlan,
  notRunHere,
  planLane,
  projectModels,
} from './durable/jobs/lane-plan.ts';
export { changeJob, tellJob } from './durable/jobs/tell-job.ts';
export { tokenPricesFor } from './durable/jobs/token-prices.ts';
export { jobOf, jobsOf, noJob } from './durable/jobs/views.ts';
export { plannedRunSeconds, rescoreSeconds, secondsLeft } from './durable/runs/estimate.ts';
export { runEvents } from './durable/runs/follow-events.ts';
export { launchRun } from './durable/runs/launch-run.ts';
export { unavailableLayer } from './durable/runs/layers/layer-findings.ts';
export { layersFromStart, layersToResume } from './durable/runs/layers/layer-state.ts';
export { planHash } from './durable/runs/plan-hash.ts';
export { queueStage } from './durable/runs/queue-stage.ts';
export { reserveForRun, runsCost } from './durable/runs/run-budget.ts';
export { stopRun } from './durable/runs/stop-run.ts';
export { changeRun } from './durable/runs/tell-run.ts';
export { noRun, runOf } from './durable/runs/views.ts';
export { startWorkEngine, type WorkEngine } from './durable/start-engine.ts';
export { lookOnce } from './durable/threads/look-once.ts';
export { FilmCache, type KeptFilm, type MakeFilm } from './films/film-cache.ts';
export { rowsIn } from './films/rows-in.ts';
export { allowedFolder } from './recordings/allowed-folder.ts';
export { allowedPrefix } from './recordings/allowed-prefix.ts';
export { recordingsOf } from './recordings/recordings-of.ts';
export { type FilesOfDataset, goneRecording, withFiles } from './recordings/with-files.ts';
export { certifyEvidence } from './steps/certify/certify-evidence.ts';
export { demandExportable } from './steps/export/demand-exportable.ts';
export { editRequest } from './steps/export/edit-steps.ts';
export { formatsWithAnnotations } from './steps/export/judged-facts.ts';
export { lineageFile } from './steps/export/lineage.ts';
export { exportFileKey, exportIndexKey } from './steps/export/store-files.ts';
export type { LookAnswer } from './steps/messages.ts';
export type { Camera, ShardPlace } from './steps/read/reader-tasks.ts';
export { type ReaderLimits, ReaderThreads } from './steps/read/reader-threads.ts';
export { readReportAsset } from './steps/report/read-asset.ts';
export { tooBusy } from './workers/too-busy.ts';
