import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { yoloBreach } from './rules.ts';

/** What a data.yaml, or a list of classes in its place, says of a set. */
export interface YoloConfig {
  readonly path: string;
  /** False: a YAML file of something else. */
  readonly isDataset: boolean;
  /** By class index; null: no names are given. */
  readonly names: ReadonlyMap<number, string> | null;
  /** How many there are: of names, else nc; null where neither is said. */
  readonly classes: number | null;
  /** Folders and lists by split, as written. */
  readonly splits: readonly { readonly split: string; readonly entry: string }[];
  /** What the entries start from, as written; null where it is not said. */
  readonly root: string | null;
  /** Key points an object, and numbers each. */
  readonly keypoints: readonly [count: number, dims: number] | null;
  readonly findings: readonly Finding[];
}

const mostBytes = 1024 * 1024;

/** YAML files directly in the folder, the one called data.yaml first. */
export function yamlFiles(tree: SourceTree): string[] {
  const files = tree.files.flatMap(({ path, bytes }) =>
    /^[^/]+\.ya?ml$/i.test(path) && bytes <= mostBytes ? [path] : [],
  );
  return files.sort((a, b) => Number(/^data\.ya?ml$/i.test(b)) - Number(/^data\.ya?ml$/i.test(a)));
}

/** Lists of classes of older tools: a name a line. */
export function classFiles(tree: SourceTree): string[] {
  return ['classes.txt', 'labels/classes.txt', 'obj.names', '_darknet.labels'].filter((path) =>
    tree.has(path),
  );
}

/** Reads a YAML file as a set's description; whatever it is, this does not throw. */
export async function readConfig(tree: SourceTree, path: string): Promise<YoloConfig> {
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(await tree.text(path, mostBytes), { maxAliasCount: 0 });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.split('\n', 1)[0] : String(thrown);
    return nothing(path, [unreadFinding(path, reason)]);
  }
  if (!isObject(value)) return nothing(path, []);
  const names = namesOf(value.names);
  const count = typeof value.nc === 'number' ? value.nc : null;
  const splits = ['train', 'val', 'test'].flatMap((split) =>
    entriesOf(value[split] ?? (split === 'val' ? value.validation : undefined)).map((entry) => ({
      split,
      entry,
    })),
  );
  const findings: Finding[] = [];
  if (names !== null && count !== null && names.size !== count)
    findings.push(
      yoloBreach(
        'yolo_class_count_differs',
        path,
        `${path} says nc ${count} and names ${names.size} classes`,
        { nc: count, names: names.size },
      ),
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
    keypoints: keypointsOf(value.kpt_shape),
    findings,
  };
}

/** Classes of a list with a name a line. */
export async function readClassFile(tree: SourceTree, path: string): Promise<YoloConfig> {
  const lines = (await tree.text(path, mostBytes)).split(/\r?\n/);
  while (lines.length > 0 && lines[lines.length - 1].trim() === '') lines.pop();
  const names = new Map(lines.map((line, i) => [i, line.trim()]));
  return { ...nothing(path, []), isDataset: true, names, classes: names.size };
}

function nothing(path: string, findings: readonly Finding[]): YoloConfig {
  return {
    ...{ path, isDataset: false, names: null, classes: null },
    ...{ splits: [], root: null, keypoints: null, findings },
  };
}

/** A list, or a map from index to name. */
function namesOf(value: unknown): Map<number, string> | null {
  if (Array.isArray(value)) return new Map(value.map((name, i) => [i, String(name)]));
  if (!isObject(value)) return null;
  const rows = Object.entries(value).map(([index, name]): [number, string] => [Number(index), String(name)]);
  return rows.every(([index]) => Number.isSafeInteger(index) && index >= 0) ? new Map(rows) : null;
}

function entriesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function keypointsOf(value: unknown): readonly [number, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [count, dims] = value.map(Number);
  return Number.isSafeInteger(count) && count > 0 && (dims === 2 || dims === 3) ? [count, dims] : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What training needs of the file before it looks at any picture. */
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
    findings.push(yoloBreach('yolo_split_unnamed', path, `${path} does not name ${lacking.join(' and ')}`));
  const beyond = [...(names?.keys() ?? [])].filter((index) => index >= (names?.size ?? 0));
  if (beyond.length > 0) {
    const message = `${path} names ${names?.size} classes, and one of them is number ${beyond[0]}`;
    findings.push(yoloBreach('yolo_names_with_gaps', path, message));
  }
  return findings;
}

function unreadFinding(path: string, reason: string): Finding {
  return yoloBreach('yolo_yaml_unreadable', path, `${path} is not YAML: ${reason}`);
}
