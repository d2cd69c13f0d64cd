import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { Dataset, DatasetFacts, Recognition, WorkUnit } from '../shared/reader.ts';
import { type AlohaReader, alohaEncoded, alohaViolation } from './aloha-rules.ts';
import type { AlohaOutline } from './family.ts';
import {
  type FileInspection,
  inspectFiles,
  type RecordingSummary,
  readEmbeddedPicture,
  readUnit,
  streamPictures,
} from './read-unit.ts';

/**
 * Opens HDF5 files as a dataset with one work unit per file; files that cannot be read yield unreadable episodes, and
 * it throws if none can.
 * @throws AssayError if no file can be read
 */
export async function openHdf5Set(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const inspections = await inspectFiles(tree);
  const recordings = inspections.flatMap((inspection) =>
    inspection.kind === 'recording' ? [inspection.recording] : [],
  );
  if (recordings.length === 0) throw unreadableError(inspections);
  const aloha = checkAlohaSet(inspections);
  const units = buildUnits(inspections, aloha);
  return {
    facts: buildFacts(recordings, aloha),
    recognition: { ...recognition, evidence: [...recognition.evidence, ...describeFamilies(recordings)] },
    findings: [
      ...limitPerCode(inspections.flatMap(inspectionFindings)),
      ...aloha.findings,
      ...uniqueConventions(recordings),
    ],
    units,
    read: (unit, options) => readUnit(tree, unit, options),
    picturesAt: (request) => readEmbeddedPicture(tree, units, request),
    pictures: (request) => streamPictures(tree, units, request),
    close: async () => {},
  };
}

/**
 * Builds the work units. Unreadable files count as one missing episode each; files of unknown layout are no recordings.
 */
function buildUnits(inspections: readonly FileInspection[], aloha: AlohaSet): WorkUnit[] {
  let first_index = 0;
  return inspections.flatMap((inspection): WorkUnit[] => {
    if (inspection.kind === 'unknown') return [];
    const expected_episodes = inspection.kind === 'recording' ? inspection.recording.episodes.length : 1;
    const look_bytes = inspection.kind === 'recording' ? inspection.recording.look_bytes : 0;
    const unit = {
      id: inspection.path,
      expected_episodes,
      first_index,
      bytes: inspection.bytes,
      look_bytes,
      // Findings that only the comparison of all files shows.
      selector: aloha.files.get(inspection.path) ?? [],
    };
    first_index += expected_episodes;
    return expected_episodes === 0 ? [] : [unit];
  });
}

function inspectionFindings(inspection: FileInspection): readonly Finding[] {
  if (inspection.kind === 'unknown') return [inspection.finding];
  return inspection.kind === 'recording' ? inspection.recording.findings : [];
}

const maxFindingsPerCode = 8;

/** Keeps the first `maxFindingsPerCode` findings per code and replaces the rest by one finding with their number. */
function limitPerCode(findings: readonly Finding[]): Finding[] {
  return [...Map.groupBy(findings, ({ code }) => code)].flatMap(([code, sameCode]) => {
    const more = sameCode.length - maxFindingsPerCode;
    if (more <= 0) return sameCode;
    const message = `${more} more files with the same finding (${code})`;
    const surplus: Finding = { ...sameCode[0], path: null, message, advice: 'see the first findings' };
    return [...sameCode.slice(0, maxFindingsPerCode), surplus];
  });
}

/** Returns each convention finding once, however many files it applies to. */
function uniqueConventions(recordings: readonly RecordingSummary[]): Finding[] {
  const all = recordings.flatMap(({ conventions }) => conventions);
  return [...Map.groupBy(all, ({ message }) => message).values()].map(([finding]) => ({
    ...finding,
    path: null,
  }));
}

function buildFacts(recordings: readonly RecordingSummary[], aloha: AlohaSet): DatasetFacts {
  const familyVersion = (recording: RecordingSummary) =>
    (recording.aloha && aloha.version) ?? recording.family;
  const totals = recordings.map(({ declared_frames }) => declared_frames);
  return {
    format: 'hdf5',
    version: [...new Set(recordings.map(familyVersion))].join(', '),
    declared_episodes: null,
    declared_frames: totals.includes(null)
      ? null
      : totals.reduce<number>((sum, total) => sum + (total ?? 0), 0),
    declared_rate_hz: commonValue(recordings.map((recording) => recording.declared_rate_hz)),
    robot: commonValue(recordings.map(({ robot }) => robot)),
    declared_cameras: [...new Set(recordings.flatMap(({ cameras }) => cameras))],
  };
}

/** Returns the value that all files share, or `null` if they differ. */
function commonValue<T>(values: readonly (T | null)[]): T | null {
  return values.every((value) => value === values[0]) ? values[0] : null;
}

function describeFamilies(recordings: readonly RecordingSummary[]): string[] {
  const byFamily = Map.groupBy(recordings, ({ family }) => family);
  return [...byFamily].map(([family, members]) => {
    const more = members.length === 1 ? '' : `, and ${members.length - 1} more like it`;
    return `${family}: ${members[0].evidence}${more}`;
  });
}

function unreadableError(inspections: readonly FileInspection[]): AssayError {
  const broken = inspections.find((inspection) => inspection.kind === 'unreadable');
  if (broken !== undefined && inspections.length === 1) return broken.error;
  const messages = inspections.slice(0, 3).map((inspection) => {
    if (inspection.kind === 'unknown') return inspection.finding.message;
    return inspection.kind === 'unreadable' ? inspection.error.message : '';
  });
  const more = inspections.length > 3 ? `; ${inspections.length - 3} more files cannot be read either` : '';
  const unknown = inspections.find((inspection) => inspection.kind === 'unknown');
  const advice = unknown?.finding.advice ?? broken?.error.advice ?? 'repair the files';
  const code = unknown === undefined ? 'unreadable_input' : 'not_recognised';
  return new AssayError(code, `${messages.join('; ')}${more}`, { path: inspections[0].path, advice });
}

/** Result of comparing the files of an ALOHA dataset. */
interface AlohaSet {
  /** Version for the dataset's facts; `null` if no file is ALOHA's. */
  readonly version: string | null;
  readonly findings: readonly Finding[];
  readonly files: ReadonlyMap<string, readonly Finding[]>;
}

interface AlohaFile {
  readonly path: string;
  readonly aloha: AlohaOutline;
}

function checkAlohaSet(inspections: readonly FileInspection[]): AlohaSet {
  const all = inspections.flatMap((inspection): AlohaFile[] => {
    const aloha = inspection.kind === 'recording' ? inspection.recording.aloha : undefined;
    return aloha === undefined ? [] : [{ path: inspection.path, aloha }];
  });
  if (all.length === 0) return { version: null, findings: [], files: new Map() };
  const reader = all.some(({ aloha }) => aloha.reader === 'act-plus-plus') ? 'act-plus-plus' : 'act';
  const paths = inspections.flatMap(({ kind, path }) => (kind === 'unknown' ? [] : [path]));
  return {
    version: reader === 'act' ? 'aloha' : alohaEncoded,
    findings: [
      ...nameFindings(reader, paths),
      ...lengthFindings(reader, all),
      ...pictureFindings(reader, all),
    ],
    files: new Map(
      all.map((file) => [
        file.path,
        [...widthFindings(reader, file, all), ...cameraFindings(reader, file, all)],
      ]),
    ),
  };
}

function lengthFindings(reader: AlohaReader, all: readonly AlohaFile[]): Finding[] {
  const rows = ({ aloha }: AlohaFile) => `${aloha.action[0]} and ${aloha.qpos[0]}`;
  const common = mostCommon(all.map(rows));
  const other = all.filter((file) => rows(file) !== common);
  if (other.length === 0) return [];
  const listed = other.slice(0, 4).map((file) => `${file.path} ${rows(file)}`);
  const message = `action and qpos have ${common} rows in most of ${all.length} files, but ${other.length} differ: ${listed.join(', ')}`;
  const files = other.slice(0, 20).map(({ path }) => path);
  return alohaViolation(reader, 'aloha_lengths_differ', null, message, { files });
}

function pictureFindings(reader: AlohaReader, all: readonly AlohaFile[]): Finding[] {
  const mixed = all.find(({ aloha }) => new Set(Object.values(aloha.sizes).map(shapeText)).size > 1);
  const mismatched = all.filter(
    ({ aloha }) => aloha.declares_encoded !== aloha.has_encoded && aloha.cameras.length > 0,
  );
  const findings: Finding[] = [];
  if (mixed !== undefined) {
    const sizes = Object.entries(mixed.aloha.sizes).map(([name, size]) => `${name} ${shapeText(size)}`);
    const message = `${mixed.path}: camera image sizes differ: ${sizes.slice(0, 6).join(', ')}`;
    findings.push(...alohaViolation(reader, 'aloha_camera_sizes_mixed', mixed.path, message));
  }
  if (mismatched.length > 0) {
    const [{ path, aloha }] = mismatched;
    const message = `${path}: images are ${aloha.has_encoded ? 'encoded' : 'raw pixels'}, but the attribute compress is ${aloha.declares_encoded ? 'true' : 'not set'}; this affects ${mismatched.length} of ${all.length} files`;
    findings.push(...alohaViolation(reader, 'aloha_compress_attribute', path, message));
  }
  return findings;
}

function widthFindings(
  reader: AlohaReader,
  { path, aloha }: AlohaFile,
  all: readonly AlohaFile[],
): Finding[] {
  const width = ({ action, qpos }: AlohaOutline) =>
    `${shapeText(action.slice(1))} and ${shapeText(qpos.slice(1))}`;
  const common = mostCommon(all.map((file) => width(file.aloha)));
  if (width(aloha) === common) return [];
  const message = `${path}: rows of action and qpos have ${width(aloha)} numbers, but ${common} in most files`;
  return alohaViolation(reader, 'aloha_width_differs', path, message);
}

function cameraFindings(
  reader: AlohaReader,
  { path, aloha }: AlohaFile,
  all: readonly AlohaFile[],
): Finding[] {
  const counts = new Map<string, number>();
  for (const name of all.flatMap((file) => file.aloha.cameras)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const present = new Set(aloha.cameras);
  const missing = [...counts].flatMap(([name, count]) =>
    2 * count > all.length && !present.has(name) ? [name] : [],
  );
  const other = Object.entries(aloha.sizes).flatMap(([name, size]) => {
    const common = mostCommon(
      all.flatMap((file) => (name in file.aloha.sizes ? [shapeText(file.aloha.sizes[name])] : [])),
    );
    return shapeText(size) === common ? [] : [`${name} ${shapeText(size)} instead of ${common}`];
  });
  const findings: Finding[] = [];
  if (missing.length > 0) {
    const message = `${path} lacks cameras that most files have: ${missing.slice(0, 4).join(', ')}`;
    findings.push(
      ...alohaViolation(reader, 'aloha_camera_missing', path, message, { missing: missing.slice(0, 20) }),
    );
  }
  if (other.length > 0) {
    const message = `${path}: image sizes differ from most files: ${other.slice(0, 4).join(', ')}`;
    findings.push(...alohaViolation(reader, 'aloha_camera_size_differs', path, message));
  }
  return findings;
}

const shapeText = (shape: readonly number[]): string => (shape.length === 0 ? '1' : shape.join(' x '));

/** Returns the most frequent text; the first of several. */
function mostCommon(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const item of texts) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the episode number in a file name as ACT builds it; `null` if ACT never opens such a name. */
function episodeNumber(path: string): number | null {
  const digits = /^episode_(0|[1-9]\d{0,14})\.hdf5$/.exec(fileName(path))?.[1];
  return digits === undefined ? null : Number(digits);
}

const isHdf5Name = (path: string): boolean => /^(?!.*features).*\.hdf5$/.test(fileName(path));

const titleOf = (reader: AlohaReader): string => (reader === 'act' ? 'ACT' : reader);

/** Compares file names with those that the reader opens. */
function nameFindings(reader: AlohaReader, paths: readonly string[]): Finding[] {
  const isTaken = (path: string) => (reader === 'act' ? episodeNumber(path) !== null : isHdf5Name(path));
  const taken = paths.filter(isTaken);
  const ignored = paths.filter((path) => !isTaken(path));
  const findings = reader === 'act' ? numberFindings(taken) : [];
  if (!paths.some(isHdf5Name)) {
    const message = `${titleOf(reader)} reads none of ${paths.length} files: ${paths.slice(0, 4).join(', ')}`;
    findings.push(...alohaViolation(reader, 'aloha_no_file_taken', null, message));
  } else if (taken.length > 0 && ignored.length > 0) {
    const message = `${titleOf(reader)} does not read ${ignored.length} of ${paths.length} files: ${ignored.slice(0, 4).join(', ')}`;
    findings.push(
      ...alohaViolation(reader, 'aloha_file_not_taken', null, message, { files: ignored.slice(0, 20) }),
    );
  }
  return findings;
}

function numberFindings(taken: readonly string[]): Finding[] {
  const folders = new Set(taken.map((path) => path.slice(0, -fileName(path).length)));
  const numbers = new Set(taken.map((path) => episodeNumber(path)!));
  const count = [...numbers].reduce((max, number) => Math.max(max, number + 1), 0);
  if (numbers.size === count && folders.size === 1) return [];
  let first = 0;
  while (numbers.has(first)) first++;
  const message =
    folders.size > 1
      ? `numbered files are spread over ${folders.size} folders`
      : `episode_${first}.hdf5 is missing${count === 0 ? '' : `; the highest number is episode_${count - 1}.hdf5`}`;
  return alohaViolation('act', 'aloha_numbering', null, message, { files: taken.length });
}
