import type { KeyObject } from 'node:crypto';

/** An Ed25519 key of a tenant that signs, wherever its private half lies. */
export interface SigningKey {
  readonly public_key: KeyObject;
  /** Whether it lies in this process's data folder, or behind a command. */
  readonly place: 'local_file' | 'command';
  /** Answers 64 raw bytes. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}
