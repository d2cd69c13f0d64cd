import type { Finding, Severity } from '#core/episode';
import type { TenantScope } from '../../database/database.ts';
import { type SQL, sql } from '../../drizzle.ts';

/** Position of a finding in a project: by severity (worst first), run, dataset, and order in the dataset. */
export type FindingPosition = readonly [severity: number, run_id: string, dataset: number, nth: number];

/** A finding of a project. */
export interface ProjectFindingRow {
  readonly place: FindingPosition;
  readonly source_id: string;
  readonly run_id: string;
  /** Null if it concerns the whole source. */
  readonly dataset_path: string | null;
  readonly format: string | null;
  readonly finding: Finding;
}

/** Filter of findings. */
export interface FindingFilter {
  readonly project_id: string;
  readonly severity: readonly Severity[] | undefined;
  readonly code: readonly string[] | undefined;
  readonly source_id: readonly string[] | undefined;
}

/** Returns the query for the newest finished run of each source. */
const latestRuns = ({ tenant_id }: TenantScope, { project_id, source_id }: FindingFilter): SQL => sql`
  SELECT DISTINCT ON (source_id) source_id, id AS run_id, findings FROM runs
  WHERE tenant_id = ${tenant_id} AND project_id = ${project_id} AND status IN ('succeeded', 'partial')
    ${source_id === undefined ? sql`` : sql`AND source_id = ANY(${sql.param([...source_id])}::text[])`}
  ORDER BY source_id, id DESC`;

const rankedFindings = (scope: TenantScope, filter: FindingFilter): SQL => sql`
  WITH latest AS (${latestRuns(scope, filter)}),
  every AS (
    SELECT source_id, run_id, NULL AS dataset_path, NULL AS format, -1 AS dataset, nth, finding
    FROM latest, jsonb_array_elements(findings) WITH ORDINALITY AS listed (finding, nth)
    UNION ALL
    SELECT source_id, d.run_id, d.path, d.format, d.place, nth, finding
    FROM latest JOIN run_datasets d ON d.tenant_id = ${scope.tenant_id} AND d.run_id = latest.run_id,
      jsonb_array_elements(d.findings) WITH ORDINALITY AS found (finding, nth)),
  ranked AS (
    SELECT *, array_position(ARRAY['blocking', 'error', 'warning', 'info'], finding->>'severity') AS severity FROM every
    WHERE true
      ${filter.code === undefined ? sql`` : sql`AND finding->>'code' = ANY(${sql.param([...filter.code])}::text[])`}
      ${filter.severity === undefined ? sql`` : sql`AND finding->>'severity' = ANY(${sql.param([...filter.severity])}::text[])`})`;

/**
 * Returns one page of the findings of the newest finished run of each source of a project, worst first, after the position
 * `after`.
 */
export async function listFindings(
  scope: TenantScope,
  filter: FindingFilter & { readonly after: FindingPosition | null; readonly limit: number },
): Promise<ProjectFindingRow[]> {
  const { after, limit } = filter;
  const behind =
    after === null
      ? sql``
      : sql`WHERE (severity, run_id, dataset, nth) > (${after[0]}::int, ${after[1]}, ${after[2]}::int, ${after[3]}::int)`;
  const { rows } = await scope.sql.execute<
    Omit<ProjectFindingRow, 'place'> & { severity: number; dataset: number; nth: number }
  >(sql`${rankedFindings(scope, filter)}
    SELECT source_id, run_id, dataset_path, format, severity, dataset, nth::int AS nth, finding FROM ranked
    ${behind} ORDER BY severity, run_id, dataset, nth LIMIT ${limit}`);
  return rows.map(({ severity, dataset, nth, ...row }) => ({
    ...row,
    place: [severity, row.run_id, dataset, nth],
  }));
}

/** Returns the number of findings of the newest finished run of each source of a project, by severity (0 included). */
export async function countFindings(
  scope: TenantScope,
  project_id: string,
): Promise<Readonly<Record<Severity, number>>> {
  const filter = { project_id, severity: undefined, code: undefined, source_id: undefined };
  const { rows } = await scope.sql.execute<{ severity: Severity; findings: number }>(
    sql`${rankedFindings(scope, filter)}
      SELECT finding->>'severity' AS severity, count(*)::int AS findings FROM ranked GROUP BY 1`,
  );
  const counts = { blocking: 0, error: 0, warning: 0, info: 0 };
  for (const { severity, findings } of rows) counts[severity] = findings;
  return counts;
}
