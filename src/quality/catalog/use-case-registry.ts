import { defineRegistry } from '#core';
import { type UseCaseId, useCaseAliases } from '#core/api';
import type { UseCaseRow } from './use-case.ts';
import { autonomousDriving } from './use-cases/autonomous-driving.ts';
import { dataAssessment } from './use-cases/data-assessment.ts';
import { dronesAerial } from './use-cases/drones-aerial.ts';
import { humanoidsMobile } from './use-cases/humanoids-mobile.ts';
import { roboticManipulation } from './use-cases/robotic-manipulation.ts';
import { spatialWorldModels } from './use-cases/spatial-world-models.ts';
import { visionDatasets } from './use-cases/vision-datasets.ts';

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

/** Returns a use case by its id or a former id; undefined if there is none. */
export function findUseCase(id: string): UseCaseRow | undefined {
  const aliases: Readonly<Record<string, string>> = useCaseAliases;
  return useCases.get(Object.hasOwn(aliases, id) ? aliases[id] : id);
}

/** Returns the use case of an id of the API contract. */
export function useCase(id: UseCaseId): UseCaseRow {
  return useCases.get(id)!;
}
