/** First bytes of each picture format in hexadecimal; `..` stands for any byte, `|` separates alternatives. */
const magic = {
  JPEG: 'ffd8ff',
  PNG: '89504e470d0a1a0a',
  WebP: '52494646........57454250',
  GIF: '474946383761|474946383961',
  TIFF: '49492a00|4d4d002a|49492b00|4d4d002b',
  AVIF: '........6674797061766966|........6674797061766973',
  HEIC: '........66747970686569|........66747970686576|........667479706d696631|........667479706d736631',
  BMP: '424d........00000000....0000',
  PNM: '503[1-6](0a|20|0d|09|23)',
  PAM: '50370a',
  PFM: '5046(0a|20)|5066(0a|20)',
  'JPEG 2000': 'ff4fff51|0000000c6a502020',
  'JPEG XL': 'ff0a|0000000c4a584c20',
  Photoshop: '38425053',
  ICO: '0000010...00|0000020...00',
  ICNS: '69636e73',
  SGI: '01da0[01]0[12]',
  DDS: '44445320',
  BLP: '424c5031|424c5032',
  OpenEXR: '762f3101',
  'Radiance HDR': '233f5241',
  MSP: '44616e4d|4c696e53',
  FLI: '........1[12]af',
  PCX: '0a0[0-5]0[01]0[1248]',
} as const;

export type PictureFormat = keyof typeof magic;

const rows = Object.entries(magic).map(([name, hex]) => ({
  name: name as PictureFormat,
  pattern: new RegExp(`^(?:${hex})`),
}));

const maxMagicBytes = 16;

/** Returns the format of a picture file by its first bytes, or `null` if it is not a known picture format. */
export function pictureFormat(bytes: Uint8Array): PictureFormat | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(maxMagicBytes, bytes.byteLength));
  const hex = head.toString('hex');
  return rows.find((row) => row.pattern.test(hex))?.name ?? null;
}
