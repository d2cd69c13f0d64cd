import type { TestCase, TestModule } from 'vitest/node';
import { recordTiming } from './timings.ts';

/** Prints after a run: the slowest files, skipped and retried tests, and the files whose process died. */
export default class ClosingReporter {
  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, duration } = module.diagnostic();
    recordTiming({
      kind: 'file',
      file: module.relativeModuleId,
      project: module.project.name,
      tests: [...module.children.allTests()].length,
      import_ms: Math.round(collectDuration),
      run_ms: Math.round(duration),
    });
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const all = (state?: 'skipped') => modules.flatMap((module) => [...module.children.allTests(state)]);
    const skipped = new Map<string, number>();
    // `-t` skips what it does not name; that is no news.
    const isFiltered = modules.some(({ project }) => project.config.testNamePattern !== undefined);
    for (const test of isFiltered ? [] : all('skipped')) {
      const suite = test.parent.type === 'suite' ? test.parent.fullName : test.name;
      const title = test.name.includes('skipped') ? test.name : suite;
      skipped.set(title, (skipped.get(title) ?? 0) + 1);
    }
    list('Skipped, because this machine lacks what they need:', [...skipped].map(counted));
    const retried = all().filter((test) => test.diagnostic()?.flaky);
    list('Passed only when retried:', retried.map(withReason));
    const died = modules.filter((module) => ['queued', 'pending'].includes(module.state()));
    list(
      'Cut short, because the process died:',
      died.map((module) => module.relativeModuleId),
    );
    const slowest = modules
      .map((module) => ({ file: module.relativeModuleId, s: seconds(module) }))
      .toSorted((a, b) => b.s - a.s)
      .slice(0, 10);
    if (modules.length > 10)
      list(
        'Slowest files:',
        slowest.map(({ file, s }) => `${s.toFixed(1)} s  ${file}`),
      );
  }
}

/** Time to import a file and to run its tests and hooks. */
function seconds(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return (collectDuration + duration) / 1000;
}

const counted = ([title, count]: [string, number]): string => `${count} × ${title}`;
const named = (test: TestCase): string => `${test.module.relativeModuleId}: ${test.fullName}`;

/** With what was thrown when it was not retried yet. */
function withReason(test: TestCase): string {
  const why = (test.result().errors ?? []).map(({ message }) => message.slice(-3000)).join('\n');
  return `${named(test)}\n${why}`;
}

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${[title, ...lines.map((line) => `  ${line}`)].join('\n')}\n`);
}
