import type { TestCase, TestModule } from 'vitest/node';

/**
 * Ends a run with what its figures do not say: what was skipped and why, by the names of groups and tests, and what
 * passed only when it was tried again, for somebody to find out why.
 */
export default class ClosingReporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const all = (state?: 'skipped') => modules.flatMap((module) => [...module.children.allTests(state)]);
    const skipped = new Map<string, number>();
    for (const test of all('skipped')) {
      const title = test.parent.type === 'suite' ? test.parent.fullName : test.name;
      skipped.set(title, (skipped.get(title) ?? 0) + 1);
    }
    list('Skipped, because what they need is not on this machine:', [...skipped].map(counted));
    list(
      'Failed, and passed when tried again:',
      all()
        .filter((test) => test.diagnostic()?.flaky)
        .map(named),
    );
  }
}

const counted = ([title, count]: [string, number]): string => `${count} × ${title}`;
const named = (test: TestCase): string => `${test.module.relativeModuleId}: ${test.fullName}`;

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${[title, ...lines.map((line) => `  ${line}`)].join('\n')}\n`);
}
