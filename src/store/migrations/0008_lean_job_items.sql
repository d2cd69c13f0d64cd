DROP INDEX "annotations_episode";--> statement-breakpoint
DROP INDEX "job_items_open";--> statement-breakpoint
ALTER TABLE "annotations" DROP CONSTRAINT "annotations_tenant_id_id_pk";--> statement-breakpoint
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_tenant_id_episode_id_layer_pk" PRIMARY KEY("tenant_id","episode_id","layer");--> statement-breakpoint
ALTER TABLE "job_items" SET (fillfactor = 50);--> statement-breakpoint
DELETE FROM "job_items" WHERE "state" = 'done';--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_annotations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- A statement that adds and changes fires twice: without this, two of them would wait for each other's counts.
    PERFORM pg_advisory_xact_lock(hashtextextended('annotation counts ' || tenant_id || ' ' || project_id, 0))
    FROM (SELECT DISTINCT tenant_id, project_id FROM added ORDER BY 1, 2) AS counted;
    INSERT INTO annotation_counts AS c (tenant_id, project_id, layer, stream_kind, episodes, assessed, quality)
    SELECT tenant_id, project_id, layer, stream_kind, count(*), count(quality), coalesce(sum(quality), 0)
    FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, layer, stream_kind) DO UPDATE SET episodes = c.episodes + excluded.episodes,
      assessed = c.assessed + excluded.assessed, quality = c.quality + excluded.quality;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('annotation counts ' || tenant_id || ' ' || project_id, 0))
    FROM (SELECT DISTINCT tenant_id, project_id FROM gone ORDER BY 1, 2) AS counted;
    INSERT INTO annotation_counts AS c (tenant_id, project_id, layer, stream_kind, episodes, assessed, quality)
    SELECT tenant_id, project_id, layer, stream_kind, -count(*), -count(quality), -coalesce(sum(quality), 0)
    FROM gone GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, layer, stream_kind) DO UPDATE SET episodes = c.episodes + excluded.episodes,
      assessed = c.assessed + excluded.assessed, quality = c.quality + excluded.quality;
  ELSE
    PERFORM pg_advisory_xact_lock(hashtextextended('annotation counts ' || tenant_id || ' ' || project_id, 0))
    FROM (SELECT DISTINCT tenant_id, project_id FROM added ORDER BY 1, 2) AS counted;
    INSERT INTO annotation_counts AS c (tenant_id, project_id, layer, stream_kind, episodes, assessed, quality)
    SELECT tenant_id, project_id, layer, stream_kind, sum(n), sum(a), sum(q)
    FROM (
      SELECT tenant_id, project_id, layer, stream_kind, 1 AS n, (quality IS NOT NULL)::int AS a,
        coalesce(quality, 0) AS q FROM added
      UNION ALL
      SELECT tenant_id, project_id, layer, stream_kind, -1, -(quality IS NOT NULL)::int, -coalesce(quality, 0)
      FROM gone) AS step
    GROUP BY 1, 2, 3, 4
    HAVING sum(n) <> 0 OR sum(a) <> 0 OR sum(q) <> 0
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, layer, stream_kind) DO UPDATE SET episodes = c.episodes + excluded.episodes,
      assessed = c.assessed + excluded.assessed, quality = c.quality + excluded.quality;
  END IF;
  RETURN NULL;
END $$;
