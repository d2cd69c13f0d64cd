import { parseTolerantJson } from '#core';
import type { SourceTree } from '#io/sources';
import type { Recognition } from '../../shared/reader.ts';
import { infoPath, isObject } from '../metadata/info.ts';

/** Tables whose presence beside info.json shows a set. */
const companionTables = ['meta/episodes.jsonl', 'meta/tasks.jsonl', 'meta/tasks.parquet', 'meta/stats.json'];

/**
 * Recognises a LeRobot set by its meta/info.json, or by other tables beside that file, also v1, which cannot be opened;
 * null for other folders.
 */
export async function recogniseLeRobot(tree: SourceTree): Promise<Recognition | null> {
  if (tree.has('meta_data/info.json') && tree.has('meta_data/stats.safetensors')) {
    return { format: 'lerobot', evidence: ['meta_data/ folder of LeRobot v1'], files: null };
  }
  if (!tree.has(infoPath)) return null;
  const beside = companionTables.filter((path) => tree.has(path));
  const evidence = await readInfoEvidence(tree);
  if (evidence.length === 0 && beside.length === 0) return null;
  return {
    format: 'lerobot',
    evidence: [...evidence, ...beside.map((path) => `${path} exists`)],
    files: null,
  };
}

/** Returns the evidence in info.json; empty if it is unreadable or of another kind. */
async function readInfoEvidence(tree: SourceTree): Promise<string[]> {
  try {
    const { value } = parseTolerantJson(await tree.read(infoPath), infoPath);
    if (!isObject(value)) return [];
    const evidence: string[] = [];
    if (typeof value.codebase_version === 'string')
      evidence.push(`codebase_version in ${infoPath} is ${value.codebase_version}`);
    if (isObject(value.features))
      evidence.push(`${infoPath} declares ${Object.keys(value.features).length} features`);
    if (value.dataset_type === 'LeRobotDataset')
      evidence.push(`dataset_type in ${infoPath} is LeRobotDataset`);
    return evidence;
  } catch {
    return [];
  }
}
