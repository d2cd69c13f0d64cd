import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { TestCase, TestModule } from 'vitest/node';

/**
 * Ends a run with what its figures do not say: what was skipped and why, by the names of groups and tests, what
 * passed only when it was tried again, for somebody to find out why, and the files that were cut short with their
 * process. Where ASSAY_TEST_CUT_SHORT names a file, the latter are written there for CI to run once more, provided
 * that all else passed: now and then Node dies of a segmentation fault beside PGlite (nodejs/node#64500).
 */
export default class ClosingReporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
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
    const cutShort = modules
      .filter((module) => ['queued', 'pending'].includes(module.state()))
      .map((module) => module.relativeModuleId);
    list('Cut short, because the process died:', cutShort);
    const restPassed = modules.every((module) => module.ok()) && errors.every(isSegmentationFault);
    const listed = process.env.ASSAY_TEST_CUT_SHORT;
    if (listed !== undefined && restPassed)
      writeFileSync(listed, cutShort.map((file) => `${file}\n`).join(''));
  }
}

const isSegmentationFault = ({ cause }: SerializedError): boolean =>
  /exited unexpectedly with signal SIGSEGV/.test(String((cause as Error | undefined)?.message));

const counted = ([title, count]: [string, number]): string => `${count} × ${title}`;
const named = (test: TestCase): string => `${test.module.relativeModuleId}: ${test.fullName}`;

function list(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${[title, ...lines.map((line) => `  ${line}`)].join('\n')}\n`);
}
