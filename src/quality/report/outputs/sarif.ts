import { sha256 } from '#core';
import type { Finding, Severity } from '#core/episode';
import { codeTitle } from '#core/titles';
import type { EpisodeVerdict, OutputAssessment, OutputContext, OutputFormat } from './output.ts';
import { unusableFinding } from './set-verdict-text.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  blocking: 'error',
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/** SARIF 2.1.0 output: a rule per code, a result per occurrence, with the episode as its logical location. */
export const sarif: OutputFormat = {
  id: 'sarif',
  about: 'SARIF 2.1.0, for code scanning',
  needs: 'messages',
  *write(assessed, context) {
    const rules = new RuleTable(context);
    yield '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"results":[';
    let separator = '\n';
    for (const result of listResults(assessed, rules)) {
      yield separator + JSON.stringify(result);
      separator = ',\n';
    }
    const driver = { name: 'Assay', version: context.version, rules: rules.list };
    yield `\n],"tool":${JSON.stringify({ driver })},"invocations":${JSON.stringify([createInvocation(assessed)])},"columnKind":"utf16CodeUnits"}]}\n`;
  },
};

interface SarifIssue {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string | null;
  readonly advice?: string;
}

/** SARIF rules in the order of first use; results refer to them by index. */
class RuleTable {
  readonly list: object[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #flags: OutputContext['flags'];

  constructor({ flags }: OutputContext) {
    this.#flags = flags;
  }

  numberOf({ code, severity, advice }: SarifIssue): number {
    const knownIndex = this.#numbers.get(code);
    if (knownIndex !== undefined) return knownIndex;
    const flag = this.#flags.get(code);
    this.#numbers.set(code, this.list.length);
    const help = flag?.advice ?? advice;
    return (
      this.list.push({
        id: code,
        shortDescription: { text: flag?.meaning ?? codeTitle(code) },
        ...(help === undefined || help === '' ? {} : { help: { text: help } }),
        defaultConfiguration: { level: levels[severity] },
      }) - 1
    );
  }
}

function* listResults(
  { datasets, findings, verdicts }: OutputAssessment,
  rules: RuleTable,
): Generator<object> {
  for (const finding of findings) yield createFindingResult(finding, '.', rules);
  for (const dataset of datasets) {
    const { path } = dataset;
    for (const finding of [...unusableFinding(dataset), ...dataset.findings])
      yield createFindingResult(finding, path, rules);
  }
  for (const verdict of verdicts) {
    const { path } = datasets[verdict.dataset];
    for (const issue of [...verdict.findings, ...verdict.flags])
      yield createEpisodeResult(verdict, issue, path, rules);
  }
}

function createFindingResult(finding: Finding, dataset: string, rules: RuleTable): object {
  const uri = toRelativeUri(finding.path ?? dataset);
  return {
    ...createCommonFields(finding, rules, [uri]),
    locations: [{ physicalLocation: { artifactLocation: { uri } } }],
  };
}

function createEpisodeResult(
  verdict: EpisodeVerdict,
  issue: SarifIssue,
  dataset: string,
  rules: RuleTable,
): object {
  const { id, index, decision, score } = verdict;
  const uri = toRelativeUri(dataset);
  const logical = { name: id, fullyQualifiedName: `${dataset}/${id}`, kind: 'episode' };
  return {
    ...createCommonFields(issue, rules, [uri, id]),
    locations: [{ physicalLocation: { artifactLocation: { uri } }, logicalLocations: [logical] }],
    properties: { episode: index, decision, score },
  };
}

function createCommonFields(issue: SarifIssue, rules: RuleTable, location: readonly string[]): object {
  const { code, severity, message } = issue;
  return {
    ruleId: code,
    ruleIndex: rules.numberOf(issue),
    level: levels[severity],
    message: { text: message === null || message === '' ? codeTitle(code) : message },
    partialFingerprints: {
      'assayFinding/v1': sha256([code, ...location, message ?? ''].join('\n')).slice(0, 32),
    },
  };
}

/** Converts a path relative to the assessed path to a relative URI. */
function toRelativeUri(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

function createInvocation({ incomplete }: OutputAssessment): object {
  return {
    executionSuccessful: incomplete.length === 0,
    toolExecutionNotifications: incomplete.map(({ reason, advice }) => ({
      level: 'error',
      message: { text: `${reason}\n${advice}` },
    })),
  };
}
