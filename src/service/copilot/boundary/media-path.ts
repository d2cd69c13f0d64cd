/** Extensions of image, video and audio files. */
const mediaExtensions =
  '3g2|3gp|ac3|aac|aif|aiff|amr|apng|arw|asf|avi|avif|avifs|bmp|braw|cr2|cr3|crw|dng|dpx|exr|f4v|flac|flv|gif|gpr|h264|h265|hdr|heic|heics|heif|hevc|ico|insp|insv|ivf|j2k|jfif|jls|jp2|jpe|jpeg|jpg|jpx|jxl|lrv|m1v|m2p|m2ts|m2v|m4a|m4v|mj2|mjpeg|mjpg|mka|mkv|mov|mp3|mp4|mpe|mpeg|mpg|mpv|mts|mxf|nef|nv12|nv21|oga|ogg|ogm|ogv|opus|orf|pbm|pef|pgm|png|pnm|ppm|psd|qoi|r3d|raf|raw|rgb|rgba|rmvb|rw2|srw|svg|svo|svo2|tga|tif|tiff|vob|wav|webm|webp|wma|wmv|y4m|yuv';
/** Extensions that look like decimals (`0.264`); they count only after a name with a letter. */
const numericExtensions = '264|265';

/** A file name with such an extension anywhere in a text. */
const mediaFileInText = new RegExp(
  `[^\\s"'\`<>|*:;,(){\\[]\\.(?:${mediaExtensions})(?![\\p{L}\\p{N}_])`,
  'iu',
);
const numberedMediaFile = new RegExp(
  `[\\p{L}_-][^\\s"'\`<>|*:;,(){\\[]{0,80}\\.(?:${numericExtensions})(?![\\p{L}\\p{N}_])`,
  'iu',
);
/** A codec name that looks like a file name. */
const codecName = /(?<![\w/\\.-])[hx]\.26[45](?!\w)/gi;
/** A text that as a whole is a name with such an extension, whatever characters precede it. */
const wholeMediaPath = new RegExp(`\\.(?:${mediaExtensions})[\\s/\\\\]*(?:[?#].*)?$`, 'isu');

/** Extension of transport streams, also used by TypeScript files and by time fields (`header.ts`). */
const tsEnding = /\.ts(?![\p{L}\p{N}_])/iu;
const typeScriptName = /(?:^|[/\\])(?:index|[^/\\]*\.(?:d|test|spec|config))\.ts(?![\p{L}\p{N}_])/iu;
/** Matches names that make `.ts` a transport stream: with a folder, a number or a word for recordings. */
const recordingName = /[/\\\d]|cam|vid|clip|film|movie|record|segment|stream/i;

/** Returns whether a normalized text contains the name of a transport stream. */
function containsTransportStream(plain: string): boolean {
  if (!tsEnding.test(plain)) return false;
  return plain
    .split(/[\s"'`<>|*;,(){[]+/)
    .some((word) => tsEnding.test(word) && !typeScriptName.test(word) && recordingName.test(word));
}

/** Returns whether a normalized text is or contains the path or URL of a media file. */
export function containsMediaPath(plain: string): boolean {
  if (containsTransportStream(plain)) return true;
  if (mediaFileInText.test(plain) || numberedMediaFile.test(plain.replace(codecName, ' '))) return true;
  const end = wholeMediaPath.exec(plain.trimEnd());
  if (end === null) return false;
  const before = plain.slice(0, end.index);
  return before !== '' && (/[/\\]/.test(before) || !/\s/.test(before.trim()));
}

const escaped = /(?:%[0-9a-f]{2})+/gi;
const invisible = /[\p{Cc}\p{Cf}\p{Mn}\u115f\u1160\u3164\uffa0]/gu;
const maxDecodings = 64;

/**
 * Normalizes a text as software that opens a path or URL would: decodes nested percent, JSON and entity escapes,
 * applies NFKC and removes invisible characters.
 */
export function normalizeText(text: string): string {
  let now = text;
  for (let layer = 0; layer < maxDecodings; layer++) {
    const next = decodeOnce(now);
    if (next === now) break;
    now = next;
  }
  return now.normalize('NFKC').replace(invisible, (found) => (/[\t\n\r]/.test(found) ? found : ''));
}

function decodeOnce(text: string): string {
  if (!/[%\\&]/.test(text)) return text;
  return text
    .replace(escaped, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(/\\u([0-9a-f]{4})/gi, (all, code: string) => character(Number.parseInt(code, 16), all))
    .replace(/\\u\{0*([0-9a-f]{1,6})\}/gi, (all, code: string) => character(Number.parseInt(code, 16), all))
    .replace(/\\x([0-9a-f]{2})/gi, (all, code: string) => character(Number.parseInt(code, 16), all))
    .replace(/&#x0*([0-9a-f]{1,6});/gi, (all, code: string) => character(Number.parseInt(code, 16), all))
    .replace(/&#0*([0-9]{1,7});/g, (all, code: string) => character(Number(code), all))
    .replace(/&period;/gi, '.')
    .replace(/\\([nrt/])/g, (_, sign: string) => (sign === '/' ? '/' : '\n'));
}

const character = (code: number, otherwise: string): string =>
  code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? otherwise : String.fromCodePoint(code);
