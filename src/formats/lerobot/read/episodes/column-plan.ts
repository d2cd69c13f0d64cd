import type { StreamRole } from '#core/episode';
import { sqlName } from '../../../shared/parquet/duck.ts';
import type { ParquetColumn } from '../../../shared/parquet/footer.ts';
import { bookkeepingColumns, type Feature } from '../../metadata/info.ts';

/** Plan for reading a numeric feature from a data file. */
export interface ColumnPlan {
  readonly feature: Feature;
  readonly role: StreamRole;
  readonly shape: 'scalar' | 'list';
  /** Declared values per row. */
  readonly dims: number;
  readonly precision: 'float32' | 'float64';
  readonly sql: string;
}

/** Plan for reading a picture column. */
export interface PicturePlan {
  readonly feature: Feature;
  /** SQL expression of the payload; `NULL` if there is none. */
  readonly bytes: string;
  /** SQL expression of the path; `NULL` if there is none. */
  readonly path: string;
}

/** Plan for reading a data file: the columns to read, and how the file differs from the declaration. */
export interface FilePlan {
  readonly columns: readonly ColumnPlan[];
  readonly pictures: readonly PicturePlan[];
  /** Declared non-numeric columns of the file: texts, language. */
  readonly texts: readonly Feature[];
  /** Columns of the file. */
  readonly has: ReadonlySet<string>;
  /** SQL expression of the timestamps; null without a timestamp column. */
  readonly stamp: string | null;
  readonly missing: readonly string[];
  readonly undeclared: readonly string[];
  /** Columns whose type cannot be read. */
  readonly unreadable: readonly string[];
}

/** SQL types that are read as float32; other numeric types as float64. */
const float32Types = /^(FLOAT|BOOLEAN|U?TINYINT|U?SMALLINT)$/;
const numericTypes =
  /^(FLOAT|DOUBLE|BOOLEAN|U?TINYINT|U?SMALLINT|U?INTEGER|U?BIGINT|U?HUGEINT|DECIMAL\(.*\))$/;

/**
 * Plans which columns of a data file are read as numbers, pictures or texts, and lists those that are missing,
 * undeclared or of an unreadable type. Videos and numbering columns are left out of the columns to read.
 */
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
    if (type === undefined || bookkeepingColumns.has(feature.key)) continue;
    const picture = planPicture(feature, type);
    const column = planColumn(feature, type);
    if (feature.dtype === 'image' && picture !== null) plan.pictures.push(picture);
    else if (column !== null) plan.columns.push(column);
    else if (/^(VARCHAR|STRUCT|MAP)/.test(type) || feature.dtype === 'string' || feature.dtype === 'language')
      plan.texts.push(feature);
    else plan.unreadable.push(`${feature.key} (${type})`);
  }
  const missing = stored.map((feature) => feature.key).filter((key) => !has.has(key));
  const undeclared = [...has].filter((name) => !features.has(name));
  const stamp = stampExpression(types.get('timestamp'));
  return { ...plan, has, stamp, missing, undeclared };
}

function stampExpression(type: string | undefined): string | null {
  if (type === undefined) return null;
  return type === 'FLOAT' || type === 'DOUBLE' ? '"timestamp"' : 'TRY_CAST("timestamp" AS DOUBLE)';
}

/** Plans a numeric column; null for other types. */
function planColumn(feature: Feature, type: string): ColumnPlan | null {
  const depth = (type.match(/\[\d*\]/g) ?? []).length;
  const base = type.replaceAll(/\[\d*\]/g, '');
  if (!numericTypes.test(base)) return null;
  const precision = float32Types.test(base) ? 'float32' : 'float64';
  const wanted = precision === 'float32' ? 'FLOAT' : 'DOUBLE';
  const role = inferRole(feature.key);
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

/** Plans a picture column; null for other types. */
function planPicture(feature: Feature, type: string): PicturePlan | null {
  const name = sqlName(feature.key);
  if (type === 'BLOB') return { feature, bytes: name, path: 'NULL::VARCHAR' };
  if (!type.startsWith('STRUCT')) return null;
  const bytes = /\bbytes"? BLOB/.test(type) ? `${name}.bytes` : 'NULL::BLOB';
  const path = /\bpath"? VARCHAR/.test(type) ? `${name}.path` : 'NULL::VARCHAR';
  return { feature, bytes, path };
}

const rolePatterns: readonly (readonly [RegExp, StreamRole])[] = [
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

/**
 * Returns the role of a feature by its key: `action` and `state` as the library does, `reward`, `annotation` or a
 * sensor; `other` if no pattern matches.
 */
export function inferRole(key: string): StreamRole {
  return rolePatterns.find(([pattern]) => pattern.test(key))?.[1] ?? 'other';
}
