import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import type { Receipt } from '#core/api';
import type { Finding } from '#core/episode';
import { assess } from '#engine/local';
import { json, jsonChannel, mcapBytes } from './support/mcap-files.ts';
import { rounds } from './support/tiers.ts';
import { writeSetInto } from './support/write-lerobot.ts';

// Uses a disk in memory if there is one, because thousands of files are written.
const top = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assay-thousand-'));
afterAll(() => rmSync(top, { recursive: true }));

const text = 'not what the name says\n';
const count = rounds(100, 1000);
const half = count / 2;

function folder(name: string): string {
  const path = join(top, name);
  mkdirSync(path);
  return path;
}

/** Episodes, and every finding that names the path `bad`. */
async function assessed(path: string, bad: string) {
  const result = await assess(path, { receipts: true });
  const { datasets, findings } = result;
  const receipts = [...result.receipts()].map((line): Receipt => JSON.parse(line));
  await result.close();
  const said: Finding[] = [...findings, ...datasets.flatMap((dataset) => dataset.findings)];
  const own = receipts.flatMap((receipt) => receipt.findings);
  const blamed = receipts.filter(({ flags }) => flags.some(({ code }) => code === 'image_undecodable'));
  return {
    episodes: receipts.length,
    errors: [...said, ...own].filter(({ severity }) => severity === 'error' || severity === 'blocking'),
    undecodable: blamed.map(({ episode }) => episode.id),
    about: said.filter((finding) => finding.path === bad || finding.message.includes(bad)),
  };
}

it('a picture that is none costs one finding', async () => {
  const path = folder('pictures');
  for (let i = 0; i < count; i++) {
    const create = {
      width: 16,
      height: 16,
      channels: 3 as const,
      background: { r: i & 255, g: i >> 2, b: 90 },
    };
    await sharp({ create })
      .png()
      .toFile(join(path, `${i}.png`));
  }
  writeFileSync(join(path, `${half}.png`), text);
  const { episodes, errors, undecodable } = await assessed(path, `${half}.png`);
  // A picture is an episode of its own, and what is wrong with it is said there.
  expect(episodes).toBe(count);
  expect(undecodable).toEqual([`${half}.png`]);
  expect(errors).toEqual([]);
}, 300_000);

it('an MCAP file that is none costs one finding', async () => {
  const path = folder('logs');
  for (let i = 0; i < count; i++) {
    const messages = Array.from({ length: 4 }, (_, n) => ({
      ...{ channel: 0, log_ns: BigInt(i * 1e9 + n * 1e7), data: json({ x: Math.sin(i + n), y: i }) },
    }));
    writeFileSync(join(path, `${i}.mcap`), await mcapBytes({ channels: [jsonChannel('/a')], messages }));
  }
  writeFileSync(join(path, `${half}.mcap`), text);
  const { episodes, errors, about } = await assessed(path, `${half}.mcap`);
  expect(episodes).toBe(count - 1);
  expect(about).toMatchObject([{ code: 'file_misnamed', path: `${half}.mcap` }]);
  expect(errors).toEqual(about);
}, 300_000);

it('a damaged data file of a LeRobot v2 set costs one finding', async () => {
  const path = folder('set');
  await writeSetInto(path, { layout: 'v2', episodes: count, rows: 5 });
  const bad = `data/chunk-000/episode_${String(half).padStart(6, '0')}.parquet`;
  const bytes = readFileSync(join(path, bad));
  bytes.fill(0xff, 4, 40);
  writeFileSync(join(path, bad), bytes);
  const { episodes, errors, about } = await assessed(path, bad);
  expect(episodes).toBe(count - 1);
  expect(about).toMatchObject([{ code: 'data_file_unreadable', path: bad }]);
  expect(errors).toEqual(about);
}, 300_000);
