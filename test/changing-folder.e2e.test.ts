import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Assessment } from '#core/api';
import { type Ran, runAssay } from './run-assay.ts';
import { json, jsonChannel, mcapBytes } from './support/mcap-files.ts';

const top = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assay-changing-'));
afterAll(() => rmSync(top, { recursive: true }));

const files = 60;
let bytes: readonly Uint8Array[] = [];
beforeAll(async () => {
  const channels = [jsonChannel('/a')];
  bytes = await Promise.all(
    Array.from({ length: files }, (_, i) =>
      mcapBytes({
        channels,
        messages: Array.from({ length: 50 }, (_, n) => ({
          ...{ channel: 0, log_ns: BigInt(i * 1e9 + n * 1e7), data: json({ x: Math.sin(i + n), y: i }) },
        })),
      }),
    ),
  );
});

function folder(name: string): string {
  const path = mkdtempSync(join(top, `${name}-`));
  for (const [i, content] of bytes.entries()) writeFileSync(join(path, `${i}.mcap`), content);
  return path;
}

function expectOrderly({ code, out, err }: Ran): Assessment | null {
  expect([0, 1, 3], err).toContain(code);
  expect(err).not.toMatch(/internal error|\n\s+at .*:\d+:\d+/i);
  const said = JSON.parse(out);
  return 'error' in said ? null : said;
}

/** Calls `change` once, when files are being measured. */
function whileMeasured(change: () => void): (err: string) => void {
  let done = false;
  return (err) => {
    if (done || !err.includes('measuring')) return;
    done = true;
    change();
  };
}

it('of which files vanish, shrink and are replaced while it is read is assessed as far as it is there', async () => {
  const path = folder('changing');
  const onError = whileMeasured(() => {
    for (let i = 0; i < files; i += 4) rmSync(join(path, `${i}.mcap`), { force: true });
    for (let i = 1; i < files; i += 4) truncateSync(join(path, `${i}.mcap`), 200);
    for (let i = 2; i < files; i += 4) {
      writeFileSync(join(path, 'new'), 'quite another thing');
      renameSync(join(path, 'new'), join(path, `${i}.mcap`));
    }
  });
  const assessment = expectOrderly(await runAssay(['assess', path, '--json'], { onError }));
  const { episodes = 0, unreadable = 0 } = assessment?.dataset ?? {};
  expect(episodes).toBeGreaterThanOrEqual(files / 4);
  expect(episodes + unreadable).toBe(files);
});

it('of which a file grows while it is read is assessed', async () => {
  const path = folder('growing');
  const grow = () => {
    for (let i = 0; i < files; i++) appendFileSync(join(path, `${i}.mcap`), bytes[0]);
  };
  const assessment = expectOrderly(
    await runAssay(['assess', path, '--json'], { onError: whileMeasured(grow) }),
  );
  expect((assessment?.dataset.episodes ?? 0) + (assessment?.dataset.unreadable ?? 0)).toBe(files);
});

it('that is assessed twice at once gives the same both times', async () => {
  const path = folder('twice');
  const [one, two] = await Promise.all([1, 2].map(() => runAssay(['assess', path, '--json'])));
  expect(expectOrderly(one)?.dataset.episodes).toBe(files);
  expect(two.out).toBe(one.out);
});

it.skipIf(process.getuid?.() !== 0)(
  'that may not be read by this user ends with that said (as root)',
  async () => {
    const path = folder('closed');
    chmodSync(top, 0o755);
    chmodSync(path, 0o700);
    const ran = await runAssay(['assess', path, '--json'], { uid: 65534, env: { NODE_COMPILE_CACHE: '' } });
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.out).error).toMatchObject({ code: 'not_permitted', path });
    expect(readdirSync(path)).toHaveLength(files);
  },
);
