-- Counts of episodes follow every statement that changes them. Rows are taken in one order, so that writers at once
-- wait for each other and never in a circle; what a statement leaves as it was is not touched.
CREATE FUNCTION count_episodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO project_counts AS c (tenant_id, project_id, stream_kind, decision, episodes, reviewed, cameras, duration_s)
    SELECT tenant_id, project_id, stream_kind, decision, count(*), count(review_decision), sum(cameras), sum(duration_s)
    FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, stream_kind, decision) DO UPDATE SET
      episodes = c.episodes + excluded.episodes, reviewed = c.reviewed + excluded.reviewed,
      cameras = c.cameras + excluded.cameras, duration_s = c.duration_s + excluded.duration_s;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO project_counts AS c (tenant_id, project_id, stream_kind, decision, episodes, reviewed, cameras, duration_s)
    SELECT tenant_id, project_id, stream_kind, decision, -count(*), -count(review_decision), -sum(cameras), -sum(duration_s)
    FROM gone GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, stream_kind, decision) DO UPDATE SET
      episodes = c.episodes + excluded.episodes, reviewed = c.reviewed + excluded.reviewed,
      cameras = c.cameras + excluded.cameras, duration_s = c.duration_s + excluded.duration_s;
  ELSE
    INSERT INTO project_counts AS c (tenant_id, project_id, stream_kind, decision, episodes, reviewed, cameras, duration_s)
    SELECT tenant_id, project_id, stream_kind, decision, sum(n), sum(r), sum(k), sum(d)
    FROM (
      SELECT tenant_id, project_id, stream_kind, decision, 1 AS n, (review_decision IS NOT NULL)::int AS r,
        cameras AS k, duration_s AS d FROM added
      UNION ALL
      SELECT tenant_id, project_id, stream_kind, decision, -1, -(review_decision IS NOT NULL)::int, -cameras, -duration_s
      FROM gone) AS step
    GROUP BY 1, 2, 3, 4
    HAVING sum(n) <> 0 OR sum(r) <> 0 OR sum(k) <> 0 OR sum(d) <> 0
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, stream_kind, decision) DO UPDATE SET
      episodes = c.episodes + excluded.episodes, reviewed = c.reviewed + excluded.reviewed,
      cameras = c.cameras + excluded.cameras, duration_s = c.duration_s + excluded.duration_s;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER episodes_added AFTER INSERT ON episodes REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_episodes();--> statement-breakpoint
CREATE TRIGGER episodes_changed AFTER UPDATE ON episodes REFERENCING OLD TABLE AS gone NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_episodes();--> statement-breakpoint
CREATE TRIGGER episodes_gone AFTER DELETE ON episodes REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_episodes();--> statement-breakpoint
INSERT INTO project_counts (tenant_id, project_id, stream_kind, decision, episodes, reviewed, cameras, duration_s)
SELECT tenant_id, project_id, stream_kind, decision, count(*), count(review_decision), sum(cameras), sum(duration_s)
FROM episodes GROUP BY 1, 2, 3, 4;
