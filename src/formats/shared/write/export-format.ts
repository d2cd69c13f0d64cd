import type { ExportFormatId, LayerId } from '#core/api';
import type { ExportEditId } from '#core/api/bounds';
import type { Kind } from '#core/episode';
import type { OpenWriter } from './set/export-writer.ts';

/** A format that training data leaves in. */
export interface ExportFormat {
  readonly id: ExportFormatId;
  readonly title: string;
  readonly carries: string;
  /** Kinds of data that it can hold. */
  readonly kinds: readonly Kind[];
  /** Why it cannot hold the others. */
  readonly otherwise: string;
  /** It holds pictures and no numbers. */
  readonly pictures_only?: true;
  /** It holds what Assay says of each episode. */
  readonly judgements?: true;
  /** Annotation layers whose say it has a place for; absent: none. */
  readonly annotations?: readonly LayerId[];
  /** Only where a person asks for them: older readers refuse a set that has them. */
  readonly annotations_asked?: true;
  /** Edits that can be made on the way into it, of any recordings. */
  readonly edits: readonly ExportEditId[];
  /** Loads what writes it. */
  readonly writer: () => Promise<OpenWriter>;
}

/** Edits of sets of rows. */
export const editsOfRows = ['drop', 'convert', 'cut', 'shift', 'trim', 'rename'] as const;
/** Edits of pictures one by one. */
export const editsOfPictures = ['drop', 'cut', 'trim', 'rename'] as const;

/** Recordings whose rows have a time. */
export const inTime = ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'] as const;
/** Recordings that may have cameras. */
export const withPictures = ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'vision-asset'] as const;
