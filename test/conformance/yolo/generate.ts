/** Writes the inputs of the cases beside it: `node test/conformance/yolo/generate.ts`. */
import { join } from 'node:path';
import { tinyPng, writeCase } from '../../support/case-files.ts';

const config = 'path: ../datasets/pets\ntrain: images/train\nval: images/val.txt\nnames: {0: cat, 1: dog}\n';

await writeCase(join(import.meta.dirname, 'boxes', 'input'), {
  'data.yaml': config.replace('images/val.txt', 'images/val'),
  'images/train/a.png': tinyPng,
  'images/train/b.png': tinyPng,
  'images/val/c.png': tinyPng,
  'labels/train/a.txt': '0 0.5 0.5 0.2 0.4\n1 0.25 0.25 0.5 0.5\n',
  'labels/train/b.txt': '',
  'labels/val/c.txt': '1 0.5 0.5 1 1\r\n',
});

await writeCase(join(import.meta.dirname, 'traps', 'input'), {
  'data.yaml': config,
  'images/val.txt': './val/c.png\n./val/gone.png\n',
  'images/train/a.png': tinyPng,
  'images/train/b.png': tinyPng,
  'images/val/c.png': tinyPng,
  'labels/train/a.txt': '0 0.1 0.1 0.5 0.1 0.3 0.6\n0 0.5 0.5 0.2 0.4\n0 0.1 0.1 0.5 0.1 0.3 0.6 0.9\n',
  'labels/train/b.txt': '2 0.5 0.5 0.2 0.4\n1 1.5 0.5 0.2 0.4\n1 320 240 40 40\n1 320 240 40 40\ncat\n',
  'labels/val/c.txt': '\ufeff0 0.5 0.5 0.2 0.4 0.97\r\n',
  'labels/val/lost.txt': '0 0.5 0.5 0.2 0.4\n',
});
