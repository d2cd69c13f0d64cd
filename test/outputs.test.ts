import { existsSync, readdirSync, readFileSync } from 'node:fs';
import Ajv from 'ajv-draft-04';
import { beforeAll, describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { partlyUsable } from '#test/support/set-verdicts';
import { assess } from '../src/engine/local/index.ts';
import type { EpisodeVerdict, OutputAssessment } from '../src/quality/report/index.ts';
import { type OutputContext, outputFormats } from '../src/quality/report/outputs/index.ts';
import { runAssay } from './run-assay.ts';

const schemas = new URL('./fixtures/', import.meta.url);
const realSet = '../shared/data/lerobot-v21-g1-bottle';
const hostile = '=1+1|"\'<b>&]]>\u001b[2J\ud800\ufffe\r\n::error::%0A, a:b,c `x` [y](z)';

const context: OutputContext = {
  path: `set ${hostile}`,
  version: '0.1.0',
  fail_on: 'reject',
  flags: new Map([['camera_missing', { meaning: 'A camera is missing.', advice: 'Fetch the file.' }]]),
};

function episode(index: number, decision: EpisodeVerdict['decision'], text: string): EpisodeVerdict {
  const message = `${text}: videos/${index}.mp4: the file is not there`;
  return {
    ...{ dataset: 0, index, id: `episode_${index}${text}`, kind: 'teleop', decision, graded_fraction: 0.5 },
    score: decision === 'reject' ? null : 0.75,
    duration_s: 10,
    flags:
      decision === 'reject'
        ? [{ code: 'camera_missing', check: 'camera_coverage', severity: 'blocking', message }]
        : [],
    findings: [],
    reason: null,
    receipt: null,
  };
}

/** 96 rejected for one reason, two for review, one accepted; names and messages that mean something in every format. */
function madeUp(text: string): OutputAssessment {
  const verdicts = [
    episode(0, 'accept', text),
    ...[1, 2].map((index) => episode(index, 'review', text)),
    ...Array.from({ length: 96 }, (_, i) => episode(i + 4, 'reject', text)),
  ];
  const finding = {
    code: 'file_truncated',
    severity: 'error' as const,
    path: `data/${text}`,
    message: `the footer is cut ${text}`,
    advice: 'copy it again',
  };
  const usability = partlyUsable(3, 'camera_missing', 96);
  const decisions = { accept: 1, review: 2, reject: 96 };
  return {
    datasets: [
      { path: text, findings: [finding], episodes: 99, unreadable: 0, decisions, loads: null, usability },
    ],
    usability,
    findings: [{ ...finding, severity: 'info', path: null }],
    verdicts,
    decisions,
    settings: { name: 'default', hash: 'a1b2c3d4e5f6' },
    unreadable: 0,
    incomplete: [{ path: null, episode: null, episodes: 1, reason: `too slow ${text}`, advice: 'again' }],
    receipts: () => ['{}', '{}'],
    summary: () => ({}) as ReturnType<OutputAssessment['summary']>,
  };
}

function written(id: string, assessed: OutputAssessment, changed: Partial<OutputContext> = {}): string {
  const format = outputFormats.find((one) => one.id === id)!;
  return [...format.write(assessed, { ...context, ...changed })].join('');
}

const isValidSarif = new Ajv.default({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
  JSON.parse(readFileSync(new URL('sarif-2.1.0-rtm.5.json', schemas), 'utf8')),
);
const junitSchema = readFileSync(new URL('jenkins-junit.xsd', schemas), 'utf8');

async function holdsEverywhere(assessed: OutputAssessment): Promise<void> {
  const sarif = JSON.parse(written('sarif', assessed));
  isValidSarif(sarif);
  expect(isValidSarif.errors).toBe(null);
  const junit = await validateXML({
    xml: [{ fileName: 'junit.xml', contents: written('junit', assessed) }],
    schema: [junitSchema],
  });
  expect(junit.errors).toEqual([]);
  for (const line of written('github', assessed).trimEnd().split('\n'))
    expect(line).toMatch(/^::(error|warning|notice) title=[^:,\r]*::[^\r]*$/);
}

describe('outputs', () => {
  it('have a file each, and each file of the folder is an output or what outputs share', () => {
    const shared = [
      'index',
      'issue',
      'issue-tally',
      'issues',
      'output',
      'ranges',
      'registry',
      'set-verdict-text',
    ];
    const files = readdirSync(new URL('../src/quality/report/outputs/', import.meta.url))
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => name.replace('.ts', ''));
    expect(files.filter((name) => !shared.includes(name)).sort()).toEqual(
      outputFormats.map(({ id }) => id).sort(),
    );
  });

  it('are accepted by the schemas of SARIF and JUnit and the syntax of workflow commands, whatever names say', async () => {
    await holdsEverywhere(madeUp('plain'));
    await holdsEverywhere(madeUp(hostile));
    await holdsEverywhere({ ...madeUp('x'), verdicts: [], datasets: [], findings: [], incomplete: [] });
  });

  it('tell GitHub once what many episodes share, and unescape to what was said', () => {
    const lines = written('github', madeUp(hostile)).split('\n');
    const shared = lines.filter((line) => line.includes('title=Missing camera'));
    expect(shared).toHaveLength(1);
    const text = shared[0]
      .replace(/^.*?::.*?::/, '')
      .replaceAll('%0A', '\n')
      .replaceAll('%0D', '\r');
    expect(text.replaceAll('%25', '%')).toContain(`96 episodes (4-99)`);
    expect(text.replaceAll('%25', '%')).toContain(hostile);
  });

  it('count in JUnit what fails, and review with --fail-on review as well', () => {
    const counts = (text: string) => /tests="\d+" failures="\d+" errors="\d+" skipped="\d+"/.exec(text)?.[0];
    expect(counts(written('junit', madeUp('x')))).toBe('tests="101" failures="96" errors="2" skipped="2"');
    expect(counts(written('junit', madeUp('x'), { fail_on: 'review' }))).toBe(
      'tests="101" failures="98" errors="2" skipped="0"',
    );
  });

  it('give spreadsheets a row an episode and no formula', () => {
    const [head, first] = written('csv', madeUp('=1+1,"x"')).split('\n');
    expect(head.split(',')).toHaveLength(12);
    expect(first).toBe(`"'=1+1,""x""",0,"episode_0=1+1,""x""",teleop,accept,0.75,0.5,10,,,,usable_after_fix`);
  });

  it('keep Markdown tables whole', () => {
    const text = written('markdown', madeUp(hostile));
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.every((row) => /^(\|[^|]+){4}\|$/.test(row))).toBe(true);
    expect(text).not.toContain('<b>');
    expect(text).toContain('50 of 98 shown');
  });
});

const reason = existsSync(realSet) ? '' : ' (skipped: no ../shared/data)';
describe.skipIf(reason !== '')(`outputs of a real set${reason}`, () => {
  let result: Awaited<ReturnType<typeof assess>>;
  beforeAll(async () => {
    result = await assess(realSet, { limit: 4, details: Number.POSITIVE_INFINITY, receipts: true });
    return () => result.close();
  });

  it('are accepted by schemas and syntax', async () => {
    await holdsEverywhere(result);
    expect(JSON.parse(written('json', result)).receipts).toHaveLength(4);
    expect(written('csv', result).trimEnd().split('\n')).toHaveLength(5);
  });

  it('are printed by --format, with the exit code of --fail-on', async () => {
    const { code, out } = await runAssay([
      ...['assess', realSet, '--limit', '2', '--format', 'csv', '--fail-on', 'review'],
    ]);
    expect(code).toBe(1);
    expect(out.split('\n').map((line) => line.split(',')[4])).toEqual([
      'decision',
      'reject',
      'review',
      undefined,
    ]);
    expect((await runAssay(['assess', realSet, '--format', 'csv', '--json'])).code).toBe(2);
  });
});
