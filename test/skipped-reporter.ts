import type { TestModule } from 'vitest/node';

/** Ends a run with what was skipped and why: the names of skipped groups and tests carry the reason. */
export default class SkippedReporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const title = test.parent.type === 'suite' ? test.parent.fullName : test.name;
        skipped.set(title, (skipped.get(title) ?? 0) + 1);
      }
    }
    if (skipped.size === 0) return;
    process.stdout.write('Skipped, because what they need is not on this machine:\n');
    for (const [title, count] of skipped) process.stdout.write(`  ${count} × ${title}\n`);
  }
}
