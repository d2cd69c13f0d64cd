import type { Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import { mappingFiles } from '../mapped/mapping-files.ts';
import { parseCsv } from '../shared/text/csv.ts';

const tableName = /\.(csv|tsv|parquet)$/i;
const headBytes = 16 * 1024;
/** Of a folder with thousands, a few tell. */
const looked = 20;

/**
 * Tables that no reader took and that look as if they held signals, and files that are called a mapping of them and
 * are none: where to go with either.
 */
export async function unmappedSignals(
  tree: SourceTree,
  left: readonly FileEntry[],
): Promise<{ readonly paths: ReadonlySet<string>; readonly findings: readonly Finding[] }> {
  const tables = left.filter(({ path, bytes }) => tableName.test(path) && bytes > 0);
  const findings = left.filter(isCalledMapping).map(({ path }) => noMapping(path));
  const signals = new Set<string>();
  for (const { path } of tables.slice(0, looked)) {
    const head = await tree.head(path, headBytes).catch(() => new Uint8Array());
    if (looksLikeSignals(Buffer.from(head))) signals.add(path);
  }
  if (signals.size === looked) for (const { path } of tables) signals.add(path);
  if (signals.size > 0) findings.push(unmapped([...signals]));
  return { paths: new Set([...signals, ...findings.flatMap(({ path }) => path ?? [])]), findings };
}

function unmapped(paths: readonly string[]): Finding {
  const named = paths.slice(0, 3).join(', ');
  const files = paths.length === 1 ? '1 table' : `${paths.length} tables`;
  return {
    code: 'signals_unmapped',
    severity: 'info',
    path: null,
    message: `${files} may hold signals and have no mapping file: ${named}${paths.length > 3 ? ', …' : ''}`,
    advice: 'run `assay map init FOLDER` to have a mapping proposed, which says what the columns are',
  };
}

function isCalledMapping({ path }: FileEntry): boolean {
  return mappingFiles.some((name) => path === name || path.endsWith(`/${name}`));
}

function noMapping(path: string): Finding {
  return {
    code: 'mapping_unmarked',
    severity: 'warning',
    path,
    message: `${path} says nowhere assay_map: 1, so it was not taken for a mapping of signals`,
    advice: 'write that line at its beginning, or give the file another name',
  };
}

/** Parquet, or text with a header and rows of at least two numbers. */
function looksLikeSignals(head: Buffer): boolean {
  if (head.toString('latin1', 0, 4) === 'PAR1') return true;
  const lines = head
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '');
  if (head.length === headBytes) lines.pop();
  const [first] = lines;
  if (first === undefined || lines.length < 3) return false;
  const delimiter = [',', ';', '\t', '|'].find((candidate) => first.includes(candidate)) ?? ',';
  const rows = lines.slice(0, 4).map((line) => parseCsv(line.replaceAll(delimiter, ','))[0] ?? []);
  const numbers = (row: readonly string[]) =>
    row.filter((text) => text.trim() !== '' && Number.isFinite(Number(text))).length;
  return numbers(rows[0]) === 0 && rows.slice(1).every((row) => numbers(row) >= 2);
}
