import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, wrapReadError } from '#core';
import type { Receipt } from '#core/api';
import type { LocatedRecordings } from '#engine/local';
import { lineageFile, verifyExport } from '#engine/local/export';
import { reassess, receiptKey } from '#engine/local/reassess';
import { type Verification, verifyReceipt } from '#quality/readiness/documents';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { count, grouped } from '../../text.ts';
import { type AddressArguments, createFetchedSuffix, withRecordings } from '../../with-recordings.ts';
import { isBundle, type VerifyBundleArguments, verifyBundleCommand } from './verify-bundle.ts';

export interface VerifyArguments extends AddressArguments, VerifyBundleArguments, WorkArguments {
  readonly source?: string;
}

/** Verification result of one receipt. It does not hold the receipt, since a folder may have 100,000. */
interface CheckedReceipt {
  readonly file: string;
  readonly problems: string[];
  readonly notes: readonly string[];
  /** Identity of the receipt; `null` if the file holds none. */
  readonly sealed: SealedReceipt | null;
}

interface SealedReceipt {
  readonly key: string;
  readonly content_hash: string;
  readonly episode: string;
  readonly decision: string;
  load(): Receipt;
}

/** Runs `assay verify FILE [--source PATH]`. Returns 1 if a receipt, export or bundle has a problem, else 0. */
export async function verifyCommand(
  path: string,
  args: VerifyArguments,
  io: Io,
  launcher: Pick<Launcher, 'webSettings'>,
): Promise<number> {
  if (isBundle(path)) return verifyBundleCommand(path, args, io);
  if (args.key !== undefined || args.project !== undefined)
    throw new AssayError('usage', `${path} is not a bundle; --key and --project work with bundles only`, {
      path,
      advice: 'pass the .zip file of a certification bundle, or leave them out',
    });
  if (existsSync(join(path, lineageFile))) return verifyExportCommand(path, args, io);
  const checked = receiptFiles(path).map(checkReceipt);
  const { source } = args;
  if (source !== undefined)
    await withRecordings(source, args, io, launcher, (located) =>
      compareWithSource(checked, located, args, io),
    );
  const bad = checked.filter(({ problems }) => problems.length > 0);
  if (args.json === true) await io.out(`${JSON.stringify(asJson(checked))}\n`);
  else await io.out(inWords(checked, bad, args.source));
  return bad.length > 0 ? 1 : 0;
}

/** Returns the receipt file, or all receipts below a folder. Throws `not_found` if there are none. */
function receiptFiles(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const whole = readdirSync(path).includes('receipts') ? join(path, 'receipts') : path;
    const files = readdirSync(whole, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    if (files.length > 0) return files;
  } catch (thrown) {
    throw wrapReadError(thrown, path, 'pass a receipt, or a folder of receipts');
  }
  throw new AssayError('not_found', `${path} contains no receipts`, {
    path,
    advice: 'pass the folder that assay assess --out wrote, or one of the receipts in it',
  });
}

function checkReceipt(file: string): CheckedReceipt {
  const { problems, notes, receipt } = read(file);
  return { file, problems: [...problems], notes, sealed: receipt === null ? null : sealedOf(file, receipt) };
}

function read(file: string): Verification {
  try {
    return verifyReceipt(readFileSync(file));
  } catch (thrown) {
    throw wrapReadError(thrown, file, 'check its permissions');
  }
}

function sealedOf(file: string, receipt: Receipt): SealedReceipt {
  return {
    key: receiptKey(receipt),
    content_hash: receipt.content_hash,
    episode: receipt.episode.id,
    decision: receipt.decision,
    load: () => rereadReceipt(file),
  };
}

/**
 * Reads a receipt again, so that not all receipts of a dataset are held in memory. Throws `unreadable_input` if it has
 * changed.
 */
function rereadReceipt(file: string): Receipt {
  const { receipt } = read(file);
  if (receipt !== null) return receipt;
  throw new AssayError('unreadable_input', 'the receipt changed while it was being verified', { path: file });
}

/** Assesses the source recordings and adds a problem for each receipt whose content hash differs. */
async function compareWithSource(
  checked: readonly CheckedReceipt[],
  { recordings, label, traffic }: LocatedRecordings,
  args: VerifyArguments,
  io: Io,
): Promise<void> {
  const receipts = checked.flatMap(({ sealed }) => sealed ?? []);
  if (receipts.length === 0) return;
  const progress = createProgressLine(io, label, createFetchedSuffix(traffic));
  const differences = await reassess(receipts, recordings, assessOptionsOf(args), {
    signal: io.signal,
    onProgress: progress.show,
  }).finally(progress.end);
  for (const { sealed, problems } of checked) {
    if (sealed !== null) problems.push(...(differences.get(sealed) ?? []));
  }
}

function asJson(checked: readonly CheckedReceipt[]) {
  return {
    ok: checked.every(({ problems }) => problems.length === 0),
    receipts: checked.map(({ file, problems, notes, sealed }) => ({
      file,
      ok: problems.length === 0,
      episode: sealed?.episode ?? null,
      content_hash: sealed?.content_hash ?? null,
      problems,
      notes,
    })),
  };
}

function inWords(
  checked: readonly CheckedReceipt[],
  bad: readonly CheckedReceipt[],
  source: string | undefined,
): string {
  const lines = bad.flatMap(({ file, problems }) => [
    `✗ ${file}`,
    ...problems.map((problem) => `    ${problem}`),
  ]);
  if (checked.length === 1 && bad.length === 0) {
    const { file, sealed, notes } = checked[0];
    lines.push(
      `✓ ${file}`,
      `    ${sealed?.episode}: ${sealed?.decision}, content_hash ${sealed?.content_hash}`,
    );
    lines.push(...notes.map((note) => `    ${note}`));
  }
  const against = source === undefined ? '' : `; assessing ${source} again gives the same results`;
  lines.push(
    bad.length === 0
      ? `${count(checked.length, 'receipt')}: all unchanged since they were sealed${against}`
      : `${count(checked.length, 'receipt')}: ${grouped(bad.length)} failed`,
  );
  return `${lines.join('\n')}\n`;
}

/** Verifies an export. Returns 1 if a file differs from the seal, else 0. */
async function verifyExportCommand(folder: string, { json }: { json?: boolean }, io: Io): Promise<number> {
  const { lineage, problems } = await verifyExport(folder);
  const { seal, files, kept, dropped } = lineage;
  if (json === true)
    await io.out(
      `${JSON.stringify({ seal, files: files.length, kept: kept.length, dropped: dropped.length, problems })}\n`,
    );
  else if (problems.length === 0)
    await io.out(
      `${count(files.length, 'file')}, ${count(kept.length, 'episode')}: all unchanged since they were sealed\nSeal: ${seal}\n`,
    );
  else await io.out(`${problems.join('\n')}\n`);
  return problems.length > 0 ? 1 : 0;
}
