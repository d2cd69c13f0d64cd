import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { sha256 } from '#core';
import type { BundleFacts, Receipt } from '#core/api';
import { type ArchivedFile, zipOf } from '#io/archives';
import { bundleNames, receiptName, type Signer, sealBundle } from '#quality/certification/bundle';
import { unwritable } from '../../steps/judge/receipt-files.ts';

/** Name of the bundle in the folder that `assay certify` writes. */
const bundleFile = 'bundle.zip';

/** A file of the bundle: where it lies, or its bytes. */
interface Bundled extends ArchivedFile {
  readonly sha256: string;
  readonly content: string | Uint8Array;
}

/** A bundle that lies on the disk. */
export interface WrittenBundle {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Seals report, page, policy and receipts that lie in a folder into a bundle there. Throws `output_unwritable`. */
export async function writeBundle(
  folder: string,
  facts: BundleFacts,
  signer: Signer,
): Promise<WrittenBundle> {
  const files = [
    ...[bundleNames.report, bundleNames.page, bundleNames.policy].map((name) =>
      bundled(name, join(folder, name)),
    ),
    ...receiptsIn(join(folder, 'receipts')),
  ];
  for (const { path, content } of await sealBundle(files, facts, signer)) files.push(bundled(path, content));
  const sorted = [...new Map(files.map((file) => [file.path, file])).values()].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  return writeZip(join(folder, bundleFile), sorted);
}

/** `content`: the bytes, or the path of a file, which is read again when the archive is written. */
function bundled(path: string, content: string | Uint8Array): Bundled {
  const bytes = typeof content === 'string' ? readFileSync(content) : content;
  return { path, bytes: bytes.length, crc32: crc32(bytes), sha256: sha256(bytes), content };
}

/** Receipts under the names that they have in a bundle; one is held at a time. */
function receiptsIn(folder: string): Bundled[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.startsWith('.'))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const { content_hash }: Receipt = JSON.parse(readFileSync(file, 'utf8'));
      return bundled(receiptName(content_hash), file);
    });
}

/** Whole or not at all. */
function writeZip(path: string, files: readonly Bundled[]): WrittenBundle {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const archive = zipOf(files);
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
    throw unwritable(thrown, path);
  }
  return { path, bytes: archive.bytes, sha256: hash.digest('hex') };
}
