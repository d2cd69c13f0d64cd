import { defineRegistry } from '#core';
import { type UseCaseId, useCaseAliases } from '#core/api';
import { dataAssessment } from './data-assessment-use-case.ts';
import { humanoidsMobile, roboticManipulation } from './robot-use-cases.ts';
import type { UseCaseRow } from './use-case.ts';
import { autonomousDriving, dronesAerial } from './vehicle-use-cases.ts';
import { spatialWorldModels, visionDatasets } from './vision-use-cases.ts';

/** All use cases, in display order. */
export const useCases = defineRegistry<UseCaseRow>([
  roboticManipulation,
  autonomousDriving,
  dronesAerial,
  visionDatasets,
  spatialWorldModels,
  humanoidsMobile,
  dataAssessment,
]);

/** Returns a use case by its id or a former id; `undefined` if there is none. */
export function findUseCase(id: string): UseCaseRow | undefined {
  const aliases: Readonly<Record<string, string>> = useCaseAliases;
  return useCases.get(Object.hasOwn(aliases, id) ? aliases[id] : id);
}

/** Returns the use case of an id of the API contract. */
export function useCase(id: UseCaseId): UseCaseRow {
  return useCases.get(id)!;
}
