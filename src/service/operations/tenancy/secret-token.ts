import { randomBytes } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** As many as 256 bits take. */
const length = 43;

/** A new token: `asy_` and 32 random bytes in base62. */
export function newSecretToken(): string {
  let number = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let i = 0; i < length; i++, number /= 62n) text = digits[Number(number % 62n)] + text;
  return `asy_${text}`;
}
