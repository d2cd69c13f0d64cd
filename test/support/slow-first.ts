import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds by test file, of the files that take longest; `npm run test:timings -- --write` renews it. */
const slowest: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL('../timings.json', import.meta.url), 'utf8'),
);

/** Starts the slowest files of a project first: a slow file that starts last keeps a core idle. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ project, moduleId }: TestSpecification) =>
      slowest[moduleId.slice(project.config.root.length + 1)] ?? 0;
    const sorted = await super.sort(files);
    const projects = new Map(sorted.map(({ project: { name } }, index) => [name, index]));
    return sorted.toSorted(
      (a, b) => projects.get(a.project.name)! - projects.get(b.project.name)! || seconds(b) - seconds(a),
    );
  }
}
