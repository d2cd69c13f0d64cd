import { crc32 } from 'node:zlib';
import { AssayError, canonicalJson, parseJson, sha256 } from '#core';
import { type CertificationPolicy, type CertificationReport, certificationReportSchema } from '#core/api';
import { computeTime_ms } from '#io/processes';
import { findImportedReportFault, renderReport } from '#quality/certification';
import { bundleNames, receiptName } from '#quality/certification/bundle';
import type { Blobs } from '#store';
import { certifyEvidence } from './certify-evidence.ts';
import type { HashedFile } from './export/lineage.ts';
import { exportFileKey } from './export/store-files.ts';
import type { CertifyAnswer, CertifyRequest, StepContext } from './messages.ts';
import { BlobWindow } from './packs/blob-readers.ts';

/** Maximum number of concurrent uploads. */
const maxUploads = 8;

/**
 * Computes the report of some evidence (or takes an imported one unchanged), stores it with its policy and receipts, not
 * sealed yet, and returns the files; runs inside a worker thread. An imported report is stored unchanged. Throws
 * `storage_unavailable`, `verification_failed` if an imported report does not follow from its own decisions.
 */
export async function storeEvidence(request: CertifyRequest, context: StepContext): Promise<CertifyAnswer> {
  const from_ms = computeTime_ms();
  const stored = new StoredFiles(request.prefix, context);
  const imported = request.report_blob !== null;
  const report =
    request.report_blob === null
      ? await buildReport(request, stored, context)
      : await readImportedReport(request.report_blob, request.policy, context);
  await stored.add(bundleNames.policy, Buffer.from(canonicalJson(request.policy)));
  await stored.add(bundleNames.report, Buffer.from(canonicalJson(report)));
  await stored.add(bundleNames.page, Buffer.from(renderReport(report, request.title, { imported })));
  const { verdict, coverage } = report;
  return {
    files: await stored.finish(),
    report: { verdict, coverage: coverage.share },
    compute_s: (computeTime_ms() - from_ms) / 1000,
  };
}

async function buildReport(
  { policy, project_id, wanted, episodes, datasets }: CertifyRequest,
  stored: StoredFiles,
  { blobs, retry, signal, progress }: StepContext,
): Promise<CertificationReport> {
  const windowOf = createWindows(blobs);
  const evidence = {
    policy,
    project_id,
    wanted,
    episodes: parseJson(episodes),
    datasets: parseJson(datasets),
  };
  return certifyEvidence(evidence, {
    read: async ({ pack_blob, offset, length }) => {
      signal.throwIfAborted();
      progress(0, 0);
      return retry(() => windowOf(pack_blob).read(pack_blob, offset, length));
    },
    onReceipt: async ({ receipt_hash }, bytes) => {
      // Copied, since the window is overwritten during the upload.
      await stored.add(receiptName(receipt_hash), Buffer.from(bytes));
      progress(1, 0);
    },
  });
}

/** Maximum number of blobs read side by side: a pack of receipts, one of captions, and so on. */
const maxWindows = 4;

function createWindows(blobs: Blobs): (key: string) => BlobWindow {
  const windows = new Map<string, BlobWindow>();
  return (key) => {
    const window = windows.get(key) ?? new BlobWindow(blobs);
    windows.delete(key);
    windows.set(key, window);
    for (const oldest of windows.keys()) if (windows.size > maxWindows) windows.delete(oldest);
    return window;
  };
}

/** Reads an imported report. It was verified when it was sent, and is verified again because it is about to be signed. */
async function readImportedReport(
  key: string,
  policy: CertificationPolicy,
  { blobs, retry }: StepContext,
): Promise<CertificationReport> {
  const bytes = await retry(() => blobs.get(key));
  const report = certificationReportSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
  const fault = findImportedReportFault(report, policy);
  if (fault === null) return report;
  throw new AssayError(
    'verification_failed',
    `the imported report does not follow from its own decisions: ${fault.message}`,
    { place: fault.pointer, advice: 'import report.json again, as written by `assay certify`' },
  );
}

/** Uploads files to the blob store, a few at once. */
class StoredFiles {
  readonly #prefix: string;
  readonly #context: StepContext;
  readonly #files = new Map<string, HashedFile>();
  readonly #pending = new Set<Promise<void>>();

  constructor(prefix: string, context: StepContext) {
    this.#prefix = prefix;
    this.#context = context;
  }

  /** Uploads a file, unless its path was added before: episodes with the same receipt share a file. */
  async add(path: string, bytes: Uint8Array): Promise<void> {
    if (this.#files.has(path)) return;
    this.#files.set(path, { path, bytes: bytes.length, sha256: sha256(bytes), crc32: crc32(bytes) });
    const { blobs, retry } = this.#context;
    const going = retry(() => blobs.put(exportFileKey(this.#prefix, path), bytes));
    const done = going.finally(() => this.#pending.delete(done));
    this.#pending.add(done);
    // Failures are thrown by `finish`.
    done.catch(() => {});
    if (this.#pending.size >= maxUploads) await Promise.race(this.#pending);
  }

  /** Waits for all uploads and returns the files. */
  async finish(): Promise<HashedFile[]> {
    await Promise.all(this.#pending);
    return [...this.#files.values()];
  }
}
