export type { AnnotationJob, AnnotationJobProgress } from './annotation-jobs.ts';
export {
  type LayerId,
  type LayerMode,
  layerIds,
  layerModes,
  type ModelSurfaceId,
  modelSurfaceIds,
} from './annotation-layers.ts';
export type {
  AnnotationSettings,
  InstalledState,
  ModelRegistry,
  ModelSurface,
  ModelWeights,
  WorkspaceAnnotationSettings,
} from './annotation-settings.ts';
export type {
  Annotation,
  AnnotationCoverage,
  AnnotationStatus,
  EpisodeAnnotation,
  EpisodeAnnotationSummary,
} from './annotations.ts';
export { type Assessment, assessmentSchema, type Incomplete, incompleteSchema } from './assessment.ts';
export {
  type AuditEntry,
  type AuditHead,
  type AuditVerification,
  auditHeadTextSchema,
  readAuditHead,
} from './audit.ts';
export type { Budget, CostGroup, Costs } from './budget.ts';
export type { EpisodeStream, StreamFacts, StreamSamples } from './episode-streams.ts';
export {
  type Episode,
  type EpisodeSort,
  type EpisodeSummary,
  episodeSorts,
  type ProjectFinding,
  type ProjectSummary,
  type Review,
} from './episodes.ts';
export { kindSchema } from './kinds.ts';
export {
  defineOperation,
  type Operation,
  type OperationInput,
  type OperationOutput,
  type Success,
} from './operation.ts';
export {
  type ComputeDevice,
  flatPrices,
  type PriceList,
  writtenPricesSchema,
} from './prices.ts';
export { idSchema, nameSchema, pageOf, pageQuery, scoreSchema, timeSchema } from './primitives.ts';
export { type Problem, problemSchema } from './problem.ts';
export type {
  DataKind,
  Project,
  ProjectFormats,
  Workspace,
} from './projects.ts';
export type {
  ProjectReadinessSettings,
  ReadinessSettingsChange,
} from './readiness-settings.ts';
export {
  type Component,
  componentSchema,
  type Decision,
  findingSchema,
  flagSchema,
  markSchema,
  type Receipt,
  type ReceiptFlag,
  receiptSchema,
} from './receipt.ts';
export { type Role, roleReaches, roles } from './roles.ts';
export type { Run, RunPlan, RunProgress } from './runs.ts';
export type { Readiness } from './service.ts';
export { type ReadinessSettings, readinessSettingsSchema, settingBounds } from './settings.ts';
export type { CreateSource, PromisedFile, Source, SourceFile } from './sources.ts';
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
} from './target-readiness.ts';
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
} from './tenancy.ts';
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
} from './use-cases.ts';
