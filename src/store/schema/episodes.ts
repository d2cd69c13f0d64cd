import type { Decision } from '#core/api';
import type { Kind, Outcome } from '#core/episode';
import {
  bigint,
  doublePrecision,
  type ExtraConfigColumn,
  index,
  integer,
  pgTable,
  primaryKey,
  type SQL,
  sql,
  text,
  uniqueIndex,
} from '../drizzle.ts';
import { at, createdAt, tenantId, tsvector } from './columns.ts';

type Column = ExtraConfigColumn | SQL;

/** An episode of a source; keeps its id when judged again. */
export const episodes = pgTable(
  'episodes',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    source_id: text('source_id').notNull(),
    /** Run that judged it last, and receipt of that run. */
    run_id: text('run_id').notNull(),
    receipt_id: text('receipt_id').notNull(),
    /** Folder of its dataset relative to the source, and its name in the dataset. */
    dataset_path: text('dataset_path').notNull(),
    name: text('name').notNull(),
    index: integer('index').notNull(),
    format: text('format').notNull(),
    kind: text('kind').$type<Kind>().notNull(),
    /** Kind derived from its streams if a pinned kind overrides it; null if equal to `kind`. */
    derived_kind: text('derived_kind').$type<Kind>(),
    decision: text('decision').$type<Decision>().notNull(),
    score: doublePrecision('score'),
    graded_fraction: doublePrecision('graded_fraction').notNull(),
    duration_s: doublePrecision('duration_s').notNull(),
    start_ns: text('start_ns'),
    robot: text('robot'),
    task: text('task'),
    /** Number of picture or video streams. */
    cameras: integer('cameras').notNull().default(0),
    /** Number of these that are depth cameras. */
    depth_cameras: integer('depth_cameras').notNull().default(0),
    /** Number of recorded pictures of all cameras, and their mean size in megapixels (null if unknown), for estimates. */
    pictures: integer('pictures').notNull().default(0),
    picture_mpx: doublePrecision('picture_mpx'),
    outcome: text('outcome').$type<Outcome['value']>().notNull(),
    /** Parquet shard with the numbers of its streams, and its number in the shard. Media stay in the source. */
    shard_blob: text('shard_blob'),
    shard_place: integer('shard_place'),
    flags: text('flags').array().notNull(),
    /** Classes of the labels in the recording. */
    objects: text('objects').array().notNull().default([]),
    /** Tags set by people; never changed by runs. */
    tags: text('tags').array().notNull().default([]),
    /** Decision of a person, next to that of the machine. */
    review_decision: text('review_decision').$type<Decision>(),
    reviewed_at: at('reviewed_at'),
    created_at: createdAt(),
    updated_at: at('updated_at').notNull(),
    /** Column for sorting and filtering. An episode without a score ranks below any score. */
    rank: doublePrecision('rank').notNull().generatedAlwaysAs(sql`coalesce(score, -1)`),
    stream_kind: text('stream_kind')
      .$type<Kind>()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(derived_kind, kind)`),
    /** Shortened or hashed, because index entries have a size limit. */
    sort_name: text('sort_name').notNull().generatedAlwaysAs(sql`left(name, 100)`),
    task_key: text('task_key').generatedAlwaysAs(sql`left(md5(task), 12)`),
    /** Shortened, because a tsvector has a size limit. */
    task_words: tsvector('task_words').generatedAlwaysAs(
      sql`to_tsvector('simple', coalesce(left(task, 20000), ''))`,
    ),
    robot_key: text('robot_key').generatedAlwaysAs(sql`left(md5(robot), 12)`),
  },
  (t) => {
    const { tenant_id, project_id, id, rank, decision, duration_s } = t;
    // Lists walk the index of their sort order and check filters within it: skipping a row there costs a fifth of
    // skipping it in the table.
    const rest = [
      t.flags,
      t.stream_kind,
      t.outcome,
      t.review_decision,
      t.robot_key,
      t.task_key,
      t.source_id,
      t.run_id,
    ];
    const walk = (name: string, first: Column, ...then: Column[]) =>
      index(name).on(tenant_id, project_id, first, ...then, ...rest);
    return [
      primaryKey({ columns: [tenant_id, id] }),
      uniqueIndex('episodes_origin').on(tenant_id, t.source_id, t.dataset_path, t.format, t.name),
      walk('episodes_by_age', id, rank, duration_s, decision),
      walk('episodes_by_rank', rank, id, duration_s, decision),
      walk('episodes_by_decision', decision, rank, id, duration_s),
      walk('episodes_by_duration', duration_s, id, rank, decision),
      walk('episodes_by_name', sql`sort_name COLLATE "C"`, id, rank, duration_s, decision),
      // Indexes for values shared by few episodes.
      index('episodes_run').on(tenant_id, t.run_id, id),
      index('episodes_source').on(tenant_id, t.source_id, id),
      index('episodes_depth').on(tenant_id, project_id, id).where(sql`depth_cameras > 0`),
      index('episodes_task').on(tenant_id, project_id, t.task_key),
      index('episodes_reviewed')
        .on(tenant_id, project_id, t.review_decision, id)
        .where(sql`review_decision IS NOT NULL`),
      // For samples: an order that is independent of the content of episodes.
      index('episodes_usable')
        .on(tenant_id, t.source_id, sql`md5(id)`)
        .where(sql`coalesce(review_decision, decision) <> 'reject'`),
      index('episodes_task_words').using('gin', t.task_words),
      index('episodes_objects').using('gin', t.objects),
      index('episodes_tags').using('gin', t.tags),
      index('episodes_flags').using('gin', t.flags).with({ fastupdate: false }),
    ];
  },
);

/** A sealed receipt: bytes `offset` to `offset + length` of a pack contain its canonical JSON. */
export const receipts = pgTable(
  'receipts',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    episode_id: text('episode_id').notNull(),
    run_id: text('run_id').notNull(),
    content_hash: text('content_hash').notNull(),
    settings_hash: text('settings_hash').notNull(),
    pack_blob: text('pack_blob').notNull(),
    offset: bigint('offset', { mode: 'number' }).notNull(),
    length: integer('length').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    uniqueIndex('receipts_episode').on(t.tenant_id, t.episode_id, t.run_id),
  ],
);

/** Review decisions; the newest that was not withdrawn counts, the others are kept. */
export const reviews = pgTable(
  'reviews',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    episode_id: text('episode_id').notNull(),
    decision: text('decision').$type<Decision>().notNull(),
    note: text('note').notNull(),
    receipt_id: text('receipt_id').notNull(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
    withdrawn_at: at('withdrawn_at'),
    withdrawn_by: text('withdrawn_by'),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('reviews_episode').on(t.tenant_id, t.episode_id, t.id),
  ],
);
