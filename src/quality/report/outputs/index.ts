/**
 * Output formats. A separate entry point, so that the command line can list them without loading evaluation
 * or report code.
 */
export type { OutputContext, OutputFormat } from './output.ts';
export { outputFormats } from './registry.ts';
