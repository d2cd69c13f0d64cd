export {
  type LayerId,
  type LayerMode,
  layerIdSchema,
  layerModes,
  type ModelSurfaceId,
  modelSurfaceIds,
} from './annotation-layers.ts';
export { kindSchema } from './kinds.ts';
export { layerIds } from './layer-ids.ts';
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
  AnnotationStatus,
  EpisodeAnnotation,
  EpisodeAnnotationSummary,
} from './schemas/annotations.ts';
export {
  type Assessment,
  assessmentSchema,
  type Incomplete,
  incompleteSchema,
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
  ApplyCuration,
  CurationPlan,
  CurationPlanInput,
  CurationPlanSummary,
  CurationRecommendation,
  CurationReport,
  CurationStrategy,
} from './schemas/curation.ts';
export type { EpisodeStream, StreamFacts, StreamSamples } from './schemas/episode-streams.ts';
export {
  type Episode,
  type EpisodeSort,
  type EpisodeSummary,
  episodeSorts,
  type ProjectFinding,
  type ProjectSummary,
  type Review,
} from './schemas/episodes.ts';
export type { Export, ExportChosen, ExportFile } from './schemas/exports.ts';
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
export type { Ablation, AblationInput, DistributionGap, Utility } from './schemas/utility.ts';
export { type ReadinessSettings, readinessSettingsSchema, settingBounds } from './settings.ts';
