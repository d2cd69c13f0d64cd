export { canonicalJson } from './canonical-json.ts';
export { type ErrorCode, errorCodes } from './error-codes.ts';
export { AssayError, asUnreadable, type ErrorContext, messageOf } from './errors.ts';
export { sha256 } from './hashing.ts';
export { hiddenAmbiguity } from './hidden-ambiguity.ts';
export type { JsonObject, JsonValue } from './json.ts';
export { clamp, significant } from './numbers.ts';
export { type Random, seededRandom } from './random.ts';
export { defineRegistry, type Registry } from './registry.ts';
