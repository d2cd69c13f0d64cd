export { sourceFormats } from './source-formats.ts';
export { type TargetProfileRow, targetProfile, targetProfiles } from './target-profiles.ts';
export { describeUseCase, type UseCaseRow, type UseCaseView } from './use-case.ts';
export { findUseCase, useCase, useCases } from './use-case-registry.ts';
