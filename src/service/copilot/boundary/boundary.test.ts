import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId, sha256 } from '#core';
import { rounds } from '#test/support/tiers';
import { assertNoMedia } from './assert-no-media.ts';
import { withholdMedia, withholdMediaWithin } from './withhold-media.ts';

const refused = (value: unknown): string | null => {
  try {
    assertNoMedia(value);
    return null;
  } catch (thrown) {
    const { code, details } = thrown as { code: string; details: { kind?: string } };
    return code === 'media_refused' ? (details.kind ?? 'depth') : `${thrown}`;
  }
};

/** Puts a value somewhere: as it is, in lists and objects, among other members. */
const somewhere = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(inner, fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 })).map(([value, wraps]) =>
    wraps.reduce<unknown>((held, wrap) => {
      if (wrap === 0) return [held];
      if (wrap === 1) return { episode: 'ep_1', data: held };
      if (wrap === 2) return new Map([['inner', held]]);
      if (wrap === 3) return ['before', { nested: { deeper: held } }, 'after'];
      return new Set([held]);
    }, value),
  );

const bytes = fc.uint8Array({ minLength: 1, maxLength: 64 });
const binary = fc.tuple(bytes, fc.integer({ min: 0, max: 8 })).map(([raw, kind]): unknown => {
  const buffer = raw.slice().buffer;
  const kinds: readonly unknown[] = [
    raw,
    Buffer.from(raw),
    buffer,
    new DataView(buffer),
    new Float32Array(raw),
    JSON.parse(JSON.stringify(Buffer.from(raw))),
    JSON.stringify({ frame: Buffer.from(raw) }),
    JSON.parse(JSON.stringify(new Uint8Array(32).map((_, at) => raw[at % raw.length]))),
    new Blob([raw.slice()]),
  ];
  return kinds[kind];
});

const types = ['image/png', 'video/mp4', 'IMAGE/JPEG', 'application/octet-stream', ''];
const dataUri = fc
  .record({
    type: fc.constantFrom(...types),
    parameter: fc.constantFrom(';base64', ';charset=utf-8', ''),
    data: fc.string({ maxLength: 20 }),
    name: fc.constantFrom('data:', 'DATA:', 'Data:', 'dat%61:', 'd&#97;ta:'),
    before: fc.constantFrom('', 'see ', '(', '"', '\u200b'),
  })
  .map(({ type, parameter, data, name, before }) => `${before}${name}${type}${parameter},${data}`);

const payload = fc.oneof(
  fc.integer({ min: 144, max: 400 }).map((length) => randomBytes(length)),
  fc.constantFrom(0, 255, 7, 128).map((value) => Buffer.alloc(240, value)),
  fc.integer({ min: 1, max: 50 }).map((step) => {
    const depth = new Uint16Array(120).map((_, at) => 400 + ((at * step) % 30));
    return Buffer.from(depth.buffer);
  }),
);
const cut = (text: string, length: number) => text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? [];
const base64 = fc
  .record({
    raw: payload,
    form: fc.constantFrom('base64' as const, 'base64url' as const),
    split: fc.integer({ min: 0, max: 7 }),
    length: fc.integer({ min: 16, max: 90 }),
  })
  .map(({ raw, form, split, length }): unknown => {
    const text = raw.toString(form);
    const pieces = cut(text, length);
    const ways: readonly unknown[] = [
      text,
      pieces.join('\n'),
      pieces.join('\r\n  '),
      pieces,
      JSON.stringify({ frames: pieces }),
      JSON.stringify(JSON.stringify([text])),
      `the picture: ${text} and so on`,
      text.replaceAll('+', '%2B').replaceAll('/', '%2F'),
    ];
    return ways[split];
  });

const base85Alphabets = {
  ascii85: Array.from({ length: 85 }, (_, at) => String.fromCharCode(33 + at)).join(''),
  z85: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#',
  rfc1924: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~',
};
const toBase85 = (raw: Buffer, alphabet: string): string => {
  const groups = Array.from({ length: Math.floor(raw.length / 4) }, (_, at) => raw.readUInt32BE(4 * at));
  return groups
    .map((group) => [4, 3, 2, 1, 0].map((power) => alphabet[Math.floor(group / 85 ** power) % 85]).join(''))
    .join('');
};
const base85 = fc
  .record({
    length: fc.integer({ min: 192, max: 600 }),
    alphabet: fc.constantFrom(...Object.values(base85Alphabets)),
    way: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ length, alphabet, way }): unknown => {
    const text = toBase85(randomBytes(length), alphabet);
    const pieces = cut(text, 76);
    const ways: readonly unknown[] = [
      text,
      `<~${text}~>`,
      pieces.join('\n'),
      pieces,
      JSON.stringify({ frame: text }),
      `the picture: ${text} and so on`,
    ];
    return ways[way];
  });

const byteList = fc
  .record({
    length: fc.integer({ min: 300, max: 600 }),
    separator: fc.constantFrom(', ', ',', ' ', '\n', '; ', ' | ', '/', '-', ':', '+', '.0, '),
    way: fc.integer({ min: 0, max: 6 }),
  })
  .map(({ length, separator, way }): unknown => {
    const values = [...randomBytes(length)];
    const hex = values.map((value) => value.toString(16).padStart(2, '0'));
    const ways: readonly unknown[] = [
      values.join(separator),
      `the picture is [${values.join(separator)}], as bytes`,
      values.map(String),
      hex.join(' '),
      hex.map((value) => `0x${value}`).join(', '),
      values.map((value) => [value, value, 7]),
      JSON.stringify(values.map((value) => [value])),
    ];
    return ways[way];
  });

const endings = [
  'svo',
  'SVO2',
  'mp4',
  'MOV',
  'avi',
  'mkv',
  'WebM',
  'png',
  'JPG',
  'jpeg',
  'tiff',
  'gif',
  'heic',
  'exr',
  'wav',
  'h264',
];
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/);
const mediaPath = fc
  .record({
    folders: fc.array(name, { maxLength: 3 }),
    name,
    ending: fc.constantFrom(...endings),
    way: fc.integer({ min: 0, max: 12 }),
  })
  .map(({ folders, name: file, ending, way }): unknown => {
    const path = [...folders, `${file}.${ending}`].join('/');
    const ways: readonly unknown[] = [
      path,
      `/${path}`,
      `../${path}`,
      path.replaceAll('/', '\\'),
      `https://host/${path}?token=1#t=2`,
      `s3://bucket/${path}`,
      path.replaceAll('.', '%2E'),
      path.replaceAll('.', '%252e').replaceAll('/', '%252f'),
      `the camera is in ${path}, they say`,
      JSON.stringify({ video: path }).replaceAll('.', '\\u002e'),
      `/play?file=${encodeURIComponent(path)}&at=3`,
      { [path]: 1 },
      path.replaceAll('.', '．'),
    ];
    return ways[way];
  });

const prose = [
  'The arm closes before the cup is reached; 12 of 40 episodes wait for a review at 0.264 of the score.',
  'Der Greifer schließt zu früh, die Kamera fällt nach 3,5 Sekunden aus. Datensätze: 128.',
  'La pince se ferme trop tôt ; les données : 40 épisodes, dont 3 rejetés.',
  'El brazo se detiene; datos: entrenamiento/prueba 80/20, sin fallos.',
  'Робот берёт красный кубик, и камера замирает на двух секундах.',
  '机械臂在抓取红色方块时停止了两秒钟。数据：四十个片段，其中三个被拒绝。',
  'ロボットが赤い立方体をつかむ前に、カメラが二秒間止まります。データ：四十件。',
  '로봇이 빨간 큐브를 잡기 전에 카메라가 2초 동안 멈춥니다. 데이터: 40개.',
  'الذراع تتوقف قبل أن تمسك بالمكعب الأحمر، والبيانات: أربعون حلقة.',
  'रोबोट लाल घन पकड़ने से पहले रुक जाता है। डेटा: चालीस एपिसोड, तीन अस्वीकृत।',
  'Video data: 30 fps, PNG or JPEG, H.264 in .mp4 files; see data: train/test.',
  'Kamera donuyor; veriler: kırk bölüm.',
];
const words = [
  'cup',
  'PickCube',
  'frames_repeated',
  'observation.images.top',
  'ROBOT',
  'traffic light',
  'so100',
  'TrafficSign',
];
const harmless = fc.oneof(
  fc.constantFrom(...prose),
  fc.array(fc.constantFrom(...prose), { maxLength: 6 }).map((texts) => texts.join(' ')),
  fc.integer().map(() => newId('ep')),
  fc.string().map((text) => sha256(text)),
  fc.array(
    fc.string().map((text) => sha256(text)),
    { maxLength: 30 },
  ),
  fc.array(fc.constantFrom(...words), { maxLength: 200 }),
  fc.array(
    fc.integer().map(() => newId('run')),
    { maxLength: 40 },
  ),
  fc.array(fc.uuid(), { maxLength: 40 }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.array(fc.double({ noNaN: true }), { maxLength: 300 }),
  fc.constant(Array.from({ length: 300 }, (_, at) => at)),
  fc.constantFrom(
    '/home/lab/sets/pick_cube_2026/episodes',
    '/camera/image_raw',
    'assay.v1',
    'index.ts',
    'v3.0',
  ),
  fc.constant(`/${Array.from({ length: 30 }, (_, at) => `folder_${at}`).join('/')}`),
  fc.integer({ min: 0 }).map((count) => ({ episodes: count, decision: 'accept', score: 0.264, at: null })),
);

const runs = (numRuns: number) => ({ numRuns, seed: 7 });

describe('the boundary', () => {
  it('lets no bytes through, of any kind, anywhere in a value', () => {
    fc.assert(
      fc.property(somewhere(binary), (value) => refused(value) === 'bytes'),
      runs(rounds(500, 10_000)),
    );
  });

  it('lets no data: URI through', () => {
    fc.assert(
      fc.property(somewhere(dataUri), (value) => refused(value) !== null),
      runs(rounds(500, 8_000)),
    );
  });

  it('lets no long base64 through: whole, in lines, in items, in JSON, for addresses', {
    timeout: 60_000,
  }, () => {
    fc.assert(
      fc.property(somewhere(base64), (value) => refused(value) !== null),
      runs(rounds(500, 8_000)),
    );
  });

  it('lets no base85 through: whole, in lines, in items, in JSON', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(somewhere(base85), (value) => refused(value) !== null),
      runs(rounds(300, 8_000)),
    );
  });

  it('lets no list of bytes through: decimal or hexadecimal, in text, in items, in rows', {
    timeout: 60_000,
  }, () => {
    fc.assert(
      fc.property(somewhere(byteList), (value) => refused(value) !== null),
      runs(rounds(300, 4_000)),
    );
  });

  it.each([
    'cams/front.ts',
    's3://bucket/rec/0001.TS',
    'segment12.ts',
    'camera_left.ts',
    '/data/zed/HD720.svo',
    'run.svo2',
    'C:\\rec\\a.ts',
  ])('lets no stream of a camera through: %s', (path) => {
    expect(refused(path)).toBe('media_path');
    expect(refused(`see ${path}, please`)).toBe('media_path');
  });

  it.each(['web/index.ts', 'src/types.d.ts', 'a/chat.test.ts', 'vite.config.ts', 'header.ts', 'msg.ts'])(
    'takes no source file or field for a stream: %s',
    (name) => {
      expect(refused(`${name} is 3`)).toBeNull();
    },
  );

  it('lets no path of a media file through: any case, encoded, relative, with a query', () => {
    fc.assert(
      fc.property(somewhere(mediaPath), (value) => refused(value) === 'media_path'),
      runs(rounds(500, 12_000)),
    );
  });

  it('raises no false alarm on ids, hashes, numbers and prose in ten languages', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(harmless, { maxLength: 5 }), (value) => refused(value) === null),
      runs(rounds(500, 12_000)),
    );
  });

  it('tells place and kind, and nothing of the value', () => {
    const secret = `/sets/private_name/cam.mp4`;
    expect(() => assertNoMedia({ items: [{ file: secret }] })).toThrow(
      expect.objectContaining({
        code: 'media_refused',
        message: expect.not.stringContaining('private_name'),
        details: { kind: 'media_path', place: '/items/0/file' },
      }),
    );
  });

  it('takes no time that grows with the square of a text’s length', () => {
    const began_ms = performance.now();
    for (const filler of [' ', '/', '\\', ' .mp4 ', '%25', '(', '1, '])
      expect(refused(`:.mp4${filler.repeat(100_000)}x`)).not.toBe('depth');
    // With a regular expression that tries every split of the spaces, one of them takes 20 s.
    expect(performance.now() - began_ms).toBeLessThan(15_000);
  });

  it('refuses what refers to itself or is nested without end', () => {
    const round: Record<string, unknown> = {};
    round.again = [round];
    expect(refused(round)).toBe('depth');
    let deep: unknown = 'end';
    for (let i = 0; i < 100; i++) deep = [deep];
    expect(refused(deep)).toBe('depth');
  });
});

describe('withholding', () => {
  it('takes out the words that hold media, and what is left passes', () => {
    expect(withholdMedia('why is videos/cam.mp4 black, and a.PNG?')).toBe(
      'why is [media withheld] black, and [media withheld]?',
    );
    expect(withholdMedia('“videos/cam.mp4”, (a.png); "b.JPG" — und `c.mov`!')).toBe(
      '“[media withheld]”, ([media withheld]); "[media withheld]" — und `[media withheld]`!',
    );
    const bytes = [...randomBytes(300)].join(', ');
    expect(withholdMedia(`Why is it black: [${bytes}]? Tell me.`)).toBe(
      'Why is it black: [[media withheld]]? Tell me.',
    );
    fc.assert(
      fc.property(
        fc.oneof(mediaPath, base64, base85, byteList, dataUri),
        (value) => refused(withholdMediaWithin(value)) === null,
      ),
      runs(rounds(200, 2_000)),
    );
  });
});
