import type { Finding } from '#core/episode';

/** What is said of every file of a bag alike is said once. */
export function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const kept = new Map<string, { finding: Finding; more: number }>();
  for (const finding of findings) {
    const key = finding.severity === 'info' ? `${finding.code}\0${finding.message}` : String(kept.size);
    const known = kept.get(key);
    if (known === undefined) kept.set(key, { finding, more: 0 });
    else known.more++;
  }
  return [...kept.values()].map(({ finding, more }) =>
    more === 0 ? finding : { ...finding, message: `${finding.message} (and so in ${more} more files)` },
  );
}
