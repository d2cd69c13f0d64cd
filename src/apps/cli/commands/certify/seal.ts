import type { CertificationPolicy, CertificationReport } from '#core/api';
import { type WrittenBundle, writeBundle, writeCard } from '#engine/local/certify';
import { describeKey, type Signer } from '#quality/certification/bundle';
import { keyInFile, localKey, type SigningKey } from '#store/signing';
import type { Launcher } from '../../launcher.ts';

/** What signs, and where its key lies. */
export interface NamedSigner extends Signer {
  readonly named: string;
}

/** The key in a PEM file, or the user's own, which is made when it is first asked for. Throws `unreadable_input`. */
export function signerFor(file: string | undefined, launcher: Pick<Launcher, 'keyFolder'>): NamedSigner {
  const folder = launcher.keyFolder();
  if (file !== undefined) return named(keyInFile(file), file);
  return named(localKey(folder, 'local'), `${folder}/local/current.pem`);
}

const named = ({ public_key, sign }: SigningKey, place: string): NamedSigner => ({
  public_key: describeKey(public_key),
  sign,
  named: place,
});

/** Seals what `certify` has written into `bundle.zip`, and writes the card that names it. `title`: of the dataset. */
export async function sealFolder(
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
