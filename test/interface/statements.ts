import type { Statement } from './statement.ts';
import { accessStatements } from './statements/access.ts';
import { certificationStatements } from './statements/certification.ts';
import { collectionStatements } from './statements/collections.ts';
import { copilotStatements } from './statements/copilot.ts';
import { jobStatements } from './statements/jobs.ts';
import { layerStatements } from './statements/layers.ts';
import { projectStatements } from './statements/projects.ts';
import { readinessStatements } from './statements/readiness.ts';

/** All statements, in the order in which they are checked. */
export const statements: readonly Statement[] = [
  ...projectStatements,
  ...layerStatements,
  ...jobStatements,
  ...readinessStatements,
  ...certificationStatements,
  ...copilotStatements,
  ...accessStatements,
  ...collectionStatements,
];
