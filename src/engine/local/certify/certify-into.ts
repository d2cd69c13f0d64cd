import { join } from 'node:path';
import { AssayError, canonicalParts } from '#core';
import type { CertificationPolicy, CertificationReport, Receipt } from '#core/api';
import { Certifier, renderReport } from '#quality/certification';
import type { Recordings } from '../../recordings/open-recordings.ts';
import { writeWhole } from '../../steps/judge/receipt-files.ts';
import { assess } from '../assess.ts';
import type { AssessHooks, AssessOptions } from '../options.ts';
import { checkOutputFolder, prepareOutputFolder } from '../output/output-folder.ts';
import { titleOf } from '../output/title-of.ts';
import type { AssessmentResult } from '../result/result.ts';

export interface Certifying {
  readonly policy: CertificationPolicy;
  /** Project that the report is for; null: none. */
  readonly project_id: string | null;
}

/**
 * Measures recordings as an assessment does, holds them against a policy, and writes receipts, report and policy into
 * `out`. Throws `unfinished` where something could not be measured here.
 */
export async function certifyInto(
  out: string,
  path: Recordings,
  { policy, project_id }: Certifying,
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
    demandFinished(result);
    const report = certifyAll(result, new Certifier(policy, project_id));
    writeWhole(join(out, 'policy.json'), `${JSON.stringify(policy, null, 2)}\n`);
    writeWhole(join(out, 'report.html'), renderReport(report, titleOf(path)));
    const parts = Array.from(canonicalParts(report), (part) => Buffer.from(part));
    writeWhole(join(out, 'report.json'), Buffer.concat(parts));
    return report;
  } finally {
    await result.close();
  }
}

/** A receipt after another, so that memory does not grow with their size. */
function certifyAll(result: AssessmentResult, certifier: Certifier): CertificationReport {
  let place = 0;
  for (const json of result.receipts()) {
    const receipt: Receipt = JSON.parse(json);
    const dataset = result.datasets[result.verdicts[place++].dataset];
    certifier.add({ receipt, loads: dataset.loads, annotations: null });
  }
  return certifier.finish();
}

function demandFinished({ incomplete, verdicts, findings, datasets }: AssessmentResult): void {
  if (incomplete.length > 0) {
    const [{ path, reason, advice }] = incomplete;
    throw new AssayError('unfinished', `not everything could be measured here: ${reason}`, {
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
    `there is no episode to certify${first === undefined ? '' : `: ${first.message}`}`,
    {
      ...(first?.path == null ? {} : { path: first.path }),
      advice: first?.advice ?? 'assay inspect PATH says what is in it',
    },
  );
}
