import { parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';
import type { Recognition } from '../../shared/reader.ts';
import { infoPath, isObject } from '../metadata/info.ts';

const companions = ['meta/episodes.jsonl', 'meta/tasks.jsonl', 'meta/tasks.parquet', 'meta/stats.json'];

/** A folder is a LeRobot set when its meta/info.json says so, or lies beside the set's other tables. */
export async function recogniseLeRobot(tree: SourceTree): Promise<Recognition | null> {
  if (tree.has('meta_data/info.json') && tree.has('meta_data/stats.safetensors')) {
    return { format: 'lerobot', evidence: ['meta_data/ as in LeRobot v1'], files: null };
  }
  if (!tree.has(infoPath)) return null;
  const beside = companions.filter((path) => tree.has(path));
  const said = await whatInfoSays(tree);
  if (said.length === 0 && beside.length === 0) return null;
  return { format: 'lerobot', evidence: [...said, ...beside.map((path) => `${path} is there`)], files: null };
}

async function whatInfoSays(tree: SourceTree): Promise<string[]> {
  try {
    const { value } = parseTolerantJson(await tree.read(infoPath), infoPath);
    if (!isObject(value)) return [];
    const said: string[] = [];
    if (typeof value.codebase_version === 'string')
      said.push(`${infoPath} says codebase_version ${value.codebase_version}`);
    if (isObject(value.features))
      said.push(`${infoPath} declares ${Object.keys(value.features).length} features`);
    if (value.dataset_type === 'LeRobotDataset') said.push(`${infoPath} says dataset_type LeRobotDataset`);
    return said;
  } catch {
    return [];
  }
}
