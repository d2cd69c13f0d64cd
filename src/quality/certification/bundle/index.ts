/** Sealed bundles of evidence: create, sign and verify them, without file or network access. */
export type { TrustedKey } from './check-signature.ts';
export type { Signer } from './envelope.ts';
export type { HashedEntry } from './manifest.ts';
export { bundleNames, receiptName } from './names.ts';
export { describeKey, type PublicKey, parsePublicKey } from './public-key.ts';
export { type Seal, sealBundle } from './seal-bundle.ts';
export { type BundleVerification, verifyBundle } from './verify-bundle.ts';
