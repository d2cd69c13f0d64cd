export { adminTokenFile, readAdminToken, writeAdminToken } from './admin-token-file.ts';
export type { BlobEntry, BlobLocation, Blobs, BlobsOptions } from './blobs/blobs.ts';
export { clearPartialBlobs, type OrphanSweep, openBlobs, sweepOrphans } from './blobs/open-blobs.ts';
export { type Database, type Sql, sqlState, type TenantScope } from './database/database.ts';
export { migrate, refreshStatistics } from './database/migrate.ts';
export { openEmbedded, openServer, type ServerOptions } from './database/open-database.ts';
export { requireDiskSpace } from './disk-space.ts';
export { createEventStreams, parseEventId } from './event-followers.ts';
export { type FolderLock, lockFolder } from './folder-lock.ts';
export { type OpenQueueOptions, openQueue } from './open-queue.ts';
export { laneQueue, type Queue, type QueuedJob } from './queue.ts';
export type {
  AnnotatedRows,
  AnnotatedTotals,
  DoneRow,
  ItemRow,
  UndoneRow,
} from './repositories/annotation/annotated-items.ts';
export * as annotatedRows from './repositories/annotation/annotated-items.ts';
export type {
  AnnotationInputs,
  PictureMeans,
  StatusInputs,
} from './repositories/annotation/annotation-inputs.ts';
export * as inputRows from './repositories/annotation/annotation-inputs.ts';
export * as annotationRows from './repositories/annotation/annotations.ts';
export * as episodeJobRows from './repositories/annotation/episode-jobs.ts';
export type { JobEventCursor, JobEventRow } from './repositories/annotation/job-events.ts';
export * as jobEventRows from './repositories/annotation/job-events.ts';
export type { ItemQuery, ItemTotals, JobWork, Places } from './repositories/annotation/job-items.ts';
export * as jobItemRows from './repositories/annotation/job-items.ts';
export type { JobRow } from './repositories/annotation/jobs.ts';
export * as jobRows from './repositories/annotation/jobs.ts';
export * as auditRows from './repositories/audit.ts';
export * as budgetRows from './repositories/budget.ts';
export type {
  EvidenceDataset,
  EvidenceRow,
  EvidenceSelector,
} from './repositories/certification-evidence.ts';
export * as evidenceRows from './repositories/certification-evidence.ts';
export type { PolicyRow } from './repositories/certification-policies.ts';
export * as policyRows from './repositories/certification-policies.ts';
export type { ComparedRow } from './repositories/compared-episodes.ts';
export * as comparedRows from './repositories/compared-episodes.ts';
export * as copilotConfirmationRows from './repositories/copilot-confirmations.ts';
export * as copilotThreadRows from './repositories/copilot-threads.ts';
export type { CurationFacts, CurationPlanRow } from './repositories/curation.ts';
export * as curationRows from './repositories/curation.ts';
export * as sampleRows from './repositories/curation-samples.ts';
export type { EpisodeFilter, EpisodeItemRow, EpisodePosition } from './repositories/episode-pages.ts';
export * as episodePages from './repositories/episode-pages.ts';
export * as episodeRows from './repositories/episodes.ts';
export type { ChosenRow, EpisodeDataset, ExportRow } from './repositories/exports.ts';
export * as exportRows from './repositories/exports.ts';
export type { FailureImportRow, FailureRow } from './repositories/failures.ts';
export * as failureRows from './repositories/failures.ts';
export type { KeyClaim } from './repositories/idempotency.ts';
export * as idempotencyRows from './repositories/idempotency.ts';
export type {
  JudgedEpisode,
  JudgedRow,
  JudgedRun,
  JudgedSample,
  JudgedVectors,
} from './repositories/judged-episodes.ts';
export * as judgedRows from './repositories/judged-episodes.ts';
export { type MeasuredRate, readMeasuredRates } from './repositories/measured-rates.ts';
export type { DeliveryRow, DeliveryWithEvent, DueDelivery } from './repositories/notification-deliveries.ts';
export * as deliveryRows from './repositories/notification-deliveries.ts';
export type { TargetKind, TargetRow } from './repositories/notification-targets.ts';
export * as notificationTargetRows from './repositories/notification-targets.ts';
export * as ontologyRows from './repositories/ontologies.ts';
export * as projectCountRows from './repositories/projects/project-counts.ts';
export * as findingRows from './repositories/projects/project-findings.ts';
export * as summaryRows from './repositories/projects/project-summaries.ts';
export * as projectRows from './repositories/projects/projects.ts';
export type { SampledEpisode, TargetTotals } from './repositories/projects/target-facts.ts';
export * as targetRows from './repositories/projects/target-facts.ts';
export type { EventCursor, RunEventRow } from './repositories/run-events.ts';
export * as runEventRows from './repositories/run-events.ts';
export * as runResultRows from './repositories/run-results.ts';
export type { RunRow } from './repositories/run-rows.ts';
export * as runRows from './repositories/run-rows.ts';
export type { MeasuredRow, RunWork, Totals } from './repositories/run-work.ts';
export * as runWorkRows from './repositories/run-work.ts';
export type { Ranking, SearchScope } from './repositories/search/candidates.ts';
export type { DescribedCount, SearchCounts } from './repositories/search/counts.ts';
export * as searchCountRows from './repositories/search/counts.ts';
export { buildNearIndexes } from './repositories/search/near-index.ts';
export type {
  MemberRow,
  SearchHit,
  SearchPosition,
} from './repositories/search/search-episodes.ts';
export * as searchRows from './repositories/search/search-episodes.ts';
export * as textVectorRows from './repositories/search/text-vectors.ts';
export * as vectorRows from './repositories/search/vectors.ts';
export type { SigningKeyRow } from './repositories/signing-keys.ts';
export * as signingKeyRows from './repositories/signing-keys.ts';
export type { SliceMemberItem, SliceRow } from './repositories/slices.ts';
export * as sliceRows from './repositories/slices.ts';
export * as sourceRows from './repositories/sources.ts';
export * as supportRows from './repositories/support-queries.ts';
export * as tenantModelRows from './repositories/tenant-models.ts';
export * as tenantRows from './repositories/tenants.ts';
export * as tokenRows from './repositories/tokens.ts';
export * as uploadFileRows from './repositories/upload-files.ts';
export * as userRows from './repositories/users.ts';
export * as workspaceRows from './repositories/workspaces.ts';
export type { StoredPart } from './schema/annotations.ts';
export type { BundleInputs, RunStage, RunStatus, SourceLocation, WebLocation } from './schema/index.ts';
export * as tables from './schema/index.ts';
export type { NotesBlob, PackEntry, ReceiptsExtent, RunError, RunLayer, RunType } from './schema/runs.ts';
export type { StoredEstimate } from './schema/stored-estimate.ts';
export type { ShardEpisode, ShardStream } from './shards/shard-layout.ts';
export {
  readShardEpisode,
  readShardStream,
  type ShardRows,
  type ShardWindow,
} from './shards/shard-reader.ts';
export { openShardWriter, type ShardFacts, type ShardWriter } from './shards/shard-writer.ts';
export type { SigningCommand } from './signing/command-key.ts';
export type { SigningKey } from './signing/local-keys.ts';
export { createNextKey, currentKey, findPendingKey } from './signing/signing-keys.ts';
export {
  hashStaged,
  listStagedBefore,
  removeStaged,
  stagedBytes,
  stagedPath,
  stageUploadFile,
  stagingFolder,
} from './staged-uploads.ts';
export type { CopilotProvider, MailServer, NotificationSettings, Store } from './store.ts';
