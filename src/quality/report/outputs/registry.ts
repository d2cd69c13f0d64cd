import { csv } from './csv.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { OutputFormat } from './output.ts';
import { sarif } from './sarif.ts';

/** All output formats other than the terminal's table. */
export const outputFormats: readonly OutputFormat[] = [json, csv, junit, sarif, github, markdown];
