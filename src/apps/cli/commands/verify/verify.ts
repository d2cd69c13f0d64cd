import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, asUnreadable } from '#core';
import type { Receipt } from '#core/api';
import type { LocatedRecordings } from '#engine/local';
import { lineageFile, verifyExport } from '#engine/local/export';
import { reassess, receiptKey } from '#engine/local/reassess';
import { type Verification, verifyReceipt } from '#quality/readiness/documents';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { type AddressArguments, fetchedBeside, withRecordings } from '../../with-recordings.ts';
import { count, grouped } from '../../words.ts';
import { isBundle, type VerifyBundleArguments, verifyBundleCommand } from './verify-bundle.ts';

export interface VerifyArguments extends AddressArguments, VerifyBundleArguments, WorkArguments {
  readonly source?: string;
}

/** One receipt's outcome, without the receipt: a folder may hold 100,000. */
interface Checked {
  readonly file: string;
  readonly problems: string[];
  readonly notes: readonly string[];
  /** Null when the file holds no receipt. */
  readonly sealed: Sealed | null;
}

interface Sealed {
  readonly key: string;
  readonly content_hash: string;
  readonly episode: string;
  readonly decision: string;
  load(): Receipt;
}

/** `assay verify FILE [--source PATH]`. Exit 1 when anything speaks against a receipt. */
export async function verifyCommand(
  path: string,
  args: VerifyArguments,
  io: Io,
  launcher: Pick<Launcher, 'webSettings'>,
): Promise<number> {
  if (isBundle(path)) return verifyBundleCommand(path, args, io);
  if (args.key !== undefined || args.project !== undefined)
    throw new AssayError('usage', `${path} is no bundle; --key and --project are for bundles`, {
      path,
      advice: 'name the .zip file of a certification bundle, or leave them out',
    });
  if (existsSync(join(path, lineageFile))) return verifyExportCommand(path, args, io);
  const checked = receiptFiles(path).map(check);
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

/** The receipt named, or every receipt below the folder named. */
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
    throw asUnreadable(thrown, path, 'name a receipt, or a folder of receipts');
  }
  throw new AssayError('not_found', `${path} holds no receipts`, {
    path,
    advice: 'name a receipt, or the folder that assess --out wrote',
  });
}

function check(file: string): Checked {
  const { problems, notes, receipt } = read(file);
  return { file, problems: [...problems], notes, sealed: receipt === null ? null : sealedOf(file, receipt) };
}

function read(file: string): Verification {
  try {
    return verifyReceipt(readFileSync(file));
  } catch (thrown) {
    throw asUnreadable(thrown, file, 'check that you may read it');
  }
}

function sealedOf(file: string, receipt: Receipt): Sealed {
  return {
    key: receiptKey(receipt),
    content_hash: receipt.content_hash,
    episode: receipt.episode.id,
    decision: receipt.decision,
    load: () => loaded(file),
  };
}

/** Read again: holding what was read would hold a whole dataset's receipts. */
function loaded(file: string): Receipt {
  const { receipt } = read(file);
  if (receipt !== null) return receipt;
  throw new AssayError('unreadable_input', 'the receipt changed while it was being verified', { path: file });
}

/** Assesses the source again and compares content hashes. */
async function compareWithSource(
  checked: readonly Checked[],
  { recordings, label, traffic }: LocatedRecordings,
  args: VerifyArguments,
  io: Io,
): Promise<void> {
  const receipts = checked.flatMap(({ sealed }) => sealed ?? []);
  if (receipts.length === 0) return;
  const progress = createProgressLine(io, label, fetchedBeside(traffic));
  const differences = await reassess(receipts, recordings, assessOptionsOf(args), {
    signal: io.signal,
    onProgress: progress.show,
  }).finally(progress.end);
  for (const { sealed, problems } of checked) {
    if (sealed !== null) problems.push(...(differences.get(sealed) ?? []));
  }
}

function asJson(checked: readonly Checked[]) {
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

function inWords(checked: readonly Checked[], bad: readonly Checked[], source: string | undefined): string {
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
  const against = source === undefined ? '' : ` and ${source} still gives them`;
  lines.push(
    bad.length === 0
      ? `${count(checked.length, 'receipt')}: all say what was sealed${against}`
      : `${count(checked.length, 'receipt')}: ${grouped(bad.length)} failed`,
  );
  return `${lines.join('\n')}\n`;
}

/** `assay verify EXPORT`. Exit 1 when a file is not as it was sealed. */
async function verifyExportCommand(folder: string, { json }: { json?: boolean }, io: Io): Promise<number> {
  const { lineage, problems } = await verifyExport(folder);
  const { seal, files, kept, dropped } = lineage;
  if (json === true)
    await io.out(
      `${JSON.stringify({ seal, files: files.length, kept: kept.length, dropped: dropped.length, problems })}\n`,
    );
  else if (problems.length === 0)
    await io.out(
      `${count(files.length, 'file')} of ${count(kept.length, 'episode')}: all as they were sealed\nSeal: ${seal}\n`,
    );
  else await io.out(`${problems.join('\n')}\n`);
  return problems.length > 0 ? 1 : 0;
}
