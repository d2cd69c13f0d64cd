import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basename } from 'node:path/posix';
import { AssayError } from '#core';
import { type BagMetadata, parseBagMetadata } from '../../shared/bags/bag-metadata.ts';
import type { Change, FileRepair } from '../../shared/fix/fix.ts';
import { exists } from '../../shared/fix/journal/files.ts';
import type { BagFile } from './bag-file.ts';
import { metadataText, sumOf, topicsOf } from './metadata-text.ts';

/** Codes of findings that a new metadata.yaml answers. */
const answers = [
  'metadata_absent',
  'metadata_unreadable',
  'metadata_count_mismatch',
  'bag_file_unlisted',
  'storage_misnamed',
];

/** A metadata.yaml that says what the files of a bag hold, where it is missing, no YAML, or says otherwise. */
export async function planMetadata(
  root: string,
  path: string,
  files: readonly BagFile[],
): Promise<FileRepair> {
  const { said, fault } = await readSaid(root, path);
  if (said !== null) {
    const missing = said.files.filter((name) => !files.some((file) => basename(file.path) === name));
    if (missing.length > 0) return incomplete(path, missing);
  }
  const before = said === null ? fault : disagreement(said, files);
  if (before === null) return { changes: [], unfixed: [], files: [] };
  const after = `${sumOf(files)} messages in ${files.map((file) => basename(file.path)).join(', ')}`;
  const change: Change = {
    ...{ fix: 'bag-metadata', answers, path, what: 'the bag', before, after, episode: null },
  };
  const write = (target: string) => writeFile(target, metadataText(files, said));
  return { changes: [change], unfixed: [], files: [{ does: 'write', path, write }] };
}

interface Said {
  readonly said: BagMetadata | null;
  /** Why nothing is said. */
  readonly fault: string | null;
}

async function readSaid(root: string, path: string): Promise<Said> {
  if (!(await exists(join(root, path)))) return { said: null, fault: 'none: the recorder was stopped' };
  try {
    return { said: await parseBagMetadata(await readFile(join(root, path), 'utf8'), path), fault: null };
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'unreadable_input')
      return { said: null, fault: thrown.message };
    throw thrown;
  }
}

/** The first thing that is said otherwise than it is; null where all agrees. */
function disagreement(said: BagMetadata, files: readonly BagFile[]): string | null {
  const total = sumOf(files);
  if (said.storage !== files[0].storage) return `storage is ${said.storage || 'not named'}`;
  if (said.messages !== total) return `${said.messages ?? 'no'} messages`;
  for (const { path } of files)
    if (!said.files.includes(basename(path))) return `does not list ${basename(path)}`;
  for (const { path, messages } of files) {
    const declared = said.fileMessages.get(basename(path));
    if (declared !== undefined && declared !== messages) return `${declared} messages in ${basename(path)}`;
  }
  for (const { name, messages } of topicsOf(files)) {
    const declared = said.topicMessages.get(name) ?? 0;
    if (declared !== messages) return `${declared} messages of ${name}`;
  }
  return null;
}

function incomplete(path: string, missing: readonly string[]): FileRepair {
  return {
    changes: [],
    unfixed: [
      {
        ...{ code: 'bag_file_missing', path, episode: null },
        message: `${path} lists ${missing.join(', ')}: not in this folder, or not readable`,
        advice:
          'Copy the whole bag folder again. If those files are lost, delete metadata.yaml and run assay fix once more.',
      },
    ],
    files: [],
  };
}
