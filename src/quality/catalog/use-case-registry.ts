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

/** Every use case, in the order in which they are shown. */
export const useCases = defineRegistry<UseCaseRow>([
  roboticManipulation,
  autonomousDriving,
  dronesAerial,
  visionDatasets,
  spatialWorldModels,
  humanoidsMobile,
  dataAssessment,
]);

/** A use case by its id or one of its former ids; undefined for anything else. */
export function findUseCase(id: string): UseCaseRow | undefined {
  const known: Readonly<Record<string, string>> = useCaseAliases;
  return useCases.get(Object.hasOwn(known, id) ? known[id] : id);
}

/** The use case of an id that the contract knows. */
export function useCase(id: UseCaseId): UseCaseRow {
  return useCases.get(id)!;
}
