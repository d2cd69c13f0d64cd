import type { SourceTree } from '#io/sources';
import { divideByFolder } from '../shared/divide-folders.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';

/** File names that are probed; a lone file is probed whatever its name. */
const plausibleName = /\.(bin|log)$|^[^.]*$/i;
/** Bytes that are probed: enough for junk before the first message and for headers of ground stations in text logs. */
export const sniffedBytes = 4096;
/** FMT message that describes FMT: head, type 128, described type 128, length 89, name `FMT`. */
const selfDescription = Buffer.from([0xa3, 0x95, 0x80, 0x80, 0x59, 0x46, 0x4d, 0x54, 0x00]);
const textDescription = /^\s*FMT\s*,\s*128\s*,\s*89\s*,\s*FMT\s*,/m;

type Variant = 'binary' | 'text';

/**
 * Recognises all files that contain the FMT message that describes FMT, with which every DataFlash log begins; `null`
 * if there is none. Only files with a plausible or `misnamed` name are read, and a lone file.
 */
export async function recogniseDataflash(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const files: string[] = [];
  const variants = new Set<Variant>();
  const isLoneFile = tree.files.length === 1;
  const candidates = tree.files.filter(
    ({ path }) =>
      isLoneFile || misnamed?.has(path) || plausibleName.test(path.slice(path.lastIndexOf('/') + 1)),
  );
  const batchSize = 32;
  for (let from = 0; from < candidates.length; from += batchSize) {
    const batch = candidates.slice(from, from + batchSize);
    const heads = await Promise.all(batch.map(({ path }) => tree.head(path, sniffedBytes).catch(() => null)));
    for (const [i, head] of heads.entries()) {
      const variant = head === null ? null : detectVariant(head);
      if (variant === null) continue;
      files.push(batch[i].path);
      variants.add(variant);
    }
  }
  return files.length === 0 ? null : buildRecognition(files, [...variants].sort().join(' and '));
}

/**
 * Returns `binary` or `text` if these bytes contain the FMT message that describes FMT, with which a DataFlash log
 * begins; else `null`.
 */
export function detectVariant(head: Uint8Array): Variant | null {
  if (Buffer.from(head.buffer, head.byteOffset, head.byteLength).includes(selfDescription)) return 'binary';
  return textDescription.test(new TextDecoder('latin1').decode(head)) ? 'text' : null;
}

/** Divides recognised logs into one dataset per folder; a single log joins those of the parent folder. */
export function divideDataflash(recognition: Recognition): readonly DividedRecognition[] {
  return divideByFolder(
    recognition,
    () => false,
    (files) =>
      files.length === recognition.files?.length
        ? { ...recognition, files }
        : buildRecognition(files, 'known'),
  );
}

function buildRecognition(files: readonly string[], variants: string): Recognition {
  const listed = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
  const verb = files.length === 1 ? 'declares' : 'declare';
  return {
    format: 'dataflash',
    evidence: [`${listed} ${verb} FMT messages like ArduPilot logs (${variants})`],
    files,
  };
}

/** Returns true if these first bytes contain the beginning of a DataFlash log, binary or text. */
export function startsAsDataflash(head: Uint8Array): boolean {
  return detectVariant(head) !== null;
}
