import type { TenantScope } from '../../database/database.ts';
import { and, eq, sql } from '../../drizzle.ts';
import { annotations as a } from '../../schema/annotations.ts';
import { episodes as e } from '../../schema/episodes.ts';
import { projectShares as s } from '../../schema/project-counts.ts';
import { textIndexes as i, textVectors as t } from '../../schema/text-vectors.ts';
import { textLayers } from './candidates.ts';

/** Texts of a project that one model compares. */
export interface TextIndex {
  readonly project_id: string;
  readonly model: string;
}

/** A text and its key. */
export interface IndexedText {
  readonly key: string;
  readonly text: string;
}

/** Characters of a text that are read; a model reads fewer. */
const maxText_chars = 2000;

/** Returns up to `limit` texts that have no vector of the model yet: tasks of episodes, and sentences of annotations. */
export async function listUnindexedTexts(
  { sql: database, tenant_id }: TenantScope,
  { project_id, model }: TextIndex,
  limit: number,
): Promise<IndexedText[]> {
  const isNew = sql`NOT EXISTS (SELECT FROM ${t} WHERE ${t.tenant_id} = ${tenant_id} AND ${t.project_id} = ${project_id}
    AND ${t.model} = ${model} AND ${t.key} = found.key)`;
  const tasks = sql`SELECT found.key, one.text FROM (SELECT ${s.key} AS key FROM ${s}
      WHERE ${s.tenant_id} = ${tenant_id} AND ${s.project_id} = ${project_id} AND ${s.facet} = 'task'
        AND ${s.episodes} > 0) AS found
    CROSS JOIN LATERAL (SELECT left(${e.task}, ${maxText_chars}) AS text FROM ${e} WHERE ${e.tenant_id} = ${tenant_id}
      AND ${e.project_id} = ${project_id} AND ${e.task_key} = found.key LIMIT 1) AS one
    WHERE ${isNew} AND btrim(one.text) <> ''`;
  const sentences = sql`SELECT DISTINCT ON (found.key) found.key, left(sentence, ${maxText_chars}) AS text
    FROM ${a} CROSS JOIN LATERAL unnest(${a.sentences}) AS sentence
      CROSS JOIN LATERAL (SELECT left(md5(sentence), 12) AS key) AS found
    WHERE ${a.tenant_id} = ${tenant_id} AND ${a.project_id} = ${project_id}
      AND ${a.layer} = ANY(${sql.param([...textLayers])}::text[]) AND btrim(sentence) <> '' AND ${isNew}`;
  const { rows } = await database.execute<IndexedText & Record<string, unknown>>(
    sql`SELECT key, text FROM ((${tasks} LIMIT ${limit}) UNION (${sentences} LIMIT ${limit})) AS texts LIMIT ${limit}`,
  );
  return rows;
}

/** Stores vectors of texts, each of length 1, in the text format of pgvector; texts that have a vector keep it. */
export async function insertTextVectors(
  { sql: database, tenant_id }: TenantScope,
  { project_id, model }: TextIndex,
  vectors: readonly { readonly key: string; readonly vector: string }[],
): Promise<void> {
  if (vectors.length === 0) return;
  await database
    .insert(t)
    .values(vectors.map((one) => ({ ...one, tenant_id, project_id, model })))
    .onConflictDoNothing();
}

/**
 * Records that all texts of a project have a vector of the model. Does nothing while annotations of an older version have
 * text that was not divided into sentences: their texts are compared by words only.
 */
export async function completeTextIndex(
  { sql: database, tenant_id }: TenantScope,
  { project_id, model }: TextIndex,
): Promise<void> {
  await database.execute(sql`INSERT INTO ${i} (tenant_id, project_id, model, completed_at)
    SELECT ${tenant_id}, ${project_id}, ${model}, now()
    WHERE NOT EXISTS (SELECT FROM ${a} WHERE ${a.tenant_id} = ${tenant_id} AND ${a.project_id} = ${project_id}
      AND ${a.layer} = ANY(${sql.param([...textLayers])}::text[]) AND ${a.words} IS NOT NULL AND ${a.sentences} IS NULL)
    ON CONFLICT DO NOTHING`);
}

/** Deletes the record that all texts of a project have a vector of the model. */
export async function reopenTextIndex(
  { sql: database, tenant_id }: TenantScope,
  { project_id, model }: TextIndex,
): Promise<void> {
  await database
    .delete(i)
    .where(and(eq(i.tenant_id, tenant_id), eq(i.project_id, project_id), eq(i.model, model)));
}

/**
 * Returns whether none, some or all texts of a project have a vector of the model. `complete`: all had one at some time; those
 * added since follow in moments.
 */
export async function getTextIndexState(
  { sql: database, tenant_id }: TenantScope,
  { project_id, model }: TextIndex,
): Promise<'empty' | 'partial' | 'complete'> {
  const { rows } = await database.execute<{ complete: boolean; some: boolean }>(sql`SELECT
    EXISTS (SELECT FROM ${i} WHERE ${i.tenant_id} = ${tenant_id} AND ${i.project_id} = ${project_id}
      AND ${i.model} = ${model}) AS complete,
    EXISTS (SELECT FROM ${t} WHERE ${t.tenant_id} = ${tenant_id} AND ${t.project_id} = ${project_id}
      AND ${t.model} = ${model}) AS some`);
  const [{ complete, some }] = rows;
  return complete ? 'complete' : some ? 'partial' : 'empty';
}
