import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { findOption, ModelClient, ModelHost, SentenceEncoder } from '#labels/models';
import { onPeers, peersPython } from '../support/peers.ts';
import { sentenceModel, unpackSentenceModel, writeSentenceModel } from '../support/sentence-model.ts';
import { askScript } from './python-worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-interop-sentences-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Texts in which tokenizers and their ports have differed: scripts, accents, controls, joined signs, and lengths. */
const oddTexts = [
  ...[
    '',
    '   ',
    '!!!',
    'Pick up the RED mug.',
    'don’t “quote” — dash…',
    'C++ & C# #tag @at',
    'put_the_mug_on_shelf',
  ],
  ...[
    'naïve café résumé',
    'Öffne die Schublade',
    'ß ẞ Æ œ',
    'Ελληνικά ΣΑΣ',
    'İstanbul ıI',
    'e\u0302\u0323 \u0301x',
  ],
  ...[
    '把杯子放在桌子上',
    'ロボットがカップを持ち上げる',
    '한국어 문장',
    'हिन्दी वाक्य',
    'עברית שלום',
    'العربية',
  ],
  ...['🤖 grasps 🍎', '👨‍👩‍👧🏳️‍🌈', '𝔘𝔫𝔦 𝟙𝟚𝟛', 'ＡＢＣ １２', 'ﬁ ℌ ① ½', '1,000.50 € -2e-5 m/s²'],
  ...['nul\u0000 \ufffd end', 'zero\u200bwidth\u200d soft\u00adhyphen', 'a\u00a0b\u3000c\u000bd\u000ce'],
  ...['[CLS] [SEP] [MASK]', 'a'.repeat(300), 'word '.repeat(600), '\tTabs\nand\r\nlines'],
];

const vocabulary =
  'pick place open close the a red blue cup mug robot arm left right into bin shelf towel fold wipe table 3 . ,'.split(
    ' ',
  );
const random = seededRandom(5);
const texts = [
  ...oddTexts,
  ...Array.from({ length: 60 }, () =>
    Array.from({ length: random.integer(1, 30) }, () => random.pick(vocabulary)).join(' '),
  ),
];

describe.skipIf(!peersPython)(
  onPeers('Vectors of texts beside onnxruntime and tokenizers'),
  { timeout: 120_000 },
  () => {
    it.each([
      ['a small model', writeSentenceModel],
      ['all-MiniLM-L6-v2', unpackSentenceModel],
    ])('are the same to 1e-4: %s', async (name, place) => {
      const data_folder = join(folder, name.replaceAll(' ', '-'));
      const model = place(data_folder);
      writeFileSync(join(folder, 'texts.json'), JSON.stringify(texts));
      await askScript(
        'peers',
        'sentences_onnx.py',
        model,
        join(folder, 'texts.json'),
        join(folder, 'answers.json'),
      );
      const answers: { vector: number[] }[] = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'));
      const host = new ModelHost();
      const client = new ModelClient(host.socket);
      try {
        const encoder = await SentenceEncoder.open(findOption(sentenceModel)!, { data_folder, client });
        const vectors = await encoder.encode(texts);
        const differences = vectors.map((vector, at) =>
          Math.max(...vector.map((value, d) => Math.abs(value - answers[at].vector[d]))),
        );
        expect(texts.filter((_, at) => !(differences[at] < 1e-4))).toEqual([]);
      } finally {
        client.close();
        await host.close();
      }
    });
  },
);
