export * from './budget.ts';
export * from './episodes.ts';
export * from './idempotency.ts';
export * from './project-counts.ts';
export * from './projects.ts';
export * from './runs.ts';
export * from './tenancy.ts';
export * from './tenant-models.ts';
