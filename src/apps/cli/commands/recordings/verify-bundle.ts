import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { AssayError, idPattern, messageOf, significant, wrapReadError } from '#core';
import {
  type BundleVerification,
  parsePublicKey,
  type TrustedKey,
  verifyBundle,
} from '#quality/certification/bundle';
import type { Io } from '../../io.ts';
import { count } from '../../text.ts';

export interface VerifyBundleArguments {
  /** PEM file of a public key, or the id of a key. */
  readonly key?: string;
  readonly project?: string;
  readonly json?: boolean;
}

/** Returns `true` if a file is a zip archive, by its name or first bytes; `false` for folders and unreadable paths. */
export function isBundle(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      if (fstatSync(file).isDirectory()) return false;
      const head = Buffer.alloc(4);
      readSync(file, head, 0, 4, 0);
      return path.endsWith('.zip') || head.readUInt32LE(0) === 0x04034b50;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** Runs `assay verify BUNDLE` offline. Returns 1 if any problem is found, else 0. */
export async function verifyBundleCommand(
  path: string,
  args: VerifyBundleArguments,
  io: Io,
): Promise<number> {
  const { key, project, json } = args;
  if (project !== undefined && !idPattern('prj').test(project))
    throw new AssayError('usage', `${project} is not a project id`, {
      advice: 'project ids begin with prj_',
    });
  const trusted = key === undefined ? null : trustedKey(key);
  const outcome = await verifyFile(path, {
    ...(trusted === null ? {} : { trusted }),
    ...(project === undefined ? {} : { project_id: project }),
    signal: io.signal,
  });
  if (json === true) await io.out(`${JSON.stringify(outcome)}\n`);
  else await io.out(inWords(path, outcome, trusted !== null));
  return outcome.ok ? 0 : 1;
}

const keyid = /^[0-9a-f]{64}$/;

function trustedKey(named: string): TrustedKey {
  if (keyid.test(named)) return { keyid: named };
  try {
    return { key: parsePublicKey(readFileSync(named, 'utf8'), named) };
  } catch (thrown) {
    throw wrapReadError(thrown, named, 'pass a PEM file with a public key, or a key id');
  }
}

async function verifyFile(
  path: string,
  options: Parameters<typeof verifyBundle>[1],
): Promise<BundleVerification> {
  const file = openSync(path, 'r');
  try {
    return await verifyBundle({ bytes: fstatSync(file).size, read: readerOf(file) }, options);
  } catch (thrown) {
    // An archive that was built anew is an answer, not a fault of the input.
    if (!(thrown instanceof AssayError) || thrown.code !== 'verification_failed')
      throw wrapReadError(thrown, path, 'check its permissions');
    const problems = [messageOf(thrown)];
    return { ok: false, problems, keyid: null, manifest: null, entries: 0, receipts: 0 };
  } finally {
    closeSync(file);
  }
}

const readerOf = (file: number) => async (from: number, until: number) => {
  const bytes = Buffer.alloc(Math.max(0, until - from));
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
};

const origins = {
  service: 'made by a service',
  local_report: 'made with assay certify',
  local_report_import: 'made with assay certify, signed by a service',
} as const;

const importNotice =
  'IMPORTED REPORT, without receipts: the service that signed it did not measure these recordings, so its decisions cannot be verified';

function inWords(
  path: string,
  { problems, keyid: by, manifest, receipts, entries }: BundleVerification,
  isTrusted: boolean,
): string {
  if (problems.length > 0) return `✗ ${path}\n${problems.map((problem) => `    ${problem}\n`).join('')}`;
  if (manifest === null) return '';
  const { project_id, origin, report, policy } = manifest;
  const coverage =
    report.coverage === null ? 'no coverage' : `coverage ${significant(100 * report.coverage, 3)} %`;
  return [
    `✓ ${path}: ${count(entries, 'file')}, ${count(receipts, 'receipt')}, all unchanged since they were sealed`,
    ...(origin === 'local_report_import' ? [`    ${importNotice}`] : []),
    `    verdict ${report.verdict.replaceAll('_', ' ')}, ${coverage}: recomputed from the decisions in the report, and both match`,
    `    policy ${policy.version === null ? '' : `version ${policy.version}, `}${policy.hash}`,
    `    ${origins[origin]}${project_id === null ? '' : `, project ${project_id}`}`,
    `    signed with key ${by}`,
    ...(isTrusted
      ? []
      : [
          '    the owner of the key was not checked: compare the key id with the one that the owner publishes, or pass --key',
        ]),
    '',
  ].join('\n');
}
