import { spawn } from 'node:child_process';
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AssayError, messageOf, wrapReadError } from '#core';
import type { SigningKey } from './local-keys.ts';

/** Configuration of a signing key that is kept outside of Assay. `{tenant}` in any text stands for the tenant id. */
export interface SigningCommand {
  /** Program and arguments; it reads the bytes from standard input and writes the signature to standard output. */
  readonly command: readonly string[];
  /** Path of the PEM file with the public key. */
  readonly public_key: string;
  readonly timeout_ms: number;
}

const maxAnswerBytes = 4096;
const signatureBytes = 64;

/**
 * Returns the key of a signing command: `sign` runs the command and verifies its signature.
 * @throws `unreadable_input` if the public key cannot be read; `sign` throws `signing_failed`
 */
export function commandKey(
  { command, public_key, timeout_ms }: SigningCommand,
  tenant_id: string,
): SigningKey {
  const named = (text: string) => text.replaceAll('{tenant}', tenant_id);
  const key = readPublicKey(named(public_key));
  const [program, ...args] = command.map(named);
  return {
    public_key: key,
    place: 'command',
    sign: async (bytes) => {
      const signature = parseSignature(await runCommand({ program, args, timeout_ms }, bytes));
      if (signature !== null && verify(null, bytes, key, signature)) return signature;
      throw commandError(
        signature === null
          ? 'its output is not an Ed25519 signature (64 bytes, raw or as base64 or hexadecimal)'
          : `its signature does not match the public key in ${named(public_key)}`,
      );
    },
  };
}

function readPublicKey(file: string): KeyObject {
  try {
    const key = createPublicKey(readFileSync(file));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (thrown) {
    throw wrapReadError(
      thrown,
      file,
      'set ASSAY_SIGNING_PUBLIC_KEY to a PEM file with an Ed25519 public key',
    );
  }
  throw new AssayError('unreadable_input', 'not an Ed25519 public key', { path: file });
}

/** Parses a signature from 64 raw bytes, base64 or hexadecimal; null for anything else. */
function parseSignature(answer: Buffer): Buffer | null {
  if (answer.length === signatureBytes) return answer;
  const text = answer.toString('latin1').trim();
  if (/^[0-9a-f]{128}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[A-Za-z0-9+/_-]{86}(==)?$/.test(text)) return null;
  return Buffer.from(text, 'base64');
}

interface CommandCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly timeout_ms: number;
}

function runCommand({ program, args, timeout_ms }: CommandCall, bytes: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: timeout_ms,
      killSignal: 'SIGKILL',
    });
    const parts: Buffer[] = [];
    let length = 0;
    child.on('error', (thrown) => reject(commandError(messageOf(thrown))));
    child.stdin.on('error', () => {});
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length > maxAnswerBytes) child.kill('SIGKILL');
    });
    child.on('close', (code, signal) => {
      if (length > maxAnswerBytes) reject(commandError(`its output is longer than ${maxAnswerBytes} bytes`));
      else if (signal !== null) reject(commandError(`it did not finish within ${timeout_ms / 1000} s`));
      else if (code !== 0) reject(commandError(`it exited with ${code}`));
      else resolve(Buffer.concat(parts));
    });
    child.stdin.end(bytes);
  });
}

const commandError = (why: string): AssayError =>
  new AssayError('signing_failed', `the signing command failed: ${why}`, {
    advice: 'check ASSAY_SIGNING_COMMAND (docs/bundles.md); nothing was signed',
  });
