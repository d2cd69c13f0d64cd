import { execFile } from 'node:child_process';
import { generateKeyPairSync, verify } from 'node:crypto';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/lerobot-set';
import { commandKey } from './command-key.ts';
import { adoptNextKey, localKey, readStagedKey, stageNextKey } from './local-keys.ts';

const bytes = Buffer.from('DSSEv1 what is signed');
const module = new URL('./local-keys.ts', import.meta.url).href;
const pemOf = (key: ReturnType<typeof localKey>) =>
  String(key.public_key.export({ type: 'spki', format: 'pem' }));

describe('a key in the data folder', () => {
  it('is made once, signs, and is read by its owner alone', async () => {
    const folder = await temporaryFolder();
    const key = localKey(folder, 'tnt_a');
    expect(verify(null, bytes, key.public_key, await key.sign(bytes))).toBe(true);
    expect(pemOf(localKey(folder, 'tnt_a'))).toBe(pemOf(key));
    expect(pemOf(localKey(folder, 'tnt_b'))).not.toBe(pemOf(key));
    expect(statSync(join(folder, 'tnt_a', 'current.pem')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'tnt_a')).mode & 0o777).toBe(0o700);
  });

  it('is one key where several processes ask at once', async () => {
    const folder = await temporaryFolder();
    const program = `const { localKey } = await import(${JSON.stringify(module)});
      process.stdout.write(String(localKey(${JSON.stringify(folder)}, 'tnt_a').public_key.export({ type: 'spki', format: 'pem' })))`;
    const ask = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1);
    expect(readdirSync(join(folder, 'tnt_a'))).toEqual(['current.pem']);
  });

  it('is followed by another that was written down before', async () => {
    const folder = await temporaryFolder();
    const before = pemOf(localKey(folder, 'tnt_a'));
    expect(readStagedKey(folder, 'tnt_a')).toBeNull();
    const next = pemOf(stageNextKey(folder, 'tnt_a'));
    expect(pemOf(localKey(folder, 'tnt_a'))).toBe(before);
    adoptNextKey(folder, 'tnt_a');
    expect(pemOf(localKey(folder, 'tnt_a'))).toBe(next);
    expect(readStagedKey(folder, 'tnt_a')).toBeNull();
  });

  it('that is spoiled is refused, and nothing of it is quoted', async () => {
    const folder = await temporaryFolder();
    localKey(folder, 'tnt_a');
    writeFileSync(join(folder, 'tnt_a', 'current.pem'), '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n');
    expect(() => localKey(folder, 'tnt_a')).toThrow(expect.objectContaining({ code: 'unreadable_input' }));
    try {
      localKey(folder, 'tnt_a');
    } catch (thrown) {
      expect(JSON.stringify(thrown, Object.getOwnPropertyNames(thrown))).not.toContain('c2VjcmV0');
    }
  });
});

describe('a key behind a command', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  /** A program that signs what it is given, and then says `answer` of it. */
  async function signing(answer: string, timeout_ms = 20_000) {
    const folder = await temporaryFolder();
    const [program, key, secret] = ['sign.mjs', 'public-tnt_a.pem', 'secret.pem'].map((name) =>
      join(folder, name),
    );
    writeFileSync(key, String(publicKey.export({ type: 'spki', format: 'pem' })));
    writeFileSync(secret, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
    writeFileSync(
      program,
      `#!${process.execPath}
import { readFileSync } from 'node:fs';
import { createPrivateKey, sign } from 'node:crypto';
const sig = sign(null, readFileSync(0), createPrivateKey(readFileSync(process.argv[2])));
${answer}`,
    );
    chmodSync(program, 0o700);
    const public_key = key.replace('tnt_a', '{tenant}');
    return commandKey({ command: [program, secret], public_key, timeout_ms }, 'tnt_a');
  }

  it.each([
    ['raw bytes', 'process.stdout.write(sig);'],
    ['base64', "console.log(sig.toString('base64'));"],
    ['hexadecimal', "console.log(sig.toString('hex'));"],
  ])('signs, answering %s', async (_, answer) => {
    const key = await signing(answer);
    expect(verify(null, bytes, publicKey, await key.sign(bytes))).toBe(true);
  });

  it.each([
    ['another signature', 'sig[0] ^= 1; process.stdout.write(sig);', 'does not match the public key'],
    ['words', "console.log('signed!');", 'not an Ed25519 signature'],
    ['too much', 'process.stdout.write(Buffer.alloc(1e6));', 'output is longer than 4096 bytes'],
    ['an exit code', 'process.exit(3);', 'it exited with 3'],
  ])('is refused for %s', async (_, answer, why) => {
    const key = await signing(answer);
    await expect(key.sign(bytes)).rejects.toMatchObject({
      code: 'signing_failed',
      message: expect.stringContaining(why),
    });
  });

  it('is refused where it does not answer, or is not there', async () => {
    const slow = await signing('setInterval(() => {}, 1000);', 300);
    await expect(slow.sign(bytes)).rejects.toThrow('did not finish within 0.3 s');
    const { public_key } = await signing('');
    const pem = join(await temporaryFolder(), 'key.pem');
    writeFileSync(pem, String(public_key.export({ type: 'spki', format: 'pem' })));
    const absent = commandKey({ command: ['/no/such/program'], public_key: pem, timeout_ms: 1000 }, 'tnt_a');
    await expect(absent.sign(bytes)).rejects.toMatchObject({ code: 'signing_failed' });
  });
});
