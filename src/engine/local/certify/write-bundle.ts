import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { sha256 } from '#core';
import type { BundleFacts, Receipt } from '#core/api';
import { type ArchivedFile, createZip } from '#io/archives';
import { renderCroissant, renderDatasetCard, type SealedReport } from '#quality/certification';
import { bundleNames, receiptName, type Signer, sealBundle } from '#quality/certification/bundle';
import { unwritableError, writeAtomically } from '../../steps/judge/receipt-files.ts';

/** File name of the bundle in the folder of `assay certify`. */
const bundleFile = 'bundle.zip';

/** A file of the bundle; `content` is its path or its bytes. */
interface Bundled extends ArchivedFile {
  readonly sha256: string;
  readonly content: string | Uint8Array;
}

/** A bundle on disk. */
export interface WrittenBundle {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Signs the report, page, policy and receipts in a folder of `assay certify`, writes all of them with the signatures to
 * `bundle.zip` there, and returns its path, size and hash.
 * @throws `output_unwritable`
 */
export async function writeBundle(
  folder: string,
  facts: BundleFacts,
  signer: Signer,
): Promise<WrittenBundle> {
  const files = [
    ...[bundleNames.report, bundleNames.page, bundleNames.policy].map((name) =>
      toBundled(name, join(folder, name)),
    ),
    ...listReceipts(join(folder, 'receipts')),
  ];
  for (const { path, content } of await sealBundle(files, facts, signer))
    files.push(toBundled(path, content));
  const sorted = [...new Map(files.map((file) => [file.path, file])).values()].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  return writeZip(join(folder, bundleFile), sorted);
}

/** Returns a bundle file. `content`: bytes, or a path that is read again when the archive is written. */
function toBundled(path: string, content: string | Uint8Array): Bundled {
  const bytes = typeof content === 'string' ? readFileSync(content) : content;
  return { path, bytes: bytes.length, crc32: crc32(bytes), sha256: sha256(bytes), content };
}

/** Returns the receipts under their bundle names, reading one at a time. */
function listReceipts(folder: string): Bundled[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.startsWith('.'))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const { content_hash }: Receipt = JSON.parse(readFileSync(file, 'utf8'));
      return toBundled(receiptName(content_hash), file);
    });
}

/**
 * Writes the archive atomically and returns its path, size and hash.
 * @throws `output_unwritable`
 */
function writeZip(path: string, files: readonly Bundled[]): WrittenBundle {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const archive = createZip(files);
  const half = `${path}.writing-${process.pid}`;
  const hash = createHash('sha256');
  try {
    const zip = openSync(half, 'w');
    try {
      for (const part of archive.ranges(0, archive.bytes)) {
        const content = part instanceof Uint8Array ? part : (byPath.get(part.path)?.content ?? '');
        const bytes = typeof content === 'string' ? readFileSync(content) : content;
        for (let done = 0; done < bytes.length; ) done += writeSync(zip, bytes, done);
        hash.update(bytes);
      }
    } finally {
      closeSync(zip);
    }
    renameSync(half, path);
  } catch (thrown) {
    rmSync(half, { force: true });
    throw unwritableError(thrown, path);
  }
  return { path, bytes: archive.bytes, sha256: hash.digest('hex') };
}

/** Writes the dataset card for publishing into a folder: `card/README.md` and `card/croissant.json`. */
export function writeCard(folder: string, sealed: SealedReport): void {
  writeAtomically(join(folder, 'card', 'README.md'), renderDatasetCard(sealed));
  writeAtomically(join(folder, 'card', 'croissant.json'), renderCroissant(sealed));
}
