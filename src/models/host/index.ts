export type { ModelRef } from './messages.ts';
export { ModelClient } from './model-client.ts';
export { ModelHost, type ModelHostOptions } from './model-host.ts';
