/** Writes the inputs of the cases beside it: `node test/conformance/rosbag2/generate.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import {
  bagBytes,
  bagMetadata,
  float64Message,
  levels,
  levelTime,
  storedBag,
} from '../../support/db3-files.ts';

/** Small pages keep the cases small. */
const small = 'PRAGMA page_size = 512';
const killed = storedBag(
  levels(40, 0, { before: `${small}; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0` }),
  'open',
);
const broken = storedBag(
  levels(40, 0, {
    before: `${small}; PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA cache_size = 2`,
    after: 'BEGIN; INSERT INTO messages SELECT NULL, 1, timestamp, zeroblob(900) FROM messages',
  }),
  'open',
);
const unordered = [7, 0, 3, 1].map((i) => [0, levelTime(i), float64Message(i)] as const);

const cases: Readonly<Record<string, Uint8Array | string>> = {
  'schema-1/level.db3': bagBytes(levels(30, 0, { schema: 1, before: small })),
  'schema-2/level.db3': bagBytes(levels(30, 0, { schema: 2, before: small })),
  'schema-3/level.db3': bagBytes(levels(30, 0, { schema: 3, before: small })),
  'schema-4/level.db3': bagBytes(levels(30, 0, { schema: 4, before: small })),
  'split/bag/bag_9.db3': bagBytes(levels(20, 0, { before: small })),
  'split/bag/bag_10.db3': bagBytes(levels(20, 20, { before: small })),
  'split/bag/metadata.yaml': bagMetadata({ version: 9, files: ['bag_10.db3', 'bag_9.db3'], messages: 40 }),
  'compressed/bag/bag_0.db3.zstd': zstdCompressSync(bagBytes(levels(30, 0, { before: small }))),
  'compressed/bag/metadata.yaml': bagMetadata({
    version: 5,
    files: ['bag_0.db3.zstd'],
    messages: 30,
    compression: 'file',
  }),
  'killed/level.db3': killed.main,
  'killed/level.db3-wal': killed.wal,
  'rolled-back/level.db3': broken.main,
  'rolled-back/level.db3-journal': broken.journal,
  'unordered/level.db3': bagBytes(levels(0, 0, { before: small, messages: unordered })),
  'undefined-type/grip.db3': bagBytes(
    levels(10, 0, { before: small, topics: [{ name: '/grip', type: 'my_robot/msg/Grip' }] }),
  ),
  'cut/level.db3': bagBytes(levels(200, 0, { before: small })).slice(0, 9000),
};

for (const [path, bytes] of Object.entries(cases)) {
  const [name, ...rest] = path.split('/');
  const file = join(import.meta.dirname, name, 'input', ...rest);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
