import { sha256 } from '#core';
import type { Finding, Severity } from '#core/episode';
import { words } from './issue.ts';
import type { Assessed, JudgedEpisode, OutputContext, OutputFormat } from './output.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  blocking: 'error',
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/** SARIF 2.1.0: a rule a code, a result each time it was met, with the episode as its logical location. */
export const sarif: OutputFormat = {
  id: 'sarif',
  about: 'SARIF 2.1.0, for code scanning',
  needs: 'messages',
  *write(assessed, context) {
    const rules = new Rules(context);
    yield '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"results":[';
    let separator = '\n';
    for (const result of resultsOf(assessed, rules)) {
      yield separator + JSON.stringify(result);
      separator = ',\n';
    }
    const driver = { name: 'Assay', version: context.version, rules: rules.list };
    yield `\n],"tool":${JSON.stringify({ driver })},"invocations":${JSON.stringify([invocation(assessed)])},"columnKind":"utf16CodeUnits"}]}\n`;
  },
};

interface Said {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string | null;
  readonly advice?: string;
}

/** Rules in the order they are first met; SARIF refers to them by number. */
class Rules {
  readonly list: object[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #flags: OutputContext['flags'];

  constructor({ flags }: OutputContext) {
    this.#flags = flags;
  }

  numberOf({ code, severity, advice }: Said): number {
    const known = this.#numbers.get(code);
    if (known !== undefined) return known;
    const flag = this.#flags.get(code);
    this.#numbers.set(code, this.list.length);
    const help = flag?.advice ?? advice;
    return (
      this.list.push({
        id: code,
        shortDescription: { text: flag?.meaning ?? words(code) },
        ...(help === undefined || help === '' ? {} : { help: { text: help } }),
        defaultConfiguration: { level: levels[severity] },
      }) - 1
    );
  }
}

function* resultsOf({ datasets, findings, verdicts }: Assessed, rules: Rules): Generator<object> {
  for (const finding of findings) yield ofFinding(finding, '.', rules);
  for (const { path, findings: own } of datasets)
    for (const finding of own) yield ofFinding(finding, path, rules);
  for (const verdict of verdicts) {
    const { path } = datasets[verdict.dataset];
    for (const said of [...verdict.findings, ...verdict.flags]) yield ofEpisode(verdict, said, path, rules);
  }
}

function ofFinding(finding: Finding, dataset: string, rules: Rules): object {
  const uri = addressOf(finding.path ?? dataset);
  return {
    ...common(finding, rules, [uri]),
    locations: [{ physicalLocation: { artifactLocation: { uri } } }],
  };
}

function ofEpisode(verdict: JudgedEpisode, said: Said, dataset: string, rules: Rules): object {
  const { id, index, decision, score } = verdict;
  const uri = addressOf(dataset);
  const logical = { name: id, fullyQualifiedName: `${dataset}/${id}`, kind: 'episode' };
  return {
    ...common(said, rules, [uri, id]),
    locations: [{ physicalLocation: { artifactLocation: { uri } }, logicalLocations: [logical] }],
    properties: { episode: index, decision, score },
  };
}

function common(said: Said, rules: Rules, place: readonly string[]): object {
  const { code, severity, message } = said;
  return {
    ruleId: code,
    ruleIndex: rules.numberOf(said),
    level: levels[severity],
    message: { text: message === null || message === '' ? words(code) : message },
    partialFingerprints: {
      'assayFinding/v1': sha256([code, ...place, message ?? ''].join('\n')).slice(0, 32),
    },
  };
}

/** A path relative to what was assessed, as a relative URI. */
function addressOf(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

function invocation({ incomplete }: Assessed): object {
  return {
    executionSuccessful: incomplete.length === 0,
    toolExecutionNotifications: incomplete.map(({ reason, advice }) => ({
      level: 'error',
      message: { text: `${reason}\n${advice}` },
    })),
  };
}
