import { AssayError, wrapReadError } from '#core';
import type { Finding } from '#core/episode';
import { openWithNamedErrors, type ReadableFile, type SourceTree } from '#io/sources';
import { NpyArray } from '../shared/arrays/npy-array.ts';
import { readZipDirectory, type ZipMember } from '../shared/arrays/zip-directory.ts';
import { type ByteAccess, fileBytes, openZipMember } from '../shared/arrays/zip-member.ts';
import { arrayTable } from './array-table.ts';
import { stepFiles } from './steps.ts';
import type { Table } from './table.ts';

const arrayName = /\.npy$/i;
/** Maximum number of arrays of a table whose headers are read. */
const maxArrays = 10_000;

function arraysSkippedFinding(path: string, count: number): Finding {
  return {
    code: 'arrays_skipped',
    severity: 'error',
    path,
    message: `${path} has ${count} arrays; only the first ${maxArrays} are read`,
    advice: 'write one file or folder per episode, or map groups of the arrays as episodes',
  };
}

/**
 * Opens an `.npz` file as a table: its arrays with one row per sample, with `group` only that group's, are the columns;
 * throws `unreadable_input` if it is no zip or has none. The group `demo_3` has the arrays `demo_3/qpos`, `demo_3_qpos`
 * or `demo_3.qpos`.
 */
export async function openNpzTable(tree: SourceTree, path: string, group: string | null): Promise<Table> {
  const file = await openWithNamedErrors(tree, path);
  try {
    const { members, findings: zipFindings } = await readZipDirectory(
      file,
      tree.entry(path)?.bytes ?? 0,
      path,
    );
    const findings = [...zipFindings];
    const named = npzArrays(members, group);
    if (named.size === 0)
      throw new AssayError(
        'unreadable_input',
        `${path} has no arrays${group === null ? '' : ` named ${group}/…`}`,
        {
          path,
          advice: group === null ? 'write it with numpy.savez' : 'correct episodes.group in the mapping',
        },
      );
    if (named.size > maxArrays) findings.push(arraysSkippedFinding(path, named.size));
    const { arrays, unread } = await openMembers(file, named, path);
    return arrayTable({
      ...{ path, bytes: tree.entry(path)?.bytes ?? 0, arrays, unread, findings },
      close: async () => {
        for (const array of arrays.values()) array.close();
        await file.close();
      },
    });
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** Name of an array in its file, and the member that holds it. */
type NamedMember = readonly [name: string, member: ZipMember];

/** Returns the arrays of an `.npz`, or those of a group, by name without the group. */
function npzArrays(members: ReadonlyMap<string, ZipMember>, group: string | null): Map<string, NamedMember> {
  const found = new Map<string, NamedMember>();
  for (const [file, member] of members) {
    if (!arrayName.test(file)) continue;
    const name = file.replace(arrayName, '');
    if (group === null) found.set(name, [name, member]);
    else if (name.startsWith(group) && /^[/_.-]./.test(name.slice(group.length)))
      found.set(name.slice(group.length + 1), [name, member]);
  }
  return found;
}

/** Returns the names of the arrays of an `.npz`, without `.npy`; other members are left out. */
export async function listNpzArrays(tree: SourceTree, path: string): Promise<string[]> {
  await using file = await openWithNamedErrors(tree, path);
  const { members } = await readZipDirectory(file, tree.entry(path)?.bytes ?? 0, path);
  return [...npzArrays(members, null).keys()];
}

interface OpenedArrays {
  readonly arrays: Map<string, NpyArray>;
  readonly unread: Map<string, AssayError>;
}

async function openMembers(
  file: ReadableFile,
  members: ReadonlyMap<string, NamedMember>,
  path: string,
): Promise<OpenedArrays> {
  const opened: OpenedArrays = { arrays: new Map(), unread: new Map() };
  for (const [name, [full, member]] of [...members].slice(0, maxArrays)) {
    const label = `${path}: ${full}`;
    await openInto(opened, name, async () => {
      const array = await NpyArray.open(await openZipMember(file, member, label), full, label);
      // Until its rows are read, so that thousands of compressed arrays are not decompressed at once.
      array.close();
      return array;
    });
  }
  return opened;
}

/** Opens an array, or adds the reason why it cannot be read. */
async function openInto(
  { arrays, unread }: OpenedArrays,
  name: string,
  open: () => Promise<NpyArray>,
): Promise<void> {
  try {
    arrays.set(name, await open());
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    unread.set(name, thrown);
  }
}

/**
 * Opens the `.npy` files of a folder (`.`: the top folder) as a table, whose columns are named without `.npy`; throws
 * `unreadable_input` if there is none.
 */
export async function openNpyFolder(tree: SourceTree, folder: string): Promise<Table> {
  const files = stepFiles(tree, folder, '*.npy');
  if (files.length === 0)
    throw new AssayError('unreadable_input', `the folder ${folder} has no .npy files`, {
      path: folder,
      advice: 'correct episodes in the mapping',
    });
  const opened: OpenedArrays = { arrays: new Map(), unread: new Map() };
  const paths = new Map<string, string>();
  const findings = files.length > maxArrays ? [arraysSkippedFinding(folder, files.length)] : [];
  let bytes = 0;
  for (const path of files.slice(0, maxArrays)) {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(arrayName, '');
    const size = tree.entry(path)?.bytes ?? 0;
    bytes += size;
    paths.set(name, path);
    await openInto(opened, name, () => NpyArray.open(wholeFile(tree, path, size), name, path));
  }
  return arrayTable({
    ...{ path: folder, bytes, ...opened, findings, files },
    fileOf: (array) => paths.get(array.path) ?? folder,
    close: async () => {},
  });
}

/** Returns the bytes of a file that is opened for each read, so that a folder of many arrays holds no file open. */
function wholeFile(tree: SourceTree, path: string, size: number): ByteAccess {
  return {
    ...{ size, stored: size, isRandom: true },
    async read(position, length) {
      await using file = await openWithNamedErrors(tree, path);
      return fileBytes(file, size).read(position, length);
    },
    close: () => {},
  };
}

/**
 * Opens the array `name` of an `.npz`, or the only array of an `.npy` file; `null` if it is not there or cannot be
 * read.
 */
export async function openNumpyArray(
  tree: SourceTree,
  path: string,
  name: string,
): Promise<{ readonly array: NpyArray; close(): Promise<void> } | null> {
  const file = await openWithNamedErrors(tree, path);
  const size = tree.entry(path)?.bytes ?? 0;
  try {
    let bytes = fileBytes(file, size);
    if (!arrayName.test(path)) {
      const { members } = await readZipDirectory(file, size, path);
      const member = members.get(`${name}.npy`);
      if (member !== undefined) bytes = await openZipMember(file, member, `${path}: ${name}`);
    }
    const array = await NpyArray.open(bytes, name, `${path}: ${name}`);
    return {
      array,
      close: async () => {
        array.close();
        await file.close();
      },
    };
  } catch (thrown) {
    await file.close();
    if (thrown instanceof AssayError) return null;
    throw wrapReadError(thrown, path);
  }
}
