import type { StreamRole } from '#core/episode';
import { sqlName } from '../../../shared/parquet/duck.ts';
import type { ParquetColumn } from '../../../shared/parquet/footer.ts';
import { bookkeeping, type Feature } from '../../metadata/info.ts';

/** How one numeric feature is read from a data file. */
export interface ColumnPlan {
  readonly feature: Feature;
  readonly role: StreamRole;
  readonly shape: 'scalar' | 'list';
  /** Numbers a row as declared. */
  readonly dims: number;
  readonly precision: 'float32' | 'float64';
  readonly sql: string;
}

/** A column of pictures. */
export interface PicturePlan {
  readonly feature: Feature;
  /** Expressions for the payload and the path, `NULL` where the column has none. */
  readonly bytes: string;
  readonly path: string;
}

/** What of a data file is read, and how the file differs from what the set declares. */
export interface FilePlan {
  readonly columns: readonly ColumnPlan[];
  readonly pictures: readonly PicturePlan[];
  /** Declared columns without numbers that the file carries: texts, language. */
  readonly texts: readonly Feature[];
  readonly has: ReadonlySet<string>;
  /** Expression for the stamps; null without a column that can be one. */
  readonly stamp: string | null;
  readonly missing: readonly string[];
  readonly undeclared: readonly string[];
  /** Columns whose type cannot be read as declared. */
  readonly unreadable: readonly string[];
}

const narrow = /^(FLOAT|BOOLEAN|U?TINYINT|U?SMALLINT)$/;
const numeric = /^(FLOAT|DOUBLE|BOOLEAN|U?TINYINT|U?SMALLINT|U?INTEGER|U?BIGINT|U?HUGEINT|DECIMAL\(.*\))$/;

export function planFile(
  features: ReadonlyMap<string, Feature>,
  columns: readonly ParquetColumn[],
): FilePlan {
  const has = new Set(columns.map((column) => column.name));
  const stored = [...features.values()].filter((feature) => feature.dtype !== 'video');
  const types = new Map(columns.map((column) => [column.name, column.type]));
  const plan = {
    columns: [] as ColumnPlan[],
    pictures: [] as PicturePlan[],
    texts: [] as Feature[],
    unreadable: [] as string[],
  };
  for (const feature of stored) {
    const type = types.get(feature.key);
    if (type === undefined || bookkeeping.has(feature.key)) continue;
    const picture = picturePlan(feature, type);
    const column = columnPlan(feature, type);
    if (feature.dtype === 'image' && picture !== null) plan.pictures.push(picture);
    else if (column !== null) plan.columns.push(column);
    else if (/^(VARCHAR|STRUCT|MAP)/.test(type) || feature.dtype === 'string' || feature.dtype === 'language')
      plan.texts.push(feature);
    else plan.unreadable.push(`${feature.key} (${type})`);
  }
  const missing = stored.map((feature) => feature.key).filter((key) => !has.has(key));
  const undeclared = [...has].filter((name) => !features.has(name));
  const stamp = stampOf(types.get('timestamp'));
  return { ...plan, has, stamp, missing, undeclared };
}

function stampOf(type: string | undefined): string | null {
  if (type === undefined) return null;
  return type === 'FLOAT' || type === 'DOUBLE' ? '"timestamp"' : 'TRY_CAST("timestamp" AS DOUBLE)';
}

function columnPlan(feature: Feature, type: string): ColumnPlan | null {
  const depth = (type.match(/\[\d*\]/g) ?? []).length;
  const base = type.replaceAll(/\[\d*\]/g, '');
  if (!numeric.test(base)) return null;
  const precision = narrow.test(base) ? 'float32' : 'float64';
  const wanted = precision === 'float32' ? 'FLOAT' : 'DOUBLE';
  const role = roleOf(feature.key);
  const name = sqlName(feature.key);
  const dims = feature.shape.reduce((product, size) => product * size, 1);
  if (depth === 0) {
    const sql = base === wanted ? name : `${name}::${wanted}`;
    return { feature, role, shape: 'scalar', dims: 1, precision, sql };
  }
  let sql = name;
  for (let level = 1; level < depth; level++) sql = `flatten(${sql})`;
  if (base !== wanted) sql = `${sql}::${wanted}[]`;
  return { feature, role, shape: 'list', dims, precision, sql };
}

function picturePlan(feature: Feature, type: string): PicturePlan | null {
  const name = sqlName(feature.key);
  if (type === 'BLOB') return { feature, bytes: name, path: 'NULL::VARCHAR' };
  if (!type.startsWith('STRUCT')) return null;
  const bytes = /\bbytes"? BLOB/.test(type) ? `${name}.bytes` : 'NULL::BLOB';
  const path = /\bpath"? VARCHAR/.test(type) ? `${name}.path` : 'NULL::VARCHAR';
  return { feature, bytes, path };
}

const roles: readonly (readonly [RegExp, StreamRole])[] = [
  [/^action/, 'action'],
  [/reward/, 'reward'],
  [/^(annotation|language|subtask|next\.(done|success|truncated)|is_(first|last|terminal))/, 'annotation'],
  [/(effort|torque|current|wrench|force)/, 'effort'],
  [/tactile/, 'tactile'],
  [/(^|[._])(imu|accel\w*|gyro\w*)/, 'imu'],
  [/(^|[._])(gps|gnss)/, 'gnss'],
  [/(^|[._])odom/, 'odometry'],
  [/(^|[._])audio/, 'audio'],
  [/^observation\.environment_state/, 'other'],
  [/^observation\.(state|qpos|qvel|joint|eef|ee_|pose|position|velocit|gripper|proprio)/, 'state'],
  [/^(state|qpos|joint|proprio)/, 'state'],
];

/** The library tells features apart by their key alone; this follows it, and names sensors where the key does. */
export function roleOf(key: string): StreamRole {
  return roles.find(([pattern]) => pattern.test(key))?.[1] ?? 'other';
}
