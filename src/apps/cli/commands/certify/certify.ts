import { basename, join, resolve } from 'node:path';
import { AssayError, canonicalJson, idPattern } from '#core';
import type { CertificationPolicy, TargetProfileId } from '#core/api';
import type { PictureScope } from '#core/episode';
import type { LocatedRecordings } from '#engine/local';
import { certifyInto } from '#engine/local/certify';
import { defaultPolicy, parsePolicy } from '#quality/certification';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import { readSettings } from '../../files/read-settings.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { certificationTable } from '../../tables/certification-table.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { type AddressArguments, fetchedBeside, withRecordings } from '../../with-recordings.ts';
import { type NamedSigner, sealFolder, signerFor } from './seal.ts';

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

/** `assay certify PATH`. Exit 1 where the verdict is anything but certified. */
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
  const progress = createProgressLine(io, path, fetchedBeside(traffic));
  const hooks = { signal: io.signal, onProgress: progress.show, onWarning: progress.say };
  const folder = resolve(args.out);
  const { pictures } = args;
  const options = { ...assessOptionsOf(args), ...(pictures === undefined ? {} : { pictures }) };
  try {
    const report = await certifyInto(folder, recordings, certifying, options, hooks);
    const { signer } = certifying;
    const bundle = await sealFolder(folder, report, certifying.policy, { signer, title: basename(path) });
    progress.end();
    const said =
      args.json === true
        ? `${canonicalJson(report)}\n`
        : `${certificationTable(report, path, io)}Report: ${join(folder, 'report.html')}\nBundle: ${bundle.path}, signed by the key ${signer.public_key.keyid} in ${signer.named}\n`;
    await io.out(said);
    return report.verdict === 'certified' ? 0 : 1;
  } finally {
    progress.end();
  }
}

function policyOf({ target, policy }: CertifyArguments): CertificationPolicy {
  if (target !== undefined && policy !== undefined)
    throw new AssayError('usage', '--target and --policy name two policies', {
      advice: 'keep one: a policy says its target itself',
    });
  if (policy !== undefined) return parsePolicy(readSettings(policy));
  if (target !== undefined) return defaultPolicy(target);
  throw new AssayError('usage', 'nothing says what the recordings are to be certified for', {
    advice: 'give --target ID, or --policy FILE',
  });
}

function projectOf({ project }: CertifyArguments): string | null {
  if (project === undefined) return null;
  if (idPattern('prj').test(project)) return project;
  throw new AssayError('usage', `${project} is no id of a project`, { advice: 'an id begins with prj_' });
}
