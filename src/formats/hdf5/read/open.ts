import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import type { Dataset, DatasetFacts, Recognition, WorkUnit } from '../../shared/reader.ts';
import { type AlohaSet, alohaSetOf } from './aloha/aloha-set.ts';
import { type FileLook, lookAtFiles, type SeenRecording } from './look.ts';
import { pictureIn, picturesIn, readUnit } from './read-unit.ts';

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
