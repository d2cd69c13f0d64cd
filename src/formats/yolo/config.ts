import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { yoloFinding } from './rules.ts';

/** Configuration of a YOLO set from data.yaml or a class list. */
export interface YoloConfig {
  readonly path: string;
  /** False for an unrelated YAML file. */
  readonly isDataset: boolean;
  /** Class names by index; `null` if none are given. */
  readonly names: ReadonlyMap<number, string> | null;
  /** Number of classes: of names, else nc; `null` if neither is given. */
  readonly classes: number | null;
  /** Folders and picture lists by split, as written. */
  readonly splits: readonly { readonly split: string; readonly entry: string }[];
  /** Root of the entries, as written; `null` if not given. */
  readonly root: string | null;
  /** Key points per object and numbers per key point; `null` for sets without key points. */
  readonly keypoints: readonly [count: number, dims: number] | null;
  readonly findings: readonly Finding[];
}

const maxConfigBytes = 1024 * 1024;

/** Returns the YAML files directly in the folder (up to 1 MiB), data.yaml first. */
export function yamlFiles(tree: SourceTree): string[] {
  const files = tree.files.flatMap(({ path, bytes }) =>
    /^[^/]+\.ya?ml$/i.test(path) && bytes <= maxConfigBytes ? [path] : [],
  );
  return files.sort((a, b) => Number(/^data\.ya?ml$/i.test(b)) - Number(/^data\.ya?ml$/i.test(a)));
}

/**
 * Returns the paths of the class lists of older tools (one name per line) that exist: `classes.txt`, `obj.names`, ….
 */
export function classFiles(tree: SourceTree): string[] {
  return ['classes.txt', 'labels/classes.txt', 'obj.names', '_darknet.labels'].filter((path) =>
    tree.has(path),
  );
}

/**
 * Reads a YAML file as the configuration of a set; an unreadable file gives an empty configuration with a finding.
 * Never throws.
 */
export async function readConfig(tree: SourceTree, path: string): Promise<YoloConfig> {
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(await tree.text(path, maxConfigBytes), { maxAliasCount: 0 });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.split('\n', 1)[0] : String(thrown);
    return emptyConfig(path, [unreadFinding(path, reason)]);
  }
  if (!isObject(value)) return emptyConfig(path, []);
  const names = parseNames(value.names);
  const count = typeof value.nc === 'number' ? value.nc : null;
  const splits = ['train', 'val', 'test'].flatMap((split) =>
    parseEntries(value[split] ?? (split === 'val' ? value.validation : undefined)).map((entry) => ({
      split,
      entry,
    })),
  );
  const findings: Finding[] = [];
  if (names !== null && count !== null && names.size !== count)
    findings.push(
      yoloFinding('yolo_class_count_differs', path, `${path} has nc ${count} but ${names.size} class names`, {
        nc: count,
        names: names.size,
      }),
    );
  const isDataset = names !== null || (count !== null && splits.length > 0);
  if (isDataset) findings.push(...keyFindings(path, value, names));
  return {
    path,
    isDataset,
    names,
    classes: names?.size ?? count,
    splits,
    root: typeof value.path === 'string' ? value.path : null,
    keypoints: parseKeypointShape(value.kpt_shape),
    findings,
  };
}

/** Reads a class list with one name per line as the configuration of a set; blank lines at the end are ignored. */
export async function readClassFile(tree: SourceTree, path: string): Promise<YoloConfig> {
  const lines = (await tree.text(path, maxConfigBytes)).split(/\r?\n/);
  while (lines.length > 0 && lines[lines.length - 1].trim() === '') lines.pop();
  const names = new Map(lines.map((line, i) => [i, line.trim()]));
  return { ...emptyConfig(path, []), isDataset: true, names, classes: names.size };
}

function emptyConfig(path: string, findings: readonly Finding[]): YoloConfig {
  return {
    ...{ path, isDataset: false, names: null, classes: null },
    ...{ splits: [], root: null, keypoints: null, findings },
  };
}

/** Parses class names: a list, or a map from index to name; `null` for anything else. */
function parseNames(value: unknown): Map<number, string> | null {
  if (Array.isArray(value)) return new Map(value.map((name, i) => [i, String(name)]));
  if (!isObject(value)) return null;
  const rows = Object.entries(value).map(([index, name]): [number, string] => [Number(index), String(name)]);
  return rows.every(([index]) => Number.isSafeInteger(index) && index >= 0) ? new Map(rows) : null;
}

function parseEntries(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function parseKeypointShape(value: unknown): readonly [number, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [count, dims] = value.map(Number);
  return Number.isSafeInteger(count) && count > 0 && (dims === 2 || dims === 3) ? [count, dims] : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns findings about keys that training needs before it reads any picture. */
function keyFindings(
  path: string,
  value: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<number, string> | null,
): Finding[] {
  const findings: Finding[] = [];
  const lacking = [
    ...('train' in value ? [] : ['train']),
    ...('val' in value || 'validation' in value ? [] : ['val']),
  ];
  if (lacking.length > 0)
    findings.push(yoloFinding('yolo_split_unnamed', path, `${path} lacks ${lacking.join(' and ')}`));
  const beyond = [...(names?.keys() ?? [])].filter((index) => index >= (names?.size ?? 0));
  if (beyond.length > 0) {
    const message = `${path} names ${names?.size} classes, but one has the number ${beyond[0]}`;
    findings.push(yoloFinding('yolo_names_with_gaps', path, message));
  }
  return findings;
}

function unreadFinding(path: string, reason: string): Finding {
  return yoloFinding('yolo_yaml_unreadable', path, `${path} is not valid YAML: ${reason}`);
}

/**
 * Returns the paths of a picture's label file as Ultralytics searches them: the last `images` folder replaced by
 * `labels`, then next to the picture.
 */
function labelPaths(picture: string): string[] {
  const stem = picture.replace(/\.[^./]+$/, '');
  const swapped = `/${stem}`.replace(/^(.*)\/images\//i, '$1/labels/').slice(1);
  return swapped === stem ? [`${stem}.txt`] : [`${swapped}.txt`, `${stem}.txt`];
}

/** Returns the label file of a picture, in `labels/` for `images/` or beside it; `null` if it has none. */
export function findLabelFile(tree: SourceTree, picture: string): string | null {
  return labelPaths(picture).find((path) => tree.has(path)) ?? null;
}

/** Matches a label line: a class and at least four numbers. */
export const labelLinePattern = /^\s*\d+(?:\.0*)?(?:\s+[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?){4,}\s*$/i;
