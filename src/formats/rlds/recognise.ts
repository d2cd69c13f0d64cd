import type { SourceTree } from '#io/sources';
import { folderOf } from '../shared/file-names.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { type DatasetInfo, featuresName, infoName, readDatasetInfo, shardName } from './dataset-info.ts';
import { headerBytes, openRecordSource, readLength } from './framing.ts';
import { isShardName } from './plan.ts';

/** Maximum shards probed in a folder without dataset_info.json; the first may be the damaged one. */
const maxProbedShards = 4;

/**
 * Recognises TFDS folders by a dataset_info.json that names splits with shards, or by shards that begin with a TFRecord
 * header whose CRC matches; `null` if there is none.
 */
export async function recogniseRlds(tree: SourceTree): Promise<Recognition | null> {
  const folders = new Map<string, string[]>();
  for (const { path } of tree.files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name !== infoName && name !== featuresName && !isShardName(name)) continue;
    const folder = folderOf(path);
    const folderNames = folders.get(folder);
    if (folderNames === undefined) folders.set(folder, [name]);
    else folderNames.push(name);
  }
  const files: string[] = [];
  const evidence: string[] = [];
  for (const [folder, names] of folders) {
    const below = folder === '' ? tree : tree.subtree(folder);
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
    const declaredShards = info.splits.flatMap((split) =>
      split.shard_lengths.map((_, at) => shardName(info, split, at)),
    );
    const presentFiles = new Set([...names, ...declaredShards.filter((name) => tree.has(name))]);
    if (presentFiles.size > 1) return { files: [...presentFiles], evidence: [describeInfo(info)] };
  }
  for (const shard of shards.slice(0, maxProbedShards))
    if (await startsAsTfrecord(tree, shard))
      return {
        files: [...names],
        evidence: [`${shard} starts like a TFRecord: a length with a matching CRC-32C`],
      };
  return null;
}

function describeInfo({ name, version, file_format, splits }: DatasetInfo): string {
  const splitNames = splits.map((split) => split.name).join(', ');
  return `${infoName} describes ${name}${version === null ? '' : ` ${version}`} as ${file_format} with the splits ${splitNames}`;
}

async function startsAsTfrecord(tree: SourceTree, path: string): Promise<boolean> {
  const source = await openRecordSource(tree, path).catch(() => null);
  if (source === null) return false;
  try {
    return readLength(await source.read(0, headerBytes), 0) !== null;
  } catch {
    return false;
  } finally {
    await source.close();
  }
}

/** Divides a recognition into one per folder, because TFDS stores each version and configuration in its own; paths become relative to it. */
export function divideRlds({ files, evidence }: Recognition): readonly DividedRecognition[] {
  const folders = Map.groupBy(files ?? [], folderOf);
  return [...folders].map(([folder, paths]) => {
    const prefix = folder === '' ? '' : `${folder}/`;
    const folderEvidence = evidence.filter(
      (line) => line.startsWith(prefix) && !line.slice(prefix.length).split(' ')[0].includes('/'),
    );
    return {
      folder,
      recognition: {
        format: 'rlds',
        evidence: folderEvidence.map((line) => line.slice(prefix.length)),
        files: paths.map((path) => path.slice(prefix.length)),
      },
    };
  });
}
