/** Writes the inputs of the cases beside it: `node test/conformance/rlds/generate.ts`. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { example, type FeatureInput, featuresJson, flags, node, writeRlds } from '../../support/tfrecord.ts';

const steps = 12;
const range = (length: number, value: (i: number) => number) => Array.from({ length }, (_, i) => value(i));
/** The smallest PNG: one pixel, of a grey that its last byte before the checksums does not change. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

function episode(seed: number, more: Readonly<Record<string, FeatureInput>> = {}): Uint8Array {
  return example({
    ...flags(steps),
    'steps/action': {
      floats: range(steps * 7, (i) => (i % 7 === 6 ? Number(i % 2 === 0) : Math.sin(i + seed) / 50)),
    },
    'steps/observation/state': {
      floats: range(steps * 7, (i) => (i % 7 === 6 ? (i % 5) / 5 : Math.cos(i / 9 + seed))),
    },
    'steps/observation/image_0': { bytes: range(steps, (i) => i).map(() => png) },
    'steps/language_instruction': { bytes: range(steps, (i) => i).map(() => `put block ${seed} away`) },
    'steps/reward': { floats: range(steps, (i) => Number(i === steps - 1)) },
    'episode_metadata/file_path': { bytes: [`/data/${seed}/out.npy`] },
    ...more,
  });
}

const features = featuresJson(
  {
    action: node.tensor([7]),
    language_instruction: node.text,
    observation: node.dict({ image_0: node.image([1, 1, 1]), state: node.tensor([7], 'float64') }),
    reward: node.tensor([]),
  },
  { file_path: node.text },
);

async function write(name: string, files: Parameters<typeof writeRlds>[1]): Promise<void> {
  const folder = join(import.meta.dirname, name, 'input');
  await rm(folder, { recursive: true, force: true });
  await writeRlds(folder, files);
}

await write('two-shards', { name: 'bridge', shards: [[episode(1), episode(2)], [episode(3)]], features });
await write('unknown-name', { name: 'my_arm', shards: [[episode(1)]], features });
await write('damaged', {
  name: 'my_arm',
  shards: [[episode(1), episode(2), episode(3), episode(4)]],
  features,
  edit: (bytes) => {
    bytes[Math.floor(bytes.length / 4) + 100] ^= 1;
    bytes[2 * Math.floor(bytes.length / 4) + 2] ^= 1;
    return bytes.subarray(0, -10);
  },
});
