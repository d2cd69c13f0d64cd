import { basename, join, resolve } from 'node:path';
import { AssayError, canonicalJson, idPattern, significant } from '#core';
import type {
  CertificationPolicy,
  CertificationReport,
  CertificationVerdict,
  CertifiedMetric,
  TargetProfileId,
} from '#core/api';
import type { PictureScope } from '#core/episode';
import { measureText, targetTitle } from '#core/titles';
import type { LocatedRecordings } from '#engine/local';
import { certifyInto, type WrittenBundle, writeBundle, writeCard } from '#engine/local/certify';
import { coverageText, defaultPolicy, parsePolicy } from '#quality/certification';
import { describeKey, type Signer } from '#quality/certification/bundle';
import { localKey, readKeyFile, type SigningKey } from '#store/signing';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { readSettings } from '../../read-settings.ts';
import { type Paint, painter } from '../../tables/paint.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { columns, printableName } from '../../text.ts';
import { type AddressArguments, createFetchedSuffix, withRecordings } from '../../with-recordings.ts';

export interface CertifyArguments extends AddressArguments, WorkArguments {
  readonly out: string;
  readonly target?: TargetProfileId;
  readonly policy?: string;
  readonly project?: string;
  /** PEM file with the private key that signs the bundle. */
  readonly signKey?: string;
  readonly json?: boolean;
  readonly pictures?: PictureScope;
}

/** Runs `assay certify PATH`. Returns 0 if the verdict is `certified`, else 1. */
export function certifyCommand(
  path: string,
  args: CertifyArguments,
  io: Io,
  launcher: Pick<Launcher, 'webSettings' | 'keyFolder'>,
): Promise<number> {
  const policy = policyOf(args);
  const project_id = projectOf(args);
  // A key that cannot be used is refused before long work.
  const signer = signerFor(args.signKey, launcher);
  return withRecordings(path, args, io, launcher, (located) =>
    certifyLocated(path, located, { policy, project_id, signer }, args, io),
  );
}

async function certifyLocated(
  path: string,
  { recordings, traffic }: LocatedRecordings,
  certifying: {
    readonly policy: CertificationPolicy;
    readonly project_id: string | null;
    readonly signer: NamedSigner;
  },
  args: CertifyArguments,
  io: Io,
): Promise<number> {
  const progress = createProgressLine(io, path, createFetchedSuffix(traffic));
  const hooks = { signal: io.signal, onProgress: progress.show, onWarning: progress.say };
  const folder = resolve(args.out);
  const { pictures } = args;
  const options = { ...assessOptionsOf(args), ...(pictures === undefined ? {} : { pictures }) };
  try {
    const report = await certifyInto(folder, recordings, certifying, options, hooks);
    const { signer } = certifying;
    const bundle = await sealFolder(folder, report, certifying.policy, { signer, title: basename(path) });
    progress.end();
    const summary =
      args.json === true
        ? `${canonicalJson(report)}\n`
        : `${certificationTable(report, path, io)}Report: ${join(folder, 'report.html')}\nBundle: ${bundle.path}, signed with key ${signer.public_key.keyid} in ${signer.keyPath}\n`;
    await io.out(summary);
    return report.verdict === 'certified' ? 0 : 1;
  } finally {
    progress.end();
  }
}

function policyOf({ target, policy }: CertifyArguments): CertificationPolicy {
  if (target !== undefined && policy !== undefined)
    throw new AssayError('usage', '--target and --policy cannot be combined', {
      advice: 'use one of them; a policy names its own target',
    });
  if (policy !== undefined) return parsePolicy(readSettings(policy));
  if (target !== undefined) return defaultPolicy(target);
  throw new AssayError('usage', 'certify needs a target or a policy', {
    advice: 'add --target ID or --policy FILE',
  });
}

function projectOf({ project }: CertifyArguments): string | null {
  if (project === undefined) return null;
  if (idPattern('prj').test(project)) return project;
  throw new AssayError('usage', `${project} is not a project id`, { advice: 'project ids begin with prj_' });
}

/** A signing key together with the path of its file. */
interface NamedSigner extends Signer {
  readonly keyPath: string;
}

/**
 * Returns the key in a PEM file, or the user's own key, which is created on first use. Throws `unreadable_input` if the
 * file is no private key.
 */
function signerFor(file: string | undefined, launcher: Pick<Launcher, 'keyFolder'>): NamedSigner {
  const folder = launcher.keyFolder();
  if (file !== undefined) return toNamedSigner(readKeyFile(file), file);
  return toNamedSigner(localKey(folder, 'local'), `${folder}/local/current.pem`);
}

const toNamedSigner = ({ public_key, sign }: SigningKey, place: string): NamedSigner => ({
  public_key: describeKey(public_key),
  sign,
  keyPath: place,
});

/**
 * Seals the output of `certify` into `bundle.zip` and writes the dataset card that refers to it. `title` is the title
 * of the dataset.
 */
async function sealFolder(
  folder: string,
  report: CertificationReport,
  policy: CertificationPolicy,
  { signer, title }: { readonly signer: NamedSigner; readonly title: string },
): Promise<WrittenBundle> {
  const bundle = await writeBundle(
    folder,
    {
      origin: 'local_report',
      project_id: report.project_id,
      policy: { version: policy.version, hash: policy.policy_hash },
      report: { verdict: report.verdict, coverage: report.coverage.share },
    },
    signer,
  );
  const { sha256, bytes } = bundle;
  writeCard(folder, { report, title, bundle: { sha256, bytes, keyid: signer.public_key.keyid } });
  return bundle;
}

const styles: Readonly<Record<CertificationVerdict, Parameters<Paint>[0]>> = {
  certified: 'green',
  review_required: 'yellow',
  not_ready: 'red',
  not_assessable: 'dim',
};

/**
 * Renders a certification report: the verdict with its coverage, a row for each metric, and the reasons against
 * certification.
 */
function certificationTable(
  report: CertificationReport,
  path: string,
  { colours }: { readonly colours: boolean },
): string {
  const paint = painter(colours);
  const { verdict, reason, coverage, policy, metrics } = report;
  const head = `${paint(styles[verdict], words(verdict))} for ${targetTitle(policy.target)}: ${path}\n${reason}\nCoverage: ${coverage.share === null ? '–' : `${significant(100 * coverage.share, 3)} %`} (${coverageText(report)})\n`;
  const lines = columns([
    ['metric', 'required', 'verdict', 'median', 'worst', 'measured'],
    ...metrics.map(rowOf),
  ]).split('\n');
  const coloured = lines.map((line, i) =>
    i === 0 ? paint('dim', line) : colourVerdict(line, metrics[i - 1], paint),
  );
  const why = metrics
    .filter(
      ({ need, verdict: own }) => need !== 'advisory' && (own === 'not_ready' || own === 'review_required'),
    )
    .flatMap(({ title, reason: own, diagnostics }) => [
      `  ${title}: ${own}\n`,
      ...diagnostics.map((line) => `    ${printableName(line)}\n`),
    ]);
  return `${head}\n${coloured.join('\n')}${why.length === 0 ? '' : `\n${why.join('')}`}\n`;
}

const words = (verdict: string): string => verdict.replaceAll('_', ' ');
const needs = { required: 'yes', if_present: 'if present', advisory: 'no' } as const;

function rowOf({
  title,
  need,
  verdict,
  observed,
  unit,
  direction,
  counts,
  decisions,
}: CertifiedMetric): string[] {
  const number = (value: number | undefined) => (value === undefined ? '' : measureText(value, unit));
  const worst = direction === 'lower_is_better' ? observed?.maximum : observed?.minimum;
  const seen = `${decisions.length - counts.not_assessable} of ${decisions.length}`;
  return [title, needs[need], words(verdict), number(observed?.median), number(worst), seen];
}

function colourVerdict(line: string, metric: CertifiedMetric | undefined, paint: Paint): string {
  if (metric === undefined) return line;
  const verdictText = words(metric.verdict);
  return line.replace(verdictText, paint(styles[metric.verdict], verdictText));
}
