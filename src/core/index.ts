export { canonicalJson, canonicalParts, sha256, sha256OfParts } from './canonical-json.ts';
export { estimateTokens } from './count-tokens.ts';
export { type ErrorCode, errorCodes } from './error-codes.ts';
export { AssayError, type ErrorContext, messageOf, wrapReadError } from './errors.ts';
export { escapeHtml } from './escape-html.ts';
export { blobFolderError, systemCode } from './folder-fault.ts';
export { hiddenAmbiguity } from './hidden-ambiguity.ts';
export { type IdPrefix, idPattern, idPrefixes, newId } from './ids.ts';
export { type JsonObject, type JsonText, type JsonValue, joinJson, parseJson, toJson } from './json.ts';
export { jsonMembers } from './json-members.ts';
export { pointerPart } from './json-pointer.ts';
export { isLfsPointer, lfsPointerHead_bytes, lfsPointerWords } from './lfs-pointer.ts';
export { limitConcurrency } from './limit-concurrency.ts';
export { type Limit, limits } from './limits.ts';
export { isMachineFault, noteMachineFault, watchMachine } from './machine-faults.ts';
export { nearestText } from './nearest-text.ts';
export { clamp, sampleEvenly, significant } from './numbers.ts';
export { countPhrase, fillTemplate, listText } from './phrases.ts';
export { type Random, seededRandom } from './random.ts';
export { defineRegistry, type Registry } from './registry.ts';
export {
  detectUtf16,
  parseTolerantJson,
  parseTolerantJsonLines,
  type TolerantJson,
} from './tolerant-json.ts';
