import type { Task } from './task.ts';
import { annotationTasks } from './tasks/annotation.ts';
import { projectTasks } from './tasks/projects.ts';
import { readinessTasks } from './tasks/readiness.ts';
import { runTasks } from './tasks/runs.ts';
import { subsetTasks } from './tasks/subsets.ts';
import { teamTasks } from './tasks/team.ts';

/** In the order in which they are done: some rest on what earlier ones made. */
export const tasks: readonly Task[] = [
  ...projectTasks,
  ...readinessTasks,
  ...annotationTasks,
  ...subsetTasks,
  ...teamTasks,
  ...runTasks,
];
