import type { SourceTree } from '#io/sources';
import { folderOf } from '../shared/divide-folders.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { type DatasetInfo, featuresName, infoName, readDatasetInfo, shardName } from './dataset-info.ts';
import { isShardName } from './plan.ts';
import { headerBytes, lengthIn, openRecordSource } from './records/framing.ts';

/** Of a folder without dataset_info.json; the first may be the damaged one. */
const shardsLookedInto = 4;

/**
 * A folder is a set of TFDS when its dataset_info.json names splits of shards, or where files called shards begin as
 * TFRecord does: a length that fits its CRC.
 */
export async function recogniseRlds(tree: SourceTree): Promise<Recognition | null> {
  const folders = new Map<string, string[]>();
  for (const { path } of tree.files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name !== infoName && name !== featuresName && !isShardName(name)) continue;
    const folder = folderOf(path);
    const own = folders.get(folder);
    if (own === undefined) folders.set(folder, [name]);
    else own.push(name);
  }
  const files: string[] = [];
  const evidence: string[] = [];
  for (const [folder, names] of folders) {
    const below = folder === '' ? tree : tree.below(folder);
    const found = await recogniseFolder(below, names);
    if (found === null) continue;
    files.push(...found.files.map((name) => (folder === '' ? name : `${folder}/${name}`)));
    evidence.push(...found.evidence.map((line) => (folder === '' ? line : `${folder}/${line}`)));
  }
  return files.length === 0 ? null : { format: 'rlds', evidence, files };
}

async function recogniseFolder(
  tree: SourceTree,
  names: readonly string[],
): Promise<{ files: string[]; evidence: string[] } | null> {
  const info = names.includes(infoName) ? await readDatasetInfo(tree).catch(() => null) : null;
  const shards = names.filter(isShardName);
  if (info !== null) {
    const named = info.splits.flatMap((split) =>
      split.shard_lengths.map((_, at) => shardName(info, split, at)),
    );
    const own = new Set([...names, ...named.filter((name) => tree.has(name))]);
    if (own.size > 1) return { files: [...own], evidence: [evidenceOf(info)] };
  }
  for (const shard of shards.slice(0, shardsLookedInto))
    if (await beginsAsTfrecord(tree, shard))
      return {
        files: [...names],
        evidence: [`${shard} begins with a length that fits its CRC-32C, as TFRecord does`],
      };
  return null;
}

function evidenceOf({ name, version, file_format, splits }: DatasetInfo): string {
  const said = splits.map((split) => split.name).join(', ');
  return `${infoName} says ${name}${version === null ? '' : ` ${version}`} as ${file_format} with the splits ${said}`;
}

async function beginsAsTfrecord(tree: SourceTree, path: string): Promise<boolean> {
  const source = await openRecordSource(tree, path).catch(() => null);
  if (source === null) return false;
  try {
    return lengthIn(await source.read(0, headerBytes), 0) !== null;
  } catch {
    return false;
  } finally {
    await source.close();
  }
}

/** A set a folder: TFDS puts each version of each configuration into its own. */
export function divideRlds({ files, evidence }: Recognition): readonly DividedRecognition[] {
  const folders = Map.groupBy(files ?? [], folderOf);
  return [...folders].map(([folder, paths]) => {
    const prefix = folder === '' ? '' : `${folder}/`;
    const own = evidence.filter(
      (line) => line.startsWith(prefix) && !line.slice(prefix.length).split(' ')[0].includes('/'),
    );
    return {
      folder,
      recognition: {
        format: 'rlds',
        evidence: own.map((line) => line.slice(prefix.length)),
        files: paths.map((path) => path.slice(prefix.length)),
      },
    };
  });
}
