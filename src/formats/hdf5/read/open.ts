import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { Dataset, DatasetFacts, Recognition, WorkUnit } from '../../shared/reader.ts';
import { alohaBreach, alohaEncoded } from '../rules/aloha/contract.ts';
import type { AlohaReader } from '../rules/aloha/readers.ts';
import type { AlohaOutline } from './aloha/aloha-outline.ts';
import {
  type FileLook,
  lookAtFiles,
  pictureIn,
  picturesIn,
  readUnit,
  type SeenRecording,
} from './read-unit.ts';

/** A file a work unit. */
export async function openHdf5Set(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const looks = await lookAtFiles(tree);
  const recordings = looks.flatMap((look) => (look.kind === 'recording' ? [look.recording] : []));
  if (recordings.length === 0) throw nothingRead(looks);
  const aloha = alohaSetOf(looks);
  const units = unitsOf(looks, aloha);
  return {
    facts: factsOf(recordings, aloha),
    recognition: { ...recognition, evidence: [...recognition.evidence, ...evidenceOf(recordings)] },
    findings: [...condensed(looks.flatMap(findingsOf)), ...aloha.findings, ...conventionsOf(recordings)],
    units,
    read: (unit, options) => readUnit(tree, unit, options),
    picturesAt: (wanted) => pictureIn(tree, units, wanted),
    pictures: (wanted) => picturesIn(tree, units, wanted),
    close: async () => {},
  };
}

/** Unreadable files count as an episode that is not there; files of unknown layout are no recordings. */
function unitsOf(looks: readonly FileLook[], aloha: AlohaSet): WorkUnit[] {
  let first_index = 0;
  return looks.flatMap((look): WorkUnit[] => {
    if (look.kind === 'unknown') return [];
    const expected_episodes = look.kind === 'recording' ? look.recording.episodes.length : 1;
    const look_bytes = look.kind === 'recording' ? look.recording.look_bytes : 0;
    const unit = {
      id: look.path,
      expected_episodes,
      first_index,
      bytes: look.bytes,
      look_bytes,
      // What only all files together show of this one.
      selector: aloha.files.get(look.path) ?? [],
    };
    first_index += expected_episodes;
    return expected_episodes === 0 ? [] : [unit];
  });
}

function findingsOf(look: FileLook): readonly Finding[] {
  if (look.kind === 'unknown') return [look.finding];
  return look.kind === 'recording' ? look.recording.findings : [];
}

const shownOfACode = 8;

/** A folder of a thousand files says each thing a few times, and then how often more. */
function condensed(findings: readonly Finding[]): Finding[] {
  return [...Map.groupBy(findings, ({ code }) => code)].flatMap(([code, own]) => {
    const more = own.length - shownOfACode;
    if (more <= 0) return own;
    const message = `${more} more files: the same kind as above (${code})`;
    const surplus: Finding = { ...own[0], path: null, message, advice: 'see the first ones' };
    return [...own.slice(0, shownOfACode), surplus];
  });
}

/** Each once, however many files it holds for. */
function conventionsOf(recordings: readonly SeenRecording[]): Finding[] {
  const all = recordings.flatMap(({ conventions }) => conventions);
  return [...Map.groupBy(all, ({ message }) => message).values()].map(([finding]) => ({
    ...finding,
    path: null,
  }));
}

function factsOf(recordings: readonly SeenRecording[], aloha: AlohaSet): DatasetFacts {
  const versionOf = (one: SeenRecording) => (one.aloha && aloha.version) ?? one.family;
  const totals = recordings.map(({ declared_frames }) => declared_frames);
  return {
    format: 'hdf5',
    version: [...new Set(recordings.map(versionOf))].join(', '),
    declared_episodes: null,
    declared_frames: totals.includes(null)
      ? null
      : totals.reduce<number>((sum, total) => sum + (total ?? 0), 0),
    declared_rate_hz: agreed(recordings.map((recording) => recording.declared_rate_hz)),
    robot: agreed(recordings.map(({ robot }) => robot)),
    declared_cameras: [...new Set(recordings.flatMap(({ cameras }) => cameras))],
  };
}

/** What all files say; null where they differ. */
function agreed<T>(values: readonly (T | null)[]): T | null {
  return values.every((value) => value === values[0]) ? values[0] : null;
}

function evidenceOf(recordings: readonly SeenRecording[]): string[] {
  const byFamily = Map.groupBy(recordings, ({ family }) => family);
  return [...byFamily].map(([family, own]) => {
    const more = own.length === 1 ? '' : `, and so ${own.length - 1} more`;
    return `${family}: ${own[0].evidence}${more}`;
  });
}

function nothingRead(looks: readonly FileLook[]): AssayError {
  const broken = looks.find((look) => look.kind === 'unreadable');
  if (broken !== undefined && looks.length === 1) return broken.error;
  const said = looks.slice(0, 3).map((look) => {
    if (look.kind === 'unknown') return look.finding.message;
    return look.kind === 'unreadable' ? look.error.message : '';
  });
  const more = looks.length > 3 ? `; ${looks.length - 3} more files are no better` : '';
  const unknown = looks.find((look) => look.kind === 'unknown');
  const advice = unknown?.finding.advice ?? broken?.error.advice ?? 'repair the files';
  const code = unknown === undefined ? 'unreadable_input' : 'not_recognised';
  return new AssayError(code, `${said.join('; ')}${more}`, { path: looks[0].path, advice });
}

/** What the files of an ALOHA set show together: of the set, and of single files by path. */
interface AlohaSet {
  /** As the facts say it; null: no file of the set is ALOHA's. */
  readonly version: string | null;
  readonly findings: readonly Finding[];
  readonly files: ReadonlyMap<string, readonly Finding[]>;
}

interface Outlined {
  readonly path: string;
  readonly aloha: AlohaOutline;
}

function alohaSetOf(looks: readonly FileLook[]): AlohaSet {
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

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The number by which ACT asks for a file, as Python writes it; null: it never asks for it. */
function numberOf(path: string): number | null {
  const digits = /^episode_(0|[1-9]\d{0,14})\.hdf5$/.exec(baseOf(path))?.[1];
  return digits === undefined ? null : Number(digits);
}

const isPlain = (path: string): boolean => /^(?!.*features).*\.hdf5$/.test(baseOf(path));

/** Names of the files of a set against those that its reader asks for. */
function nameFindings(reader: AlohaReader, paths: readonly string[]): Finding[] {
  const isTaken = (path: string) => (reader === 'ACT' ? numberOf(path) !== null : isPlain(path));
  const taken = paths.filter(isTaken);
  const left = paths.filter((path) => !isTaken(path));
  const findings = reader === 'ACT' ? numberFindings(taken) : [];
  if (!paths.some(isPlain)) {
    const message = `${reader} takes none of ${paths.length} files: ${paths.slice(0, 4).join(', ')}`;
    findings.push(...alohaBreach(reader, 'aloha_no_file_taken', null, message));
  } else if (taken.length > 0 && left.length > 0) {
    const message = `${reader} does not take ${left.length} of ${paths.length} files: ${left.slice(0, 4).join(', ')}`;
    findings.push(
      ...alohaBreach(reader, 'aloha_file_not_taken', null, message, { files: left.slice(0, 20) }),
    );
  }
  return findings;
}

function numberFindings(taken: readonly string[]): Finding[] {
  const folders = new Set(taken.map((path) => path.slice(0, -baseOf(path).length)));
  const numbers = new Set(taken.map((path) => numberOf(path)!));
  const count = [...numbers].reduce((most, number) => Math.max(most, number + 1), 0);
  if (numbers.size === count && folders.size === 1) return [];
  let first = 0;
  while (numbers.has(first)) first++;
  const message =
    folders.size > 1
      ? `numbered files lie in ${folders.size} folders`
      : `episode_${first}.hdf5 is not there${count === 0 ? '' : `; files go up to episode_${count - 1}.hdf5`}`;
  return alohaBreach('ACT', 'aloha_numbering', null, message, { files: taken.length });
}
