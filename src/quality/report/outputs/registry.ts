import { csv } from './csv.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { OutputFormat } from './output.ts';
import { sarif } from './sarif.ts';

/** Ways to write a verdict beside the table of a terminal. */
export const outputFormats: readonly OutputFormat[] = [json, csv, junit, sarif, github, markdown];
