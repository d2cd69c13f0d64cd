import type { JsonObject } from '#core';
import type { Finding, Severity } from '#core/episode';

/** Collects the findings of a dataset; duplicates of code, path and message are dropped. */
export class FindingCollector {
  readonly #findings = new Map<string, Finding>();

  /** Creates and adds a finding. */
  add(
    code: string,
    severity: Severity,
    path: string | null,
    message: string,
    advice: string,
    evidence?: JsonObject,
  ): void {
    const finding: Finding = { code, severity, path, message, advice };
    this.addFinding(evidence === undefined ? finding : { ...finding, evidence });
  }

  /** Adds a finding, e.g. the violation of a rule. */
  addFinding(finding: Finding): void {
    const key = `${finding.code}\n${finding.path}\n${finding.message}`;
    if (!this.#findings.has(key)) this.#findings.set(key, finding);
  }

  /** Returns the findings in the order in which they were added. */
  list(): Finding[] {
    return [...this.#findings.values()];
  }
}
