export { sourceFormats } from './source-formats.ts';
export type { TargetProfileRow } from './target-profile.ts';
export { targetProfile, targetProfiles } from './target-profile-registry.ts';
export { describeUseCase, type UseCaseRow, type UseCaseView } from './use-case.ts';
export { findUseCase, useCase, useCases } from './use-case-registry.ts';
