import type { JsonObject } from '#core';
import type { Blobs, NotesBlob } from '#store';
import type { Compared } from '../steps/compare/comparer.ts';
import type { RunBrief } from '../steps/messages.ts';
import type { StepContext } from '../steps/step-context.ts';
import { blobName } from './blob-name.ts';

/** By episode id, then by comparison. */
export type UnitNotes = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

/** By place of the unit: offset and length of its notes. */
type Header = readonly (readonly [place: number, offset: number, length: number])[];

/** Stores the notes of every unit that has any: a header that says where each lies, then one after the other. */
export async function storeNotes(
  notes: Compared['notes'],
  run: RunBrief,
  context: StepContext,
): Promise<NotesBlob | null> {
  const own = [...notes].filter(([, unit]) => Object.keys(unit).length > 0);
  if (own.length === 0) return null;
  const texts = own.map(([place, unit]) => [place, Buffer.from(JSON.stringify(unit))] as const);
  let at = 0;
  const extents: Header = texts.map(([place, text]) => {
    at += text.length;
    return [place, at - text.length, text.length];
  });
  const header = Buffer.from(JSON.stringify(extents));
  const key = blobName(run, 'notes');
  const bytes = Buffer.concat([header, ...texts.map(([, text]) => text)]);
  await context.patiently(() => context.blobs.put(key, bytes));
  return { key, header: header.length };
}

/** Gives the notes of a run's units, those of all comparisons together. */
export class NotesReader {
  readonly #blobs: Blobs;
  readonly #opened: Promise<readonly OpenNotes[]>;

  constructor(blobs: Blobs, notes: readonly NotesBlob[]) {
    this.#blobs = blobs;
    this.#opened = Promise.all(notes.map((one) => open(blobs, one)));
    this.#opened.catch(() => {});
  }

  async of(place: number): Promise<UnitNotes> {
    const merged: Record<string, Record<string, JsonObject>> = {};
    for (const { key, start, extents } of await this.#opened) {
      const extent = extents.get(place);
      if (extent === undefined) continue;
      const bytes = await this.#blobs.range(key, start + extent[0], extent[1]);
      const notes: UnitNotes = JSON.parse(Buffer.from(bytes).toString());
      for (const [episode, note] of Object.entries(notes)) merged[episode] = { ...merged[episode], ...note };
    }
    return merged;
  }
}

interface OpenNotes {
  readonly key: string;
  readonly start: number;
  readonly extents: ReadonlyMap<number, readonly [offset: number, length: number]>;
}

async function open(blobs: Blobs, { key, header }: NotesBlob): Promise<OpenNotes> {
  const extents: Header = JSON.parse(Buffer.from(await blobs.range(key, 0, header)).toString());
  return { key, start: header, extents: new Map(extents.map(([place, ...extent]) => [place, extent])) };
}
