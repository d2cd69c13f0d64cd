import type { JobRow } from '#store';

type Named = Pick<JobRow, 'tenant_id' | 'project_id' | 'layer' | 'id'>;

/** Keys of the artifacts of a project's layer start so. */
export const layerPrefix = ({ tenant_id, project_id, layer }: Omit<Named, 'id'>): string =>
  `${tenant_id}/annotations/${project_id}/${layer}`;

/** Keys of a job's artifacts start so. */
export const artifactPrefix = (job: Named): string => `${layerPrefix(job)}/${job.id}`;
