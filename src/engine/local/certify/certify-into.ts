import { join } from 'node:path';
import { AssayError, canonicalParts } from '#core';
import type { CertificationPolicy, CertificationReport, Receipt } from '#core/api';
import { Certifier, renderReport } from '#quality/certification';
import type { Recordings } from '../../open-recordings.ts';
import { writeAtomically } from '../../steps/judge/receipt-files.ts';
import { assess } from '../assess.ts';
import type { AssessHooks, AssessOptions } from '../options.ts';
import { checkOutputFolder, prepareOutputFolder, recordingsTitle } from '../output/output-folder.ts';
import type { AssessmentResult } from '../result.ts';

/** Policy and project of a certification. */
export interface CertifyOptions {
  readonly policy: CertificationPolicy;
  /** Project of the report; `null` if there is none. */
  readonly project_id: string | null;
}

/**
 * Assesses recordings, checks them against a policy, writes receipts, report and policy into `out`, and returns the report.
 * Throws `unfinished` if something could not be measured here.
 * @throws `unreadable_input` if there are no episodes
 */
export async function certifyInto(
  out: string,
  path: Recordings,
  { policy, project_id }: CertifyOptions,
  options: AssessOptions = {},
  hooks: AssessHooks = {},
): Promise<CertificationReport> {
  const source = typeof path === 'string' ? path : null;
  checkOutputFolder(out, source);
  const result = await assess(
    path,
    { ...options, receipts: true, receiptsFolder: out },
    { ...hooks, onFound: () => prepareOutputFolder(out, source) },
  );
  try {
    requireComplete(result);
    const report = certifyAll(result, new Certifier(policy, project_id));
    writeAtomically(join(out, 'policy.json'), `${JSON.stringify(policy, null, 2)}\n`);
    writeAtomically(join(out, 'report.html'), renderReport(report, recordingsTitle(path)));
    const parts = Array.from(canonicalParts(report), (part) => Buffer.from(part));
    writeAtomically(join(out, 'report.json'), Buffer.concat(parts));
    return report;
  } finally {
    await result.close();
  }
}

/** Returns the certification report of all receipts, added one after another, so that memory does not grow with their number. */
function certifyAll(result: AssessmentResult, certifier: Certifier): CertificationReport {
  let place = 0;
  for (const json of result.receipts()) {
    const receipt: Receipt = JSON.parse(json);
    const dataset = result.datasets[result.verdicts[place++].dataset];
    certifier.add({ receipt, loads: dataset.loads, annotations: null });
  }
  return certifier.finish();
}

function requireComplete({ incomplete, verdicts, findings, datasets }: AssessmentResult): void {
  if (incomplete.length > 0) {
    const [{ path, reason, advice }] = incomplete;
    throw new AssayError('unfinished', `some data could not be measured: ${reason}`, {
      ...(path === null ? {} : { path }),
      advice,
    });
  }
  if (verdicts.length > 0) return;
  const first = [...findings, ...datasets.flatMap((dataset) => dataset.findings)].find(
    ({ severity }) => severity === 'error' || severity === 'blocking',
  );
  throw new AssayError(
    'unreadable_input',
    `no episodes to certify${first === undefined ? '' : `: ${first.message}`}`,
    {
      ...(first?.path == null ? {} : { path: first.path }),
      advice: first?.advice ?? 'run assay inspect PATH to see what it contains',
    },
  );
}
