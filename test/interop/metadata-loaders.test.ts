import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExportFormatId } from '#core/api';
import { assess } from '#engine/local';
import { exportDataset } from '#engine/local/export';
import { applyPlan, planFixes } from '#formats/fix';
import { bagBytes, bagMetadata, levels } from '../support/db3-files.ts';
import { temporaryFolder } from '../support/lerobot-set.ts';
import { cocoPlants } from '../support/plants/coco.ts';
import { writePlant } from '../support/plants/plant.ts';
import { tfdsPlants } from '../support/plants/tfds.ts';
import { askScript, isInstalled, type Libraries } from './python-worker.ts';

type Edit = (text: string) => string | Uint8Array;

/** An edit of a metadata file, whether the library of the format opens the recording then, and whether a fix can make it open. */
type Row = readonly [name: string, edit: Edit, library: 'opens' | 'refuses', fix?: 'unfixable'];

/** Puts a member into the first object of a text. */
const withMember = (member: string) => (text: string) => text.replace('{', `{${member}, `);
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const toCr = (text: string) => JSON.stringify(JSON.parse(text), null, 2).replaceAll('\n', '\r');

/** Edits that Python's `json` refuses, or that leave the values as they are; so it is for everybody who uses it. */
const jsonRows: readonly Row[] = [
  ['nothing', (text) => text, 'opens'],
  ['a byte order mark', (text) => `\ufeff${text}`, 'refuses'],
  ['UTF-16', utf16, 'refuses'],
  ['a comma before a bracket', (text) => text.replace(/\}(\s*)$/, ',}$1'), 'refuses'],
  ['text after the end of the document', (text) => `${text} end\n`, 'refuses'],
  ['zero bytes after the end', (text) => `${text}\0\0`, 'refuses'],
  ['a blank line at the end', (text) => `${text}\n\n`, 'opens'],
  ['lines that end with CR', toCr, 'opens'],
  ['2,000 lists in each other', withMember(`"deep": ${nested(2000)}`), 'refuses', 'unfixable'],
  ['an integer of 4,301 digits', withMember(`"big": ${'9'.repeat(4301)}`), 'refuses'],
  ['a text that is cut', (text) => text.slice(0, -9), 'refuses', 'unfixable'],
];

/** Edits that add what a reader of COCO files ignores. */
const cocoRows: readonly Row[] = [
  ...jsonRows,
  ['Latin-1', (text) => Buffer.from(withMember('"note": "\u00e9"')(text), 'latin1'), 'refuses'],
  ['NaN and Infinity', withMember('"a": NaN, "b": -Infinity'), 'opens'],
  ['NaN in a record', (text) => text.replace('"area":120', '"area":NaN'), 'opens'],
  ['a key twice', withMember('"images": [], "note": 1, "note": 2'), 'opens'],
  ['60 lists in each other', withMember(`"deep": ${nested(60)}`), 'opens'],
  ['an integer of 4,300 digits', withMember(`"big": ${'9'.repeat(4300)}`), 'opens'],
];

/** Protobuf knows the fields of the files of TFDS and refuses all others. */
const protobufRows: readonly Row[] = [
  ...jsonRows,
  ['Latin-1', (text) => Buffer.from(text.replace('{', '{"description": "\u00e9", '), 'latin1'), 'refuses'],
  ['an unknown field', withMember('"note": 1'), 'refuses'],
  ['an unknown field with NaN', withMember('"a": NaN, "b": -Infinity'), 'refuses'],
  ['an unknown field with 60 lists in each other', withMember(`"deep": ${nested(60)}`), 'refuses'],
  ['an unknown field of 4,300 digits', withMember(`"big": ${'9'.repeat(4300)}`), 'refuses'],
  ['a number instead of a text', withMember('"description": 1'), 'refuses'],
  ['a field with its name in proto files', withMember('"description": "d"'), 'opens'],
];

const infoRows: readonly Row[] = [
  ...protobufRows,
  ['a key twice', withMember('"name": "made_up"'), 'refuses'],
  ['NaN as an integer', (text) => text.replace('"numBytes":', '"numBytes":NaN,"downloadSize":'), 'refuses'],
  ['an integer of 20 digits', withMember(`"downloadSize": ${'9'.repeat(20)}`), 'refuses'],
  ['a field of an older name', withMember('"download_size": "5"'), 'opens'],
  ['a field that is null', withMember('"citation": null'), 'opens'],
];

const featureRows: readonly Row[] = [
  ...protobufRows,
  ['a key twice', withMember('"pythonClassName": "other"'), 'opens'],
];

const added = (line: string) => (text: string) => `${text}  ${line}\n`;
const without = (key: string) => (text: string) =>
  text.replace(new RegExp(`^  ${key}:.*\\n(?:    .*\\n)*`, 'm'), '');

const yamlRows: readonly Row[] = [
  ['nothing', (text) => text, 'opens'],
  ['a byte order mark', (text) => `\ufeff${text}`, 'opens'],
  ['UTF-16', utf16, 'refuses'],
  ['Latin-1', (text) => Buffer.from(added('note: \u00e9')(text), 'latin1'), 'refuses'],
  ['NaN and Infinity', added('a: .nan\n  b: -.inf'), 'opens'],
  ['a key twice', added('message_count: 9'), 'refuses'],
  ['a comma before a bracket', added('note: [1, 2,]'), 'opens'],
  ['text after the end of the document', (text) => `${text}end\n`, 'refuses'],
  ['a second document', (text) => `${text}---\nsecond: 1\n`, 'refuses'],
  ['zero bytes after the end', (text) => `${text}\0\0`, 'refuses'],
  ['a blank line at the end', (text) => `${text}\n\n`, 'opens'],
  ['lines that end with CR', (text) => text.replaceAll('\n', '\r'), 'opens'],
  ['a tab as indentation', added('\tnote: 1'), 'refuses'],
  ['a tag that nobody knows', added('note: !!python/object:os.system x'), 'refuses'],
  ['60 lists in each other', added(`deep: ${nested(60)}`), 'opens'],
  ['2,000 lists in each other', added(`deep: ${nested(2000)}`), 'refuses'],
  ['an integer of 4,300 digits', added(`big: ${'9'.repeat(4300)}`), 'opens'],
  ['an integer of 4,301 digits', added(`big: ${'9'.repeat(4301)}`), 'refuses'],
  ['no duration', without('duration'), 'refuses'],
  ['a text that is cut', (text) => text.slice(0, text.indexOf('  relative_file_paths')), 'refuses'],
];

const bag = {
  'walk_0.db3': bagBytes(levels(20)),
  'metadata.yaml': bagMetadata({ version: 3, files: ['walk_0.db3'], messages: 20 }).replace(
    /offered_qos_profiles:.*/,
    'offered_qos_profiles: ""',
  ),
};

interface MetadataFile {
  readonly path: string;
  readonly rows: readonly Row[];
  /** A valid recording with the file. */
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  readonly library: string;
  readonly python: Libraries;
  /** Codes of findings about a refused file. */
  readonly codes: readonly string[];
  readonly format: ExportFormatId;
  /** `assay fix` knows the format. */
  readonly fixable: boolean;
}

const coco = { codes: ['coco_json_refused'], format: 'coco-detection', fixable: true } as const;
const tfds = { codes: ['metadata_unreadable'], format: 'lerobot-v3', fixable: false } as const;
const rosbag2 = { format: 'mcap', fixable: true } as const;

const metadataFiles: readonly MetadataFile[] = [
  {
    ...{ path: 'annotations.json', rows: cocoRows, files: cocoPlants.sound, ...coco },
    ...{ library: 'pycocotools', python: 'peers' },
  },
  {
    ...{ path: 'dataset_info.json', rows: infoRows, files: tfdsPlants.sound, ...tfds },
    ...{ library: 'TFDS', python: 'tfds' },
  },
  {
    ...{ path: 'features.json', rows: featureRows, files: tfdsPlants.sound, ...tfds },
    ...{ library: 'TFDS', python: 'tfds' },
  },
  {
    ...{ path: 'metadata.yaml', rows: yamlRows, files: bag, ...rosbag2 },
    ...{ library: 'rosbags', python: 'peers', codes: ['metadata_unreadable', 'metadata_incomplete'] },
  },
];

describe.each(metadataFiles)('$path', ({ path, rows, files, library, python, codes, format, fixable }) => {
  const folders = new Map<Row, string>();
  beforeAll(async () => {
    const top = await temporaryFolder();
    for (const [at, row] of rows.entries()) {
      const folder = join(top, `set-${at}`);
      await writePlant(folder, { ...files, [path]: row[1](String(files[path])) });
      folders.set(row, folder);
    }
  });

  const askLibrary = async (asked: readonly Row[]): Promise<readonly (string | null)[]> =>
    askScript(python, 'metadata_loads.py', library, ...asked.map((row) => folders.get(row)!));

  it.skipIf(!isInstalled(python))(`is opened or refused by ${library} as stated`, async () => {
    const errors = await askLibrary(rows);
    const wrong = rows.flatMap(([name, , stated], at) =>
      (errors[at] === null ? 'opens' : 'refuses') === stated ? [] : [`${name}: ${errors[at]}`],
    );
    expect(wrong).toEqual([]);
  });

  it('has a finding of assess if it is refused', async () => {
    const wrong: string[] = [];
    for (const row of rows) {
      const reported = await isReported(folders.get(row)!, codes);
      if (reported !== (row[2] === 'refuses')) wrong.push(`${row[0]}: ${reported}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is exported as assess reads it', async () => {
    const wrong: string[] = [];
    for (const row of rows) {
      const out = join(await temporaryFolder(), 'out');
      const outcome = await exportDataset(folders.get(row)!, out, { format }).then(
        ({ episodes }) => `${episodes.length} episodes`,
        ({ message }: Error) => message,
      );
      if (!/^[1-9]\d* episodes$/.test(outcome)) wrong.push(`${row[0]}: ${outcome}`);
    }
    expect(wrong).toEqual([]);
  });

  it.runIf(fixable)('is fixed so that it opens', async () => {
    const refused = rows.filter(([, , opens, fix]) => opens === 'refuses' && fix === undefined);
    const wrong: string[] = [];
    for (const row of refused) {
      const target = { root: folders.get(row)!, file: null };
      await applyPlan(await planFixes(target, { stamps: false, video: false }), '2026-01-01T00:00:00Z');
      if (await isReported(target.root, codes)) wrong.push(row[0]);
    }
    expect(wrong).toEqual([]);
    if (isInstalled(python)) expect(await askLibrary(refused)).toEqual(refused.map(() => null));
  });
});

/** Returns `true` if assess reports one of these codes. */
async function isReported(folder: string, codes: readonly string[]): Promise<boolean> {
  const result = await assess(folder);
  const { findings } = result.datasets[0];
  await result.close();
  return findings.some(({ code }) => codes.includes(code));
}
