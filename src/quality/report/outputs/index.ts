/** A door of its own: the command line names the formats before anything is loaded that judges or draws. */
export type { OutputContext, OutputFormat } from './output.ts';
export { outputFormats } from './registry.ts';
