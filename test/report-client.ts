import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { reportAssets } from '../src/quality/report/index.ts';
import type { Column, TimeAxis } from '../src/quality/report/sketch-types.ts';

interface DecodedAxis {
  readonly first: Float64Array;
  readonly last: Float64Array;
  readonly count: number;
}

interface DecodedColumn {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly outliers: readonly {
    readonly bucket: number;
    readonly least: number;
    readonly greatest: number;
  }[];
}

interface Client {
  readAxis(axis: TimeAxis): DecodedAxis;
  readColumn(column: Column, axis: DecodedAxis): DecodedColumn;
  canonicalJson(value: unknown): string;
  domainOf(
    duration_s: number,
    axes: readonly { readonly from: number; readonly to: number }[],
    marks: readonly { readonly from_s: number; readonly to_s: number }[],
  ): { readonly from: number; readonly to: number };
}

/** The browser's own scripts, run here: what unpacks a sketch and what computes a receipt's seal. */
export function loadClient(...names: readonly string[]): Client {
  const context = createContext({ assay: {} });
  for (const name of names) {
    const asset = reportAssets.find(({ path }) => path === `assets/${name}`);
    if (asset === undefined) throw new Error(`${name} is not among the report's assets`);
    runInContext(readFileSync(asset.url, 'utf8'), context);
  }
  return runInContext('assay', context) as Client;
}
