import type { Finding } from '#core/episode';
import { codeTitle } from '#core/titles';
import type { EpisodeVerdict, OutputAssessment, OutputContext, OutputFormat } from './output.ts';
import { unusableFinding } from './set-verdict-text.ts';

/**
 * JUnit output for CI servers: a suite per dataset, a case per episode; errors of a dataset are cases of
 * their own.
 */
export const junit: OutputFormat = {
  id: 'junit',
  about: 'JUnit XML with one test case per episode, for CI servers',
  needs: 'messages',
  *write(assessed, context) {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="assay">\n';
    for (const [index, dataset] of assessed.datasets.entries()) {
      const { path, findings } = dataset;
      const name = path === '.' ? context.path : `${context.path}/${path}`;
      const datasetVerdicts = assessed.verdicts.filter((verdict) => verdict.dataset === index);
      yield* writeSuite(name, [...unusableFinding(dataset), ...findings], datasetVerdicts, context);
    }
    const globalFindings = listGlobalFindings(assessed);
    if (globalFindings.length > 0) yield* writeSuite(context.path, globalFindings, [], context);
    yield '</testsuites>\n';
  },
};

/** Returns findings that belong to no dataset: of listing, and of work that was not finished. */
function listGlobalFindings({
  findings,
  incomplete,
}: OutputAssessment): Pick<Finding, 'code' | 'severity' | 'message' | 'advice'>[] {
  return [
    ...findings,
    ...incomplete.map(({ reason, advice }) => ({
      ...{ code: 'not_finished', severity: 'error' as const, message: reason, advice },
    })),
  ];
}

function* writeSuite(
  name: string,
  findings: readonly Pick<Finding, 'code' | 'severity' | 'message' | 'advice'>[],
  verdicts: readonly EpisodeVerdict[],
  context: OutputContext,
): Generator<string> {
  const errors = findings.filter(({ severity }) => severity === 'error' || severity === 'blocking');
  const failed = verdicts.filter(({ decision }) => isFailure(decision, context)).length;
  const skipped = verdicts.filter(({ decision }) => decision === 'review').length;
  const counts = {
    tests: verdicts.length + errors.length,
    failures: failed,
    errors: errors.length,
    skipped: context.fail_on === 'review' ? 0 : skipped,
  };
  const numbers = Object.entries(counts).map(([key, count]) => ` ${key}="${count}"`);
  yield `<testsuite name="${escapeXml(name)}"${numbers.join('')}>\n`;
  for (const [at, { code, message, advice }] of errors.entries())
    yield `<testcase classname="${escapeXml(name)}" name="dataset: ${escapeXml(codeTitle(code))} (${at + 1})"><error type="${escapeXml(code)}" message="${escapeXml(message)}">${escapeXml(advice)}</error></testcase>\n`;
  for (const verdict of verdicts) yield formatTestCase(name, verdict, context);
  yield '</testsuite>\n';
}

const isFailure = (decision: string, { fail_on }: OutputContext): boolean =>
  decision === 'reject' || (decision === 'review' && fail_on === 'review');

function formatTestCase(suite: string, verdict: EpisodeVerdict, context: OutputContext): string {
  const { id, decision, score } = verdict;
  const open = `<testcase classname="${escapeXml(suite)}" name="${escapeXml(id)}"`;
  if (decision === 'accept') return `${open}/>\n`;
  const graded = score === null ? 'no score' : `score ${score.toFixed(2)}`;
  const codes = [...new Set([...verdict.findings, ...verdict.flags].map(({ code }) => codeTitle(code)))];
  const message = escapeXml(`${decision}, ${graded}${codes.length === 0 ? '' : `: ${codes.join(', ')}`}`);
  if (!isFailure(decision, context)) return `${open}><skipped>${message}</skipped></testcase>\n`;
  return `${open}><failure type="${decision}" message="${message}">${escapeXml(formatDetail(verdict, context))}</failure></testcase>\n`;
}

/** Lists all findings and flags of an episode with the recommended actions. */
function formatDetail({ flags, findings, reason }: EpisodeVerdict, context: OutputContext): string {
  const lines = [
    ...findings.map(({ message, code, advice }) => `${message ?? codeTitle(code)}\n  → ${advice}`),
    ...flags.map(({ code, message }) => {
      const advice = context.flags.get(code)?.advice;
      return `${codeTitle(code)}${message === null ? '' : `: ${message}`}${advice === undefined ? '' : `\n  → ${advice}`}`;
    }),
  ];
  return lines.length > 0 ? lines.join('\n') : (reason ?? '');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML 1.0 cannot contain, even escaped. */
const forbiddenPattern = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Escapes text for XML content and attributes. */
function escapeXml(text: string): string {
  return text.replace(forbiddenPattern, '\ufffd').replace(/[&<>"']/g, (character) => entities[character]);
}
