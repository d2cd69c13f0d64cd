import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeTeleopLeRobot } from '#apps/samples';
import { sha256 } from '#core';
import { describeKey } from '#quality/certification/bundle';
import { temporaryFolder } from '#test/support/lerobot-set';
import { runAssay } from './run-assay.ts';

const project = 'prj_01k5w3p9x4f6zv2h7c8d0aqrst';
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  env = { XDG_DATA_HOME: join(folder, 'data') };
  await writeTeleopLeRobot(join(folder, 'set'), 3, () => {}, { episodes: 3, plan: { 1: ['nan', 'medium'] } });
}, 120_000);

const certify = (out: string, ...args: string[]) =>
  runAssay(
    [
      'certify',
      join(folder, 'set'),
      '--target',
      'vla',
      '--out',
      join(folder, out),
      '--cache',
      join(folder, 'cache'),
      ...args,
    ],
    { env },
  );
const verify = (...args: string[]) => runAssay(['verify', ...args], { env });

describe('a folder that is certified', { timeout: 180_000 }, () => {
  it('is sealed by the user’s own key, with the same bytes each time, and verifies', async () => {
    const first = await certify('one', '--project', project);
    expect(first.out).toContain(`Bundle: ${join(folder, 'one', 'bundle.zip')}, signed with key `);
    expect(statSync(join(folder, 'data/assay/keys/local/current.pem')).mode & 0o777).toBe(0o600);
    await certify('two', '--project', project);
    const [one, two] = ['one', 'two'].map((name) => readFileSync(join(folder, name, 'bundle.zip')));
    // The page has the name of the folder in its title, and the folder is the same.
    expect(sha256(two)).toBe(sha256(one));
    const verified = await verify(join(folder, 'one/bundle.zip'), '--project', project, '--json');
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.out)).toMatchObject({
      ok: true,
      receipts: 3,
      manifest: { origin: 'local_report' },
    });
  });

  it('has a card whose front matter and metadata name verdict, coverage and the bundle’s digest', async () => {
    await certify('carded');
    const card = readFileSync(join(folder, 'carded/card/README.md'), 'utf8');
    const front = parse(card.split('---\n')[1]);
    const report = JSON.parse(readFileSync(join(folder, 'carded/report.json'), 'utf8'));
    const bundle_sha256 = sha256(readFileSync(join(folder, 'carded/bundle.zip')));
    expect(front).toMatchObject({
      pretty_name: 'set',
      certification: { verdict: report.verdict, coverage: report.coverage.share, bundle_sha256 },
    });
    const croissant = JSON.parse(readFileSync(join(folder, 'carded/card/croissant.json'), 'utf8'));
    expect(croissant.distribution[0]).toMatchObject({ contentUrl: 'bundle.zip', sha256: bundle_sha256 });
  });

  it('is signed by another key where one is named, and refused before long work where that is none', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const secret = join(folder, 'secret.pem');
    writeFileSync(secret, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
    const { keyid } = describeKey(publicKey);
    expect((await certify('signed', '--sign-key', secret)).out).toContain(keyid);
    const bundle = join(folder, 'signed/bundle.zip');
    expect((await verify(bundle, '--key', keyid)).code).toBe(0);
    const other = await verify(join(folder, 'one/bundle.zip'), '--key', keyid);
    expect([other.code, other.out]).toEqual([1, expect.stringContaining('not with the expected key')]);
    const bad = await certify('bad', '--sign-key', join(folder, 'set/meta/info.json'));
    expect([bad.code, bad.err]).toEqual([3, expect.stringContaining('not an Ed25519 private key')]);
  });

  it('is refused with one byte changed, and where its project is another', async () => {
    const bytes = readFileSync(join(folder, 'one/bundle.zip'));
    const at = bytes.indexOf('"schema":"assay/certification-report/v2"');
    bytes[at + 3] ^= 1;
    const spoiled = join(folder, 'spoiled.zip');
    writeFileSync(spoiled, bytes);
    const said = await verify(spoiled);
    expect([said.code, said.out]).toEqual([1, expect.stringContaining('report.json was changed: ')]);
    const other = await verify(join(folder, 'one/bundle.zip'), '--project', 'prj_01k5w3p9x4f6zv2h7c8d0aqrsv');
    expect([other.code, other.out]).toEqual([
      1,
      expect.stringContaining(`belongs to project ${project}, not to `),
    ]);
    expect((await verify(join(folder, 'one/report.json'), '--key', 'ab'.repeat(32))).code).toBe(2);
  });
});
