import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { readJsonList } from '../shared/text/json-list.ts';
import { textOf } from './records.ts';
import { nuScenesBreach } from './rules.ts';
import { tableFindings } from './table-findings.ts';
import { TokenCheck } from './token-check.ts';

/** What the devkit asks of maps when it opens a version: their pictures, and one for every log. */
export async function mapFindings(
  tree: SourceTree,
  version: string,
  logs: Iterable<string>,
): Promise<Finding[]> {
  const path = `${version}/map.json`;
  if (!tree.has(path)) return [];
  const mapped = new Set<string>();
  const absent: string[] = [];
  const tokens = new TokenCheck();
  let listless = 0;
  const list = await readJsonList(tree, path, (record) => {
    tokens.add(textOf(record, 'token'));
    const file = textOf(record, 'filename');
    if (!tree.has(file)) absent.push(file);
    if (!Array.isArray(record.log_tokens)) listless++;
    else for (const log of record.log_tokens) mapped.add(String(log));
  });
  const findings = [...tableFindings(path, list), ...tokens.findings(path)];
  if (list.records === 0 || listless > 0) {
    const message =
      list.records === 0 ? `${path} is empty` : `${listless} records of ${path} have no log_tokens`;
    return [...findings, nuScenesBreach('nuscenes_map_missing', path, message)];
  }
  if (absent.length > 0) {
    const message = `${absent.length} of ${list.records} pictures of maps are not there: ${absent.slice(0, 3).join(', ')}`;
    findings.push(
      nuScenesBreach('nuscenes_map_mask_missing', path, message, {
        maps: list.records,
        absent: absent.length,
      }),
    );
  }
  const lost = [...logs].filter((log) => !mapped.has(log));
  if (lost.length > 0) {
    const message = `${lost.length} logs are on no map of ${path}: ${lost.slice(0, 3).join(', ')}`;
    findings.push(nuScenesBreach('nuscenes_reference_broken', path, message, { logs: lost.length }));
  }
  return findings;
}
