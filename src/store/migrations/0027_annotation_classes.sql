ALTER TABLE "annotation_counts" ADD COLUMN "not_produced" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "annotations" ADD COLUMN "classes" text[];--> statement-breakpoint
ALTER TABLE "annotations" ADD COLUMN "not_produced" text;--> statement-breakpoint
CREATE INDEX "annotations_classes" ON "annotations" USING gin ("classes") WHERE classes IS NOT NULL;--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_annotations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- A statement that adds and changes fires twice: without this, two of them would wait for each other's counts.
    PERFORM pg_advisory_xact_lock(hashtextextended('annotation counts ' || tenant_id || ' ' || project_id, 0))
    FROM (SELECT DISTINCT tenant_id, project_id FROM added ORDER BY 1, 2) AS counted;
    INSERT INTO annotation_counts AS c (tenant_id, project_id, layer, stream_kind, episodes, not_produced, assessed, quality)
    SELECT tenant_id, project_id, layer, stream_kind, count(*) - count(not_produced), count(not_produced), count(quality),
      coalesce(sum(quality), 0)
    FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, layer, stream_kind) DO UPDATE SET episodes = c.episodes + excluded.episodes,
      not_produced = c.not_produced + excluded.not_produced, assessed = c.assessed + excluded.assessed,
      quality = c.quality + excluded.quality;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('annotation counts ' || tenant_id || ' ' || project_id, 0))
    FROM (SELECT DISTINCT tenant_id, project_id FROM gone ORDER BY 1, 2) AS counted;
    INSERT INTO annotation_counts AS c (tenant_id, project_id, layer, stream_kind, episodes, not_produced, assessed, quality)
    SELECT tenant_id, project_id, layer, stream_kind, count(not_produced) - count(*), -count(not_produced), -count(quality),
      -coalesce(sum(quality), 0)
    FROM gone GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, layer, stream_kind) DO UPDATE SET episodes = c.episodes + excluded.episodes,
      not_produced = c.not_produced + excluded.not_produced, assessed = c.assessed + excluded.assessed,
      quality = c.quality + excluded.quality;
  ELSE
    PERFORM pg_advisory_xact_lock(hashtextextended('annotation counts ' || tenant_id || ' ' || project_id, 0))
    FROM (SELECT DISTINCT tenant_id, project_id FROM added ORDER BY 1, 2) AS counted;
    INSERT INTO annotation_counts AS c (tenant_id, project_id, layer, stream_kind, episodes, not_produced, assessed, quality)
    SELECT tenant_id, project_id, layer, stream_kind, sum(n), sum(e), sum(a), sum(q)
    FROM (
      SELECT tenant_id, project_id, layer, stream_kind, (not_produced IS NULL)::int AS n,
        (not_produced IS NOT NULL)::int AS e, (quality IS NOT NULL)::int AS a, coalesce(quality, 0) AS q FROM added
      UNION ALL
      SELECT tenant_id, project_id, layer, stream_kind, -(not_produced IS NULL)::int, -(not_produced IS NOT NULL)::int,
        -(quality IS NOT NULL)::int, -coalesce(quality, 0) FROM gone) AS step
    GROUP BY 1, 2, 3, 4
    HAVING sum(n) <> 0 OR sum(e) <> 0 OR sum(a) <> 0 OR sum(q) <> 0
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, layer, stream_kind) DO UPDATE SET episodes = c.episodes + excluded.episodes,
      not_produced = c.not_produced + excluded.not_produced, assessed = c.assessed + excluded.assessed,
      quality = c.quality + excluded.quality;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
UPDATE annotations AS a SET
  not_produced = CASE layer
    WHEN 'captions' THEN 'no task text, no objects and no motion'
    WHEN 'dense_text' THEN 'the recording has no evidence for any statement'
    ELSE quality_reason END,
  quality = NULL,
  quality_reason = CASE layer
    WHEN 'captions' THEN 'no task text, no objects and no motion'
    ELSE coalesce(quality_reason, 'the recording has no evidence for any statement') END
WHERE (layer = 'captions' AND counts->>'texts' = '0')
  OR (layer = 'dense_text' AND counts->>'words' = '0' AND NOT EXISTS (
    SELECT 1 FROM annotation_edits p
    WHERE p.tenant_id = a.tenant_id AND p.episode_id = a.episode_id AND p.layer = a.layer))
  OR (layer = 'segments' AND quality IS NULL AND (
    quality_reason IN ('no stream has timestamps', 'no stream with timestamps shows motion', 'no two rows have different timestamps')
    OR quality_reason LIKE '% has no usable values'));
