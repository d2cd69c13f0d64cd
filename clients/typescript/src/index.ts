export { all } from './all.ts';
export { AssayApiError, type ClientCode, type WrongPlace } from './api-error.ts';
export { type Answer, type AssayClient, createClient } from './create-client.ts';
export type { CommonCode, ErrorCode, OperationId, Operations } from './generated/operations.ts';
export type * from './generated/types.ts';
export type { CallOptions, ClientOptions, StreamOptions } from './options.ts';
export { type RequestText, requestOf } from './request-of.ts';
export type { Upload, UploadOptions } from './upload.ts';
