import { crc32 } from 'node:zlib';
import { canonicalJson, parseJson, sha256 } from '#core';
import { type CertificationReport, certificationReportSchema } from '#core/api';
import { renderReport } from '#quality/certification';
import { bundleNames, receiptName } from '#quality/certification/bundle';
import type { Blobs } from '#store';
import { BlobWindow } from '../../packs/blob-window.ts';
import type { HashedFile } from '../export/lineage.ts';
import { exportFileKey } from '../export/store-files.ts';
import type { CertifyAnswer, CertifyRequest } from '../messages.ts';
import type { StepContext } from '../step-context.ts';
import { certifyEvidence } from './certify-evidence.ts';

/** Receipts that are on their way into the blob store at once. */
const atOnce = 8;

/**
 * Makes the report of some evidence and stores it with its policy and receipts, not sealed yet; inside a thread. A report
 * that was made elsewhere is stored as it came. Throws `storage_unavailable`.
 */
export async function storeEvidence(request: CertifyRequest, context: StepContext): Promise<CertifyAnswer> {
  const begun_ms = performance.now();
  const stored = new StoredFiles(request.prefix, context);
  const report =
    request.report_blob === null
      ? await reportOf(request, stored, context)
      : await importedReport(request.report_blob, context);
  await stored.add(bundleNames.policy, Buffer.from(canonicalJson(request.policy)));
  await stored.add(bundleNames.report, Buffer.from(canonicalJson(report)));
  await stored.add(bundleNames.page, Buffer.from(renderReport(report, request.title)));
  const { verdict, coverage } = report;
  return {
    files: await stored.settled(),
    report: { verdict, coverage: coverage.share },
    compute_s: (performance.now() - begun_ms) / 1000,
  };
}

async function reportOf(
  { policy, project_id, wanted, episodes, datasets }: CertifyRequest,
  stored: StoredFiles,
  { blobs, patiently, signal, progress }: StepContext,
): Promise<CertificationReport> {
  const windowOf = windowsOver(blobs);
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
      return patiently(() => windowOf(pack_blob).at(pack_blob, offset, length));
    },
    onReceipt: async ({ receipt_hash }, bytes) => {
      // The window is read over while the receipt is on its way.
      await stored.add(receiptName(receipt_hash), Buffer.from(bytes));
      progress(1, 0);
    },
  });
}

/** Blobs that are read side by side: a pack of receipts, one of captions. */
const mostWindows = 4;

function windowsOver(blobs: Blobs): (key: string) => BlobWindow {
  const windows = new Map<string, BlobWindow>();
  return (key) => {
    const window = windows.get(key) ?? new BlobWindow(blobs);
    windows.delete(key);
    windows.set(key, window);
    for (const oldest of windows.keys()) if (windows.size > mostWindows) windows.delete(oldest);
    return window;
  };
}

/** It was held against its schema when it came. */
async function importedReport(key: string, { blobs, patiently }: StepContext): Promise<CertificationReport> {
  const bytes = await patiently(() => blobs.get(key));
  return certificationReportSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
}

/** Files on their way into the blob store, a few at once. */
class StoredFiles {
  readonly #prefix: string;
  readonly #context: StepContext;
  readonly #files = new Map<string, HashedFile>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(prefix: string, context: StepContext) {
    this.#prefix = prefix;
    this.#context = context;
  }

  /** Two episodes with one receipt are one file. */
  async add(path: string, bytes: Uint8Array): Promise<void> {
    if (this.#files.has(path)) return;
    this.#files.set(path, { path, bytes: bytes.length, sha256: sha256(bytes), crc32: crc32(bytes) });
    const { blobs, patiently } = this.#context;
    const going = patiently(() => blobs.put(exportFileKey(this.#prefix, path), bytes));
    const done = going.finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    // Who waits last hears of a failure.
    done.catch(() => {});
    if (this.#underWay.size >= atOnce) await Promise.race(this.#underWay);
  }

  async settled(): Promise<HashedFile[]> {
    await Promise.all(this.#underWay);
    return [...this.#files.values()];
  }
}
