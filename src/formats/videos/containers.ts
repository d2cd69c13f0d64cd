import type { FileWindow } from '#io/sources';
import { aviTimes } from './avi-times.ts';
import { type FrameTimes, NoTimes } from './frame-times.ts';
import { matroskaTimes } from './matroska-times.ts';
import { mp4Times } from './mp4-times.ts';

interface Container {
  readonly name: string;
  readonly matches: (head: Buffer) => boolean;
  readonly times: (file: FileWindow) => Promise<FrameTimes>;
}

const ascii = (head: Buffer, at: number, length: number) => head.toString('latin1', at, at + length);

/** First boxes met in MP4 and QuickTime files. */
const firstBoxes: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'styp']);
const pictureBrands = /^(avif|avis|heic|heix|heim|heis|mif1|msf1|crx )/;

const notRead = (name: string) => async (): Promise<FrameTimes> => {
  throw new NoTimes('not_read', `stamps of ${name} are not read without decoding`);
};

const containers: readonly Container[] = [
  {
    name: 'MP4 or QuickTime',
    matches: (head) => firstBoxes.has(ascii(head, 4, 4)) && !pictureBrands.test(ascii(head, 8, 4)),
    times: mp4Times,
  },
  { name: 'Matroska or WebM', matches: (head) => head.readUInt32BE(0) === 0x1a45dfa3, times: matroskaTimes },
  {
    name: 'AVI',
    matches: (head) => ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 4) === 'AVI ',
    times: aviTimes,
  },
  {
    name: 'MPEG transport stream',
    matches: (head) => head[0] === 0x47 && head.length > 376 && head[188] === 0x47 && head[376] === 0x47,
    times: notRead('MPEG transport streams'),
  },
  {
    name: 'MPEG program stream',
    matches: (head) => head.readUInt32BE(0) === 0x1ba,
    times: notRead('MPEG program streams'),
  },
  { name: 'Flash video', matches: (head) => ascii(head, 0, 3) === 'FLV', times: notRead('Flash video') },
  { name: 'Ogg', matches: (head) => ascii(head, 0, 4) === 'OggS', times: notRead('Ogg') },
];

/** Bytes of the head that recognising looks at. */
export const headBytes = 400;

/** The container of a file by its first bytes; null when it is none of video. */
export function containerOf(head: Uint8Array): Container | null {
  if (head.length < 12) return null;
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return containers.find((row) => row.matches(bytes)) ?? null;
}
