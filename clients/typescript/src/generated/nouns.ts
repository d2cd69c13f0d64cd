// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../calls.ts';
import { annotation } from './nouns/annotation.ts';
import { annotationJobs } from './nouns/annotation-jobs.ts';
import { audit } from './nouns/audit.ts';
import { budget } from './nouns/budget.ts';
import { certification } from './nouns/certification.ts';
import { copilot } from './nouns/copilot.ts';
import { curation } from './nouns/curation.ts';
import { episodeAnnotations } from './nouns/episode-annotations.ts';
import { episodes } from './nouns/episodes.ts';
import { exports } from './nouns/exports.ts';
import { failures } from './nouns/failures.ts';
import { notifications } from './nouns/notifications.ts';
import { projects } from './nouns/projects.ts';
import { readiness } from './nouns/readiness.ts';
import { runs } from './nouns/runs.ts';
import { search } from './nouns/search.ts';
import { service } from './nouns/service.ts';
import { sources } from './nouns/sources.ts';
import { tenant } from './nouns/tenant.ts';
import { useCases } from './nouns/use-cases.ts';
import { workspaces } from './nouns/workspaces.ts';

/** Every operation, by what it is about. */
export const nouns = (calls: Calls) => ({
  annotation: annotation(calls),
  annotationJobs: annotationJobs(calls),
  audit: audit(calls),
  budget: budget(calls),
  certification: certification(calls),
  copilot: copilot(calls),
  curation: curation(calls),
  episodeAnnotations: episodeAnnotations(calls),
  episodes: episodes(calls),
  exports: exports(calls),
  failures: failures(calls),
  notifications: notifications(calls),
  projects: projects(calls),
  readiness: readiness(calls),
  runs: runs(calls),
  search: search(calls),
  service: service(calls),
  sources: sources(calls),
  tenant: tenant(calls),
  useCases: useCases(calls),
  workspaces: workspaces(calls),
});
