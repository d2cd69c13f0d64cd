import type { LayerId, TargetProfileId } from '#core/api';
import type { Kind } from '#core/episode';
import type { Database } from '../../database/database.ts';
import { type MeasuredRate, measuredRatesSql } from '../measured-rates.ts';
import type { EpisodeCount } from '../projects/project-counts.ts';

/** Stored values of a project that determine its annotation layers. */
export interface AnnotationInputs {
  readonly id: string;
  readonly workspace_id: string;
  readonly use_case: string;
  readonly target_profile: TargetProfileId;
  readonly data_kind_override: Kind | null;
  readonly annotation_settings: unknown;
  readonly workspace_annotation_settings: unknown;
  /** Model choices of its tenant; null if there are none. */
  readonly tenant_models: unknown;
  readonly counts: readonly Omit<EpisodeCount, 'project_id' | 'reviewed'>[];
  /** True if an episode was recorded with a depth camera. */
  readonly recorded_depth: boolean;
  /** Pictures of the project's newest episodes; null without episodes. */
  readonly pictures: PictureMeans | null;
  /** Measured rates of the tenant. */
  readonly rates: readonly MeasuredRate[];
}

/** Mean number of recorded pictures of an episode, and their mean size in megapixels (null if unknown). */
export interface PictureMeans {
  readonly pictures: number;
  readonly picture_mpx: number | null;
}

/** The inputs with the results of the layers. */
export interface StatusInputs extends Omit<AnnotationInputs, 'pictures' | 'rates'> {
  readonly annotations: readonly {
    readonly layer: LayerId;
    /** Kind derived from the streams. */
    readonly kind: Kind;
    readonly episodes: number;
    /** Number of episodes that were processed without output. */
    readonly not_produced: number;
    readonly assessed: number;
    readonly quality: number;
  }[];
  /** The newest finished run, and the layers it annotated for at least one episode. */
  readonly last_run: {
    readonly id: string;
    readonly finished_at: string;
    readonly layers: readonly LayerId[];
  } | null;
  /** Unfinished jobs, requested individually or part of a run, oldest first. */
  readonly open_jobs: readonly { readonly layer: LayerId; readonly id: string }[];
}

/**
 * Returns a project's AnnotationInputs as JSON text, read in one statement; null if the tenant has no such project. The text
 * is equal as long as nothing has changed, so it can serve as a cache key.
 */
export const readInputs = (database: Database, tenant_id: string, project_id: string) =>
  readJson(database, settingsText, tenant_id, project_id);

/** Returns a project's StatusInputs as JSON text, as `readInputs` does for AnnotationInputs. */
export const readStatusInputs = (database: Database, tenant_id: string, project_id: string) =>
  readJson(database, statusText, tenant_id, project_id);

async function readJson(
  database: Database,
  statement: string,
  tenant_id: string,
  project_id: string,
): Promise<string | null> {
  const { rows } = await database.query(statement, [tenant_id, project_id]);
  return rows[0]?.inputs ?? null;
}

const settingsMembers = `
  'id', p.id, 'workspace_id', p.workspace_id, 'use_case', w.use_case, 'target_profile', p.target_profile,
  'data_kind_override', p.data_kind_override, 'annotation_settings', p.annotation_settings,
  'workspace_annotation_settings', w.annotation_settings, 'tenant_models', m.models,
  'recorded_depth', EXISTS (SELECT 1 FROM episodes WHERE tenant_id = $1 AND project_id = $2 AND depth_cameras > 0),
  'counts', (SELECT coalesce(json_agg(json_build_object('derived', stream_kind, 'decision', decision,
      'episodes', episodes, 'cameras', cameras, 'duration_s', duration_s) ORDER BY stream_kind, decision), '[]')
    FROM project_counts WHERE tenant_id = $1 AND project_id = $2 AND episodes > 0)`;

/** Number of a project's newest episodes that the mean number and size of pictures is computed from. */
const sampledEpisodes = 100;

/**
 * SQL of the number of pictures of an episode. Episodes of versions that did not store it have 0: 30 a second of each
 * camera are assumed.
 */
export const pictureCount = 'CASE WHEN pictures = 0 THEN duration_s * cameras * 30 ELSE pictures END';

const pictureMeans = `(SELECT CASE WHEN count(*) > 0 THEN json_build_object('pictures', avg(${pictureCount}),
      'picture_mpx', avg(picture_mpx)) END FROM (SELECT pictures, picture_mpx, duration_s, cameras FROM episodes
      WHERE tenant_id = $1 AND project_id = $2 ORDER BY id DESC LIMIT ${sampledEpisodes}) AS newest)`;

/** Returns the mean number and size of pictures of a project's newest 100 episodes; null without episodes. */
export async function readPictureMeans(
  database: Database,
  tenant_id: string,
  project_id: string,
): Promise<PictureMeans | null> {
  const { rows } = await database.query(`SELECT ${pictureMeans} AS means`, [tenant_id, project_id]);
  return rows[0].means;
}

const estimateMembers = `'pictures', ${pictureMeans}, 'rates', ${measuredRatesSql}`;

const statusMembers = `
  'annotations', (SELECT coalesce(json_agg(json_build_object('layer', layer, 'kind', stream_kind,
      'episodes', episodes, 'not_produced', not_produced, 'assessed', assessed, 'quality', quality) ORDER BY layer, stream_kind), '[]')
    FROM annotation_counts WHERE tenant_id = $1 AND project_id = $2 AND episodes + not_produced > 0),
  'last_run', (SELECT json_build_object('id', r.id,
      'finished_at', to_char(r.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'layers', (SELECT coalesce(json_agg(DISTINCT layer), '[]') FROM jobs
        WHERE tenant_id = $1 AND run_id = r.id AND done > 0))
    FROM runs r WHERE r.tenant_id = $1 AND r.project_id = $2 AND r.type = 'assess' AND r.finished_at IS NOT NULL
      AND r.status NOT IN ('queued', 'running')
    ORDER BY r.id DESC LIMIT 1),
  'open_jobs', (SELECT coalesce(json_agg(json_build_object('layer', layer, 'id', id) ORDER BY id), '[]') FROM (
      SELECT layer, id FROM jobs WHERE tenant_id = $1 AND project_id = $2 AND origin = 'queue'
        AND status IN ('queued', 'running', 'cancelling')
      UNION ALL
      SELECT j.layer, j.id FROM runs r JOIN jobs j ON j.tenant_id = r.tenant_id AND j.run_id = r.id
      WHERE r.tenant_id = $1 AND r.project_id = $2 AND r.status IN ('queued', 'running')
        AND j.status IN ('queued', 'running', 'cancelling')) AS open)`;

const textSelect = (members: string): string => `SELECT json_build_object(${members})::text AS inputs
  FROM projects p JOIN workspaces w ON w.tenant_id = p.tenant_id AND w.id = p.workspace_id
    LEFT JOIN tenant_models m ON m.tenant_id = p.tenant_id
  WHERE p.tenant_id = $1 AND p.id = $2`;

const settingsText = textSelect(`${settingsMembers}, ${estimateMembers}`);
const statusText = textSelect(`${settingsMembers}, ${statusMembers}`);
