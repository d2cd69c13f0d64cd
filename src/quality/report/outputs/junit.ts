import type { Finding } from '#core/episode';
import { words } from './issue.ts';
import type { Assessed, JudgedEpisode, OutputContext, OutputFormat } from './output.ts';

/** A suite a dataset, a case an episode, as CI servers show them; what is wrong with a dataset is a case of its own. */
export const junit: OutputFormat = {
  id: 'junit',
  about: 'JUnit XML: a test case an episode, for CI servers',
  needs: 'messages',
  *write(assessed, context) {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="assay">\n';
    for (const [index, { path, findings }] of assessed.datasets.entries()) {
      const own = assessed.verdicts.filter(({ dataset }) => dataset === index);
      yield* suite(path === '.' ? context.path : `${context.path}/${path}`, findings, own, context);
    }
    const whole = wholeFindings(assessed);
    if (whole.length > 0) yield* suite(context.path, whole, [], context);
    yield '</testsuites>\n';
  },
};

/** What is said of no dataset: of listing, and of what could not be measured here. */
function wholeFindings({
  findings,
  incomplete,
}: Assessed): Pick<Finding, 'code' | 'severity' | 'message' | 'advice'>[] {
  return [
    ...findings,
    ...incomplete.map(({ reason, advice }) => ({
      ...{ code: 'not_finished', severity: 'error' as const, message: reason, advice },
    })),
  ];
}

function* suite(
  name: string,
  findings: readonly Pick<Finding, 'code' | 'severity' | 'message' | 'advice'>[],
  verdicts: readonly JudgedEpisode[],
  context: OutputContext,
): Generator<string> {
  const errors = findings.filter(({ severity }) => severity === 'error' || severity === 'blocking');
  const failed = verdicts.filter(({ decision }) => fails(decision, context)).length;
  const skipped = verdicts.filter(({ decision }) => decision === 'review').length;
  const counts = {
    tests: verdicts.length + errors.length,
    failures: failed,
    errors: errors.length,
    skipped: context.fail_on === 'review' ? 0 : skipped,
  };
  const numbers = Object.entries(counts).map(([key, count]) => ` ${key}="${count}"`);
  yield `<testsuite name="${xml(name)}"${numbers.join('')}>\n`;
  for (const [at, { code, message, advice }] of errors.entries())
    yield `<testcase classname="${xml(name)}" name="dataset: ${xml(words(code))} (${at + 1})"><error type="${xml(code)}" message="${xml(message)}">${xml(advice)}</error></testcase>\n`;
  for (const verdict of verdicts) yield testCase(name, verdict, context);
  yield '</testsuite>\n';
}

const fails = (decision: string, { fail_on }: OutputContext): boolean =>
  decision === 'reject' || (decision === 'review' && fail_on === 'review');

function testCase(suite: string, verdict: JudgedEpisode, context: OutputContext): string {
  const { id, decision, score } = verdict;
  const open = `<testcase classname="${xml(suite)}" name="${xml(id)}"`;
  if (decision === 'accept') return `${open}/>\n`;
  const graded = score === null ? 'no score' : `score ${score.toFixed(2)}`;
  const codes = [...new Set([...verdict.findings, ...verdict.flags].map(({ code }) => words(code)))];
  const message = xml(`${decision}, ${graded}${codes.length === 0 ? '' : `: ${codes.join(', ')}`}`);
  if (!fails(decision, context)) return `${open}><skipped>${message}</skipped></testcase>\n`;
  return `${open}><failure type="${decision}" message="${message}">${xml(detail(verdict, context))}</failure></testcase>\n`;
}

/** Everything that was said, a line each, with what to do. */
function detail({ flags, findings, reason }: JudgedEpisode, context: OutputContext): string {
  const lines = [
    ...findings.map(({ message, code, advice }) => `${message ?? words(code)}\n  → ${advice}`),
    ...flags.map(({ code, message }) => {
      const advice = context.flags.get(code)?.advice;
      return `${words(code)}${message === null ? '' : `: ${message}`}${advice === undefined ? '' : `\n  → ${advice}`}`;
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

/** What XML 1.0 cannot hold, escaped or not. */
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Text made safe for content and attributes. */
function xml(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, (character) => entities[character]);
}
