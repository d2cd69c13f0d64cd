import type { ComputeDevice, JobLayerId, ModelUse } from '#core/api';
import type { Kind } from '#core/episode';
import {
  bigint,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
} from '../drizzle.ts';
import { usd } from './budget.ts';
import { at, createdAt, tenantId, tsvector } from './columns.ts';

/** A further part of an annotation, as a byte range of the blob of its artifact. */
export interface StoredPart {
  readonly name: string;
  readonly media_type: string;
  readonly offset: number;
  readonly length: number;
  /** SHA-256 of its bytes. */
  readonly hash: string;
}

/** The annotation of an episode in a layer; a new annotation replaces the previous one. */
export const annotations = pgTable(
  'annotations',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    episode_id: text('episode_id').notNull(),
    layer: text('layer').$type<JobLayerId>().notNull(),
    /** Kind of the episode derived from its streams; kept up to date by triggers. */
    stream_kind: text('stream_kind').$type<Kind>().notNull(),
    job_id: text('job_id').notNull(),
    /** Run that it was part of. */
    run_id: text('run_id'),
    /** Names of the models and algorithms that ran. */
    model: text('model'),
    models: jsonb('models').$type<readonly ModelUse[]>().notNull().default([]),
    config_hash: text('config_hash').notNull(),
    /** SHA-256 of its inputs. */
    input_hash: text('input_hash').notNull(),
    /** Location of the artifact: a byte range of a blob. */
    artifact_blob: text('artifact_blob').notNull(),
    artifact_offset: bigint('artifact_offset', { mode: 'number' }).notNull(),
    artifact_length: integer('artifact_length').notNull(),
    /** SHA-256 of its bytes. */
    artifact_hash: text('artifact_hash').notNull(),
    media_type: text('media_type').notNull(),
    /** Search words of its text, by a person or the machine; null if it is not text. */
    words: tsvector('words'),
    /** Sentences of that text. */
    sentences: text('sentences').array(),
    /** Keys of these sentences in `text_vectors`. */
    sentence_keys: text('sentence_keys').array().generatedAlwaysAs(sql`text_keys(sentences)`),
    /** Further parts in the same blob. */
    parts: jsonb('parts').$type<readonly StoredPart[]>().notNull().default([]),
    counts: jsonb('counts').$type<Readonly<Record<string, number>>>().notNull(),
    /** Classes of its labels; null for layers without classes, and for annotations made before classes were stored. */
    classes: text('classes').array(),
    /** Reason why the layer found nothing to say about the episode; null if it has output. */
    not_produced: text('not_produced'),
    quality: doublePrecision('quality'),
    quality_reason: text('quality_reason'),
    compute_s: doublePrecision('compute_s').notNull(),
    /** Device that computed its models. */
    device: text('device').$type<ComputeDevice>().notNull().default('cpu'),
    cost_usd: usd('cost_usd').notNull(),
    produced_at: at('produced_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.episode_id, t.layer] }),
    index('annotations_project').on(t.tenant_id, t.project_id, t.layer, t.episode_id),
    index('annotations_blob').on(t.tenant_id, t.artifact_blob),
    index('annotations_words').using('gin', t.words).where(sql`words IS NOT NULL`),
    index('annotations_sentences').using('gin', t.sentence_keys).where(sql`sentence_keys IS NOT NULL`),
    index('annotations_classes').using('gin', t.classes).where(sql`classes IS NOT NULL`),
  ],
);

/** Number of annotated episodes with output by kind and layer; maintained only by triggers on `annotations`. */
export const annotationCounts = pgTable(
  'annotation_counts',
  {
    tenant_id: tenantId(),
    project_id: text('project_id').notNull(),
    layer: text('layer').$type<JobLayerId>().notNull(),
    stream_kind: text('stream_kind').$type<Kind>().notNull(),
    episodes: bigint('episodes', { mode: 'number' }).notNull(),
    /** Number of episodes that were processed without output. */
    not_produced: bigint('not_produced', { mode: 'number' }).notNull().default(0),
    /** Number and quality sum of the episodes whose quality is known. */
    assessed: bigint('assessed', { mode: 'number' }).notNull(),
    quality: doublePrecision('quality').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.project_id, t.layer, t.stream_kind] })],
);

/**
 * Edits that replace the text of the machine; the newest one counts, older ones and the text of the machine are kept.
 */
export const annotationEdits = pgTable(
  'annotation_edits',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    episode_id: text('episode_id').notNull(),
    layer: text('layer').$type<JobLayerId>().notNull(),
    text: text('text').notNull(),
    /** Hash of the artifact that was edited; null if there was none. */
    artifact_hash: text('artifact_hash'),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('annotation_edits_episode').on(t.tenant_id, t.episode_id, t.layer, t.id),
  ],
);
