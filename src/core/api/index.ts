export {
  type JobLayerId,
  jobLayerIdSchema,
  jobLayerIds,
  type LayerId,
  type LayerMode,
  layerIdSchema,
  layerModes,
  type ModelSurfaceId,
  modelSurfaceIds,
} from './annotation-layers.ts';
export type { CertificationMetricId, CertificationVerdict } from './bounds/index.ts';
export { contractVersions } from './contract-version.ts';
export { inputSchema } from './input-schema.ts';
export { kindSchema } from './kinds.ts';
export { layerIds } from './layer-ids.ts';
export {
  type OnnxProviderId,
  type OnnxProviderSetting,
  onnxProviderIds,
  onnxProviderSettings,
  type VisionEndpoint,
} from './model-settings.ts';
export {
  defineOperation,
  type Operation,
  type OperationInput,
  type OperationOutput,
  type Success,
} from './operation.ts';
export {
  type ComputeDevice,
  computeDevices,
  flatPrices,
  type PriceList,
  priceFileSchema,
} from './prices.ts';
export { idSchema, nameSchema, pageOf, pageQuery, scoreSchema, timeSchema } from './primitives.ts';
export { type Problem, problemSchema } from './problem.ts';
export {
  type InputFault,
  type InputParts,
  inputReader,
  invalidInput,
  readPart,
  type ToolInput,
  unstorableTexts,
} from './read-input.ts';
export { type Role, roleReaches, roles } from './roles.ts';
export type { AnnotationJob, AnnotationJobProgress } from './schemas/annotation-jobs.ts';
export type {
  AnnotationSettings,
  InstalledState,
  ModelRegistry,
  ModelSurface,
  ModelWeights,
  WorkspaceAnnotationSettings,
} from './schemas/annotation-settings.ts';
export type {
  Annotation,
  AnnotationCoverage,
  AnnotationEdit,
  AnnotationStatus,
  EpisodeAnnotation,
  EpisodeAnnotationSummary,
  ModelUse,
} from './schemas/annotations.ts';
export {
  type Assessment,
  assessmentSchema,
  type Incomplete,
  incompleteSchema,
  type SetVerdict,
} from './schemas/assessment.ts';
export {
  type AuditEntry,
  type AuditHead,
  type AuditVerification,
  auditHeadTextSchema,
  readAuditHead,
} from './schemas/audit.ts';
export type { Budget, CostGroup, Costs } from './schemas/budget.ts';
export type {
  DryRun,
  PolicyDifference,
  SavedPolicy,
  SigningKeyInfo,
} from './schemas/certification.ts';
export {
  type BundleFacts,
  type BundleManifest,
  bundleManifestSchema,
} from './schemas/certification-bundle.ts';
export {
  type CertificationPolicy,
  type CertificationPolicyInput,
  certificationPolicyInputSchema,
  certificationPolicySchema,
  type MetricBounds,
} from './schemas/certification-policy.ts';
export {
  type CertificationReport,
  type CertificationSummary,
  type CertifiedMetric,
  certificationReportSchema,
  type ListedDecision,
  type MetricDecision,
} from './schemas/certification-report.ts';
export type { ComparedSide, EpisodeComparison } from './schemas/comparison.ts';
export {
  type ChatEvent,
  type ChatRequest,
  type CopilotModels,
  type CopilotSuggestions,
  chatEventSchema,
  chatRequestSchema,
  type MediaKind,
  type ProjectAnswer,
  projectAnswerSchema,
  type ScreenObject,
  type StopReason,
  type SupportQuery,
  type Thread,
  type ThreadSummary,
  type ToolEnvelope,
  type TurnFacts,
  turnFactsSchema,
} from './schemas/copilot.ts';
export type {
  ApplyCuration,
  CurationPlan,
  CurationPlanInput,
  CurationPlanSummary,
  CurationRecommendation,
  CurationReport,
  CurationStrategy,
} from './schemas/curation.ts';
export type {
  EpisodePose,
  EpisodePoses,
  EpisodeStream,
  Playback,
  StreamFacts,
  StreamSamples,
} from './schemas/episode-streams.ts';
export {
  type EmbeddingMap,
  type Episode,
  type EpisodeSort,
  type EpisodeSummary,
  episodeSorts,
  type ProjectFinding,
  type ProjectSummary,
  type Review,
} from './schemas/episodes.ts';
export type { ComputeEstimate } from './schemas/estimate.ts';
export type { DroppedCount, Export, ExportChosen, ExportedFormat, ExportFile } from './schemas/exports.ts';
export {
  type ClosedLoop,
  type Failure,
  type FailureFormat,
  type FailureImport,
  type FailureRecord,
  type FailureVerdict,
  failureRecordSchema,
  maxFailures,
  type Trajectory,
} from './schemas/failures.ts';
export {
  type CreatedWebhook,
  type EmailSubscription,
  type NotificationDelivery,
  type NotificationEvent,
  type NotificationEventType,
  notificationEventSchema,
  notificationEventTypes,
  type Webhook,
} from './schemas/notifications.ts';
export type { OntologySummary, SetOntology } from './schemas/ontology.ts';
export type {
  DataKind,
  Project,
  ProjectFormats,
  Workspace,
} from './schemas/projects.ts';
export type {
  ProjectReadinessSettings,
  ReadinessSettingsChange,
} from './schemas/readiness-settings.ts';
export {
  type Component,
  componentSchema,
  type Decision,
  findingSchema,
  flagSchema,
  markSchema,
  type Receipt,
  type ReceiptFacts,
  type ReceiptFlag,
  receiptSchema,
} from './schemas/receipt.ts';
export type { Run, RunPlan, RunProgress } from './schemas/runs.ts';
export {
  type EpisodeSearchFilter,
  type SearchAnswer,
  type SearchCoverage,
  type SearchQuery,
  type ServedRanking,
  type Slice,
  type SliceDiff,
  type SliceMember,
  type SliceQuery,
  searchFilterSchema,
  searchQuerySchema,
} from './schemas/search.ts';
export type { Readiness } from './schemas/service.ts';
export type { CreateSource, PromisedFile, Source, SourceFile } from './schemas/sources.ts';
export type {
  ActionGroup,
  ActionSpace,
  ActionSpaceDiagnosis,
  Citation,
  PolicyCandidate,
  PolicyClass,
  PolicyRecommendation,
  Representation,
  TargetReadiness,
} from './schemas/target-readiness.ts';
export {
  type CreatedTenant,
  type CreatedToken,
  type createTenantSchema,
  createTokenSchema,
  type createUserSchema,
  type InvitedUser,
  roleSchema,
  type Token,
  tenantNameShape,
  tokenShape,
  type User,
  type Whoami,
} from './schemas/tenancy.ts';
export {
  type ExportFormatId,
  exportFormatIds,
  presetIds,
  type RequirementId,
  requirementIds,
  type TargetProfile,
  type TargetProfileId,
  targetProfileIds,
  type UseCase,
  type UseCaseId,
  useCaseAliases,
  useCaseIds,
} from './schemas/use-cases.ts';
export type {
  Ablation,
  AblationInput,
  DistributionGap,
  Probe,
  ProbeInput,
  Utility,
} from './schemas/utility.ts';
export { type ReadinessSettings, readinessSettingsSchema, settingBounds } from './settings.ts';
