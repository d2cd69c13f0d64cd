import type { SourceTree } from '#io/sources';
import { divideByFolder } from '../shared/divide-folders.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';

/** Names under which DataFlash logs are met; a lone file is looked at whatever its name. */
const plausible = /\.(bin|log)$|^[^.]*$/i;
/** Junk in front of the first message, and the head that ground stations put into text logs. */
export const sniffedBytes = 4096;
/** FMT describing itself: head, number 128, number 128 again, 89 bytes long, `FMT`. */
const selfDescription = Buffer.from([0xa3, 0x95, 0x80, 0x80, 0x59, 0x46, 0x4d, 0x54, 0x00]);
const textDescription = /^\s*FMT\s*,\s*128\s*,\s*89\s*,\s*FMT\s*,/m;

type Variant = 'binary' | 'text';

/** Takes every file in which FMT describes itself, as all DataFlash logs begin. */
export async function recogniseDataflash(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<Recognition | null> {
  const files: string[] = [];
  const variants = new Set<Variant>();
  const lone = tree.files.length === 1;
  const candidates = tree.files.filter(
    ({ path }) => lone || misnamed?.has(path) || plausible.test(path.slice(path.lastIndexOf('/') + 1)),
  );
  const atOnce = 32;
  for (let from = 0; from < candidates.length; from += atOnce) {
    const batch = candidates.slice(from, from + atOnce);
    const heads = await Promise.all(batch.map(({ path }) => tree.head(path, sniffedBytes).catch(() => null)));
    for (const [i, head] of heads.entries()) {
      const variant = head === null ? null : variantOf(head);
      if (variant === null) continue;
      files.push(batch[i].path);
      variants.add(variant);
    }
  }
  return files.length === 0 ? null : recognition(files, [...variants].sort().join(' and '));
}

/** Which kind of DataFlash log starts so; null: none. */
export function variantOf(head: Uint8Array): Variant | null {
  if (Buffer.from(head.buffer, head.byteOffset, head.byteLength).includes(selfDescription)) return 'binary';
  return textDescription.test(new TextDecoder('latin1').decode(head)) ? 'text' : null;
}

/** One dataset a folder. */
export function divideDataflash(whole: Recognition): readonly DividedRecognition[] {
  return divideByFolder(
    whole,
    () => false,
    (files) => (files.length === whole.files?.length ? { ...whole, files } : recognition(files, 'known')),
  );
}

function recognition(files: readonly string[], variants: string): Recognition {
  const named = `${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}`;
  const verb = files.length === 1 ? 'declares' : 'declare';
  return {
    format: 'dataflash',
    evidence: [`${named} ${verb} FMT messages as ArduPilot does (${variants})`],
    files,
  };
}

/** By its first bytes. */
export function startsAsDataflash(head: Uint8Array): boolean {
  return variantOf(head) !== null;
}
