import { AssayError, type JsonObject, type JsonValue, parseTolerantJsonLines, sha256 } from '#core';
import type { Finding, PictureLabel, SourceRef } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { isSplitName } from '../shared/splits.ts';
import { parseCsv } from '../shared/text/csv.ts';

/** Metadata of one picture from metadata.jsonl or metadata.csv. */
interface PictureMetadata {
  readonly labels: readonly PictureLabel[] | null;
  readonly captions: readonly { readonly text: string; readonly source: string }[];
  readonly source: SourceRef;
}

/** Metadata of an image folder, by picture path. */
export interface FolderMetadata {
  readonly notes: ReadonlyMap<string, PictureMetadata>;
  readonly findings: readonly Finding[];
}

const maxMetadataBytes = 256 * 1024 * 1024;

/**
 * Reads the labels and captions of pictures from all metadata.jsonl and metadata.csv files of a folder; invalid rows
 * and what Hugging Face's loader would ignore silently become findings.
 */
export async function readFolderMetadata(
  tree: SourceTree,
  pictures: ReadonlySet<string>,
): Promise<FolderMetadata> {
  const notes = new Map<string, PictureMetadata>();
  const findings: Finding[] = [];
  for (const { path } of tree.files) {
    if (!/(^|\/)metadata\.(jsonl|csv)$/i.test(path)) continue;
    try {
      await readMetadata(tree, path, pictures, notes, findings);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      const advice = thrown.advice ?? 'write the file again';
      findings.push({
        code: 'metadata_unreadable',
        severity: 'error',
        path,
        message: thrown.message,
        advice,
      });
    }
  }
  return { notes, findings };
}

async function readMetadata(
  tree: SourceTree,
  path: string,
  pictures: ReadonlySet<string>,
  notes: Map<string, PictureMetadata>,
  findings: Finding[],
): Promise<void> {
  const bytes = await tree.read(path, maxMetadataBytes);
  const source: SourceRef = { path, bytes: bytes.length, sha256: sha256(bytes), role: 'annotation' };
  const text = new TextDecoder().decode(bytes);
  const { rows, broken } = path.endsWith('csv') ? parseCsvRows(text) : parseJsonRows(text, path);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const absent: string[] = [];
  const refused: string[] = [];
  for (const row of rows) {
    const name = readFileName(row);
    if (name === null) continue;
    if (leavesFolder(name)) refused.push(name);
    else if (!pictures.has(folder + name)) absent.push(name);
    else notes.set(folder + name, { labels: readLabels(row), captions: readCaptions(row, path), source });
  }
  const listed = (picture: string) => notes.get(picture)?.source.path === path;
  const besideFile = [...pictures].filter(
    (picture) => picture.startsWith(folder) && !/[/]/.test(picture.slice(folder.length)),
  );
  reportProblems(findings, path, {
    absent,
    refused,
    broken,
    unlisted: besideFile.filter((one) => !listed(one)),
  });
  const intoSplits = rows
    .map(readFileName)
    .filter((name) => name !== null && isSplitName(name.split('/')[0]));
  if (folder === '' && intoSplits.length > 0) {
    findings.push({
      code: 'metadata_above_splits',
      severity: 'warning',
      path,
      message: `${path} lists images in split folders (${intoSplits[0]}); loaders that take splits from folders ignore it there`,
      advice: 'put one metadata file into each split folder, with file names relative to it',
    });
  }
}

interface Problems {
  readonly absent: readonly string[];
  readonly refused: readonly string[];
  readonly unlisted: readonly string[];
  readonly broken: number;
}

function reportProblems(
  findings: Finding[],
  path: string,
  { absent, refused, unlisted, broken }: Problems,
): void {
  const add = (code: string, severity: Finding['severity'], message: string, advice: string) =>
    findings.push({ code, severity, path, message, advice });
  if (absent.length > 0)
    add(
      'pictures_absent',
      'error',
      `${path} lists ${formatNames(absent)} that do not exist`,
      'restore the images, or delete their rows',
    );
  if (refused.length > 0)
    add(
      'metadata_path_refused',
      'error',
      `${path} lists ${formatNames(refused)} outside its folder`,
      'use file names relative to the folder of the metadata file',
    );
  if (unlisted.length > 0)
    add(
      'pictures_unlisted',
      'warning',
      `${path} does not list ${formatNames(unlisted)} in its folder; loaders drop them without a warning`,
      'add rows for them, or move them out of the folder',
    );
  if (broken > 0)
    add(
      'metadata_rows_broken',
      'error',
      `${broken} rows of ${path} are invalid`,
      'repair or delete these rows',
    );
}

function formatNames(names: readonly string[]): string {
  const named = names.slice(0, 3).join(', ');
  return names.length === 1
    ? `1 image (${named})`
    : `${names.length} images (${named}${names.length > 3 ? ', …' : ''})`;
}

function parseCsvRows(text: string): { rows: JsonObject[]; broken: number } {
  const [header, ...lines] = parseCsv(text);
  if (header === undefined) return { rows: [], broken: 0 };
  const whole = lines.filter((line) => line.length === header.length);
  const rows = whole.map((line) => Object.fromEntries(header.map((name, i) => [name, line[i]])));
  return { rows, broken: lines.length - whole.length };
}

function parseJsonRows(text: string, path: string): { rows: JsonObject[]; broken: number } {
  const { values, bad_lines } = parseTolerantJsonLines(text, path);
  const rows = values.filter(isObject);
  return { rows, broken: bad_lines.length + values.length - rows.length };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readFileName(row: JsonObject): string | null {
  const key = Object.keys(row).find((name) => name === 'file_name' || name.endsWith('_file_name'));
  const name = key === undefined ? null : row[key];
  return typeof name === 'string' && name !== '' ? name.replace(/^\.\//, '') : null;
}

function leavesFolder(name: string): boolean {
  return name.startsWith('/') || name.split('/').includes('..') || /^[a-z]+:\/\//i.test(name);
}

function readCaptions(row: JsonObject, source: string): PictureMetadata['captions'] {
  const texts = [row.text, row.caption].filter((value) => typeof value === 'string' && value.trim() !== '');
  return texts.map((text) => ({ text: String(text), source }));
}

function readLabels(row: JsonObject): PictureLabel[] | null {
  if (isObject(row.objects)) return readObjectLabels(row.objects);
  const label = row.label ?? row.class ?? row.category;
  if (typeof label !== 'string' && typeof label !== 'number') return null;
  return [{ category: String(label), box_px: null }];
}

/** Reads `objects: {bbox: [[x, y, w, h], …], categories: […]}`, with boxes as in COCO. */
function readObjectLabels(objects: JsonObject): PictureLabel[] {
  const boxes = listOf(objects.bbox ?? objects.bboxes);
  const categories = listOf(objects.categories ?? objects.category ?? objects.label);
  return boxes.map((box, i) => {
    const numbers = listOf(box).map(Number);
    const [x, y, width, height] = numbers;
    const whole = numbers.length === 4 && numbers.every(Number.isFinite);
    return { category: String(categories[i] ?? ''), box_px: whole ? [x, y, width, height] : null };
  });
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
