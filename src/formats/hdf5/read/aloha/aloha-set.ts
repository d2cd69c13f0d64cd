import type { Finding } from '#core/episode';
import { alohaBreach, alohaEncoded } from '../../rules/aloha/contract.ts';
import type { AlohaReader } from '../../rules/aloha/readers.ts';
import type { FileLook } from '../look.ts';
import { nameFindings } from './aloha-names.ts';
import type { AlohaOutline } from './aloha-outline.ts';

/** What the files of an ALOHA set show together: of the set, and of single files by path. */
export interface AlohaSet {
  /** As the facts say it; null: no file of the set is ALOHA's. */
  readonly version: string | null;
  readonly findings: readonly Finding[];
  readonly files: ReadonlyMap<string, readonly Finding[]>;
}

interface Outlined {
  readonly path: string;
  readonly aloha: AlohaOutline;
}

export function alohaSetOf(looks: readonly FileLook[]): AlohaSet {
  const all = looks.flatMap((look): Outlined[] => {
    const aloha = look.kind === 'recording' ? look.recording.aloha : undefined;
    return aloha === undefined ? [] : [{ path: look.path, aloha }];
  });
  if (all.length === 0) return { version: null, findings: [], files: new Map() };
  const reader = all.some(({ aloha }) => aloha.reader === 'act-plus-plus') ? 'act-plus-plus' : 'ACT';
  const paths = looks.flatMap(({ kind, path }) => (kind === 'unknown' ? [] : [path]));
  return {
    version: reader === 'ACT' ? 'aloha' : alohaEncoded,
    findings: [
      ...nameFindings(reader, paths),
      ...lengthFindings(reader, all),
      ...pictureFindings(reader, all),
    ],
    files: new Map(
      all.map((one) => [one.path, [...widthFindings(reader, one, all), ...cameraFindings(reader, one, all)]]),
    ),
  };
}

function lengthFindings(reader: AlohaReader, all: readonly Outlined[]): Finding[] {
  const rows = ({ aloha }: Outlined) => `${aloha.action[0]} and ${aloha.qpos[0]}`;
  const usual = mostCommon(all.map(rows));
  const other = all.filter((one) => rows(one) !== usual);
  if (other.length === 0) return [];
  const said = other.slice(0, 4).map((one) => `${one.path} ${rows(one)}`);
  const message = `action and qpos have ${usual} rows in most of ${all.length} files, not in ${other.length}: ${said.join(', ')}`;
  const files = other.slice(0, 20).map(({ path }) => path);
  return alohaBreach(reader, 'aloha_lengths_differ', null, message, { files });
}

function pictureFindings(reader: AlohaReader, all: readonly Outlined[]): Finding[] {
  const mixed = all.find(({ aloha }) => new Set(Object.values(aloha.sizes).map(text)).size > 1);
  const untrue = all.filter(
    ({ aloha }) => aloha.says_encoded !== aloha.has_encoded && aloha.cameras.length > 0,
  );
  const findings: Finding[] = [];
  if (mixed !== undefined) {
    const sizes = Object.entries(mixed.aloha.sizes).map(([name, size]) => `${name} ${text(size)}`);
    const message = `${mixed.path}: cameras differ in size: ${sizes.slice(0, 6).join(', ')}`;
    findings.push(...alohaBreach(reader, 'aloha_camera_sizes_mixed', mixed.path, message));
  }
  if (untrue.length > 0) {
    const [{ path, aloha }] = untrue;
    const message = `${path}: pictures are ${aloha.has_encoded ? 'encoded' : 'pixels'}, compress is ${aloha.says_encoded ? 'true' : 'not'}; so in ${untrue.length} of ${all.length} files`;
    findings.push(...alohaBreach(reader, 'aloha_compress_attribute', path, message));
  }
  return findings;
}

function widthFindings(reader: AlohaReader, { path, aloha }: Outlined, all: readonly Outlined[]): Finding[] {
  const width = ({ action, qpos }: AlohaOutline) => `${text(action.slice(1))} and ${text(qpos.slice(1))}`;
  const usual = mostCommon(all.map((one) => width(one.aloha)));
  if (width(aloha) === usual) return [];
  const message = `${path}: rows of action and qpos hold ${width(aloha)} numbers, in most files ${usual}`;
  return alohaBreach(reader, 'aloha_width_differs', path, message);
}

function cameraFindings(reader: AlohaReader, { path, aloha }: Outlined, all: readonly Outlined[]): Finding[] {
  const counts = new Map<string, number>();
  for (const name of all.flatMap((one) => one.aloha.cameras)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const own = new Set(aloha.cameras);
  const missing = [...counts].flatMap(([name, count]) =>
    2 * count > all.length && !own.has(name) ? [name] : [],
  );
  const other = Object.entries(aloha.sizes).flatMap(([name, size]) => {
    const usual = mostCommon(
      all.flatMap((one) => (name in one.aloha.sizes ? [text(one.aloha.sizes[name])] : [])),
    );
    return text(size) === usual ? [] : [`${name} ${text(size)} for ${usual}`];
  });
  const findings: Finding[] = [];
  if (missing.length > 0) {
    const message = `${path} lacks cameras that most files have: ${missing.slice(0, 4).join(', ')}`;
    findings.push(
      ...alohaBreach(reader, 'aloha_camera_missing', path, message, { missing: missing.slice(0, 20) }),
    );
  }
  if (other.length > 0) {
    const message = `${path}: pictures have another size than in most files: ${other.slice(0, 4).join(', ')}`;
    findings.push(...alohaBreach(reader, 'aloha_camera_size_differs', path, message));
  }
  return findings;
}

const text = (shape: readonly number[]): string => (shape.length === 0 ? '1' : shape.join(' x '));

/** Of several that are as common, the first. */
function mostCommon(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const one of texts) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}
