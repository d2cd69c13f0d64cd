/** Endings of files that hold pictures, video or sound. */
const endings =
  '3g2|3gp|aac|aif|aiff|apng|arw|asf|avi|avif|bmp|braw|cr2|cr3|dng|dpx|exr|flac|flv|gif|h264|h265|hdr|heic|heif|hevc|ico|ivf|j2k|jfif|jp2|jpe|jpeg|jpg|jxl|m2ts|m2v|m4a|m4v|mjpeg|mjpg|mka|mkv|mov|mp3|mp4|mpeg|mpg|mts|mxf|nef|nv12|oga|ogg|ogv|opus|pbm|pgm|png|pnm|ppm|psd|qoi|raw|rgb|svg|tga|tif|tiff|wav|webm|webp|wma|wmv|y4m|yuv';
/** Endings that numbers have too: only behind a name with a letter in it. */
const numbers = '264|265';

/** A name and such an ending, not followed by more of a word: anywhere in a text. */
const inText = new RegExp(`[^\\s"'\`<>|*:;,(){\\[]\\.(?:${endings})(?![\\p{L}\\p{N}_])`, 'iu');
const numbered = new RegExp(
  `[\\p{L}_-][^\\s"'\`<>|*:;,(){\\[]{0,80}\\.(?:${numbers})(?![\\p{L}\\p{N}_])`,
  'iu',
);
/** A codec, which is named like a file. */
const codec = /(?<![\w/\\.-])[hx]\.26[45](?!\w)/gi;
/** A text that as a whole is a name with such an ending, whatever signs are in it. */
const whole = new RegExp(`\\.(?:${endings})\\s*[/\\\\]*\\s*(?:[?#].*)?$`, 'isu');

/** Whether a text is, or holds, a path or an address of a media file. The text is plain (`plainText`). */
export function namesMediaFile(plain: string): boolean {
  if (inText.test(plain) || numbered.test(plain.replace(codec, ' '))) return true;
  const end = whole.exec(plain.trimEnd());
  if (end === null) return false;
  const before = plain.slice(0, end.index);
  return before !== '' && (/[/\\]/.test(before) || !/\s/.test(before.trim()));
}
