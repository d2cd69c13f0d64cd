import type { JsonObject } from '#core';
import type { Blobs, NotesBlob } from '#store';
import type { ComparedDatasets } from '../comparer.ts';
import type { RunBrief, StepContext } from '../messages.ts';
import { newBlobKey } from './pack-file.ts';

/** Comparison notes of a unit's episodes: by episode id, then by comparison id. */
export type UnitNotes = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

/** Offset and length of each unit's notes, by the unit's place. */
type Header = readonly (readonly [place: number, offset: number, length: number])[];

/**
 * Stores the notes of all units in one blob (a JSON header with their extents, then the notes) and returns its key and
 * header length; null if there are no notes.
 */
export async function storeNotes(
  notes: ComparedDatasets['notes'],
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
  const key = newBlobKey(run, 'notes');
  const bytes = Buffer.concat([header, ...texts.map(([, text]) => text)]);
  await context.retry(() => context.blobs.put(key, bytes));
  return { key, header: header.length };
}

/** Reads the notes of a run's units, merged over all comparisons. */
export class NotesReader {
  readonly #blobs: Blobs;
  readonly #opened: Promise<readonly OpenNotes[]>;

  constructor(blobs: Blobs, notes: readonly NotesBlob[]) {
    this.#blobs = blobs;
    this.#opened = Promise.all(notes.map((one) => open(blobs, one)));
    this.#opened.catch(() => {});
  }

  /** Returns the notes of the unit at `place`; empty if it has none. */
  async read(place: number): Promise<UnitNotes> {
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
