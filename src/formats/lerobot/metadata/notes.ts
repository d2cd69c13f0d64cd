import type { JsonObject } from '#core';
import type { Finding, Severity } from '#core/episode';

/** Collects findings of one dataset; one of the same code, path and message is kept once. */
export class Notes {
  readonly #findings = new Map<string, Finding>();

  add(
    code: string,
    severity: Severity,
    path: string | null,
    message: string,
    advice: string,
    evidence?: JsonObject,
  ): void {
    const finding: Finding = { code, severity, path, message, advice };
    this.put(evidence === undefined ? finding : { ...finding, evidence });
  }

  /** A finding made elsewhere, such as a broken rule of the contract. */
  put(finding: Finding): void {
    const key = `${finding.code}\n${finding.path}\n${finding.message}`;
    if (!this.#findings.has(key)) this.#findings.set(key, finding);
  }

  list(): Finding[] {
    return [...this.#findings.values()];
  }
}
