CREATE TABLE "project_shares" (
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"facet" text NOT NULL,
	"key" text NOT NULL,
	"robot" text,
	"episodes" bigint NOT NULL,
	"usable" bigint NOT NULL,
	CONSTRAINT "project_shares_tenant_id_project_id_facet_key_pk" PRIMARY KEY("tenant_id","project_id","facet","key")
);
--> statement-breakpoint
ALTER TABLE "project_counts" ALTER COLUMN "episodes" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "project_counts" ALTER COLUMN "reviewed" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "project_counts" ALTER COLUMN "cameras" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "project_counts" ALTER COLUMN "duration_s" SET DATA TYPE numeric;--> statement-breakpoint
ALTER TABLE "project_counts" ADD COLUMN "unscored" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_counts" ADD COLUMN "overruled" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_counts" ADD COLUMN "accepted" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_counts" ADD COLUMN "rejected" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_counts" ADD COLUMN "usable_s" numeric DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_counts" ADD COLUMN "instructed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_counts" ADD COLUMN "with_outcome" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "episodes_usable" ON "episodes" USING btree ("tenant_id","source_id",md5(id)) WHERE coalesce(review_decision, decision) <> 'reject';--> statement-breakpoint
-- What counts change by, as a statement over `step`: a query of episodes with a `sign`, 1 for what came and -1 for what
-- went. Text, because only the trigger itself sees the rows of its statement. Rows are taken in one order; what a
-- statement leaves as it was is not touched.
CREATE FUNCTION counting_of(step text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'INSERT INTO project_counts AS c (tenant_id, project_id, stream_kind, decision, episodes, reviewed, cameras,
      duration_s, unscored, overruled, accepted, rejected, usable_s, instructed, with_outcome)
    SELECT * FROM (
      SELECT tenant_id, project_id, stream_kind, decision, sum(sign) AS n,
        coalesce(sum(sign) FILTER (WHERE review_decision IS NOT NULL), 0) AS r, sum(sign * cameras) AS k, sum(sign * s) AS s,
        coalesce(sum(sign) FILTER (WHERE rank < 0), 0) AS u,
        coalesce(sum(sign) FILTER (WHERE review_decision <> decision), 0) AS o,
        coalesce(sum(sign) FILTER (WHERE decided = ''accept''), 0) AS a,
        coalesce(sum(sign) FILTER (WHERE decided = ''reject''), 0) AS j,
        coalesce(sum(sign * s) FILTER (WHERE decided <> ''reject''), 0) AS us,
        coalesce(sum(sign) FILTER (WHERE decided <> ''reject'' AND trim(task) <> ''''), 0) AS i,
        coalesce(sum(sign) FILTER (WHERE decided <> ''reject'' AND outcome <> ''unknown''), 0) AS w
      FROM (SELECT *, coalesce(review_decision, decision) AS decided,
        CASE WHEN duration_s < ''Infinity'' THEN duration_s::numeric ELSE 0 END AS s FROM (' || step || ') AS step) AS e
      GROUP BY 1, 2, 3, 4) AS change
    WHERE (n, r, k, s, u, o, a, j, us, i, w) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, stream_kind, decision) DO UPDATE SET
      episodes = c.episodes + excluded.episodes, reviewed = c.reviewed + excluded.reviewed,
      cameras = c.cameras + excluded.cameras, duration_s = c.duration_s + excluded.duration_s,
      unscored = c.unscored + excluded.unscored, overruled = c.overruled + excluded.overruled,
      accepted = c.accepted + excluded.accepted, rejected = c.rejected + excluded.rejected,
      usable_s = c.usable_s + excluded.usable_s, instructed = c.instructed + excluded.instructed,
      with_outcome = c.with_outcome + excluded.with_outcome'
$$;--> statement-breakpoint
CREATE FUNCTION sharing_of(step text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'INSERT INTO project_shares AS c (tenant_id, project_id, facet, key, robot, episodes, usable)
    SELECT * FROM (
      SELECT tenant_id, project_id, facet, key, max(called) AS called, sum(sign) AS n,
        coalesce(sum(sign) FILTER (WHERE says AND coalesce(review_decision, decision) <> ''reject''), 0) AS u
      FROM (' || step || ') AS e, LATERAL (
        VALUES (''outcome'', outcome, NULL, true), (''robot'', coalesce(robot_key, ''''), robot, true),
          (''source'', source_id, NULL, true), (''task'', task_key, NULL, trim(task) <> ''''), (''format'', format, NULL, true),
          (''run'', run_id, NULL, true), (''kinds'', kind || '' '' || stream_kind, NULL, true),
          (''score'', CASE WHEN rank >= 0 THEN lpad(floor(rank::numeric * 100)::text, 3, ''0'') END, NULL, true)
        UNION ALL SELECT ''flag'', flag, NULL, true FROM unnest(flags) AS flag) AS f (facet, key, called, says)
      WHERE key IS NOT NULL
      GROUP BY 1, 2, 3, 4) AS change
    WHERE (n, u) <> (0, 0)
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, facet, key) DO UPDATE SET
      episodes = c.episodes + excluded.episodes, usable = c.usable + excluded.usable'
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_episodes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  step text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT 1 AS sign, added.* FROM added'
    WHEN 'DELETE' THEN 'SELECT -1 AS sign, gone.* FROM gone'
    ELSE 'SELECT 1 AS sign, added.* FROM added UNION ALL SELECT -1 AS sign, gone.* FROM gone' END;
BEGIN
  -- A statement that adds and changes fires twice: without this, two of them would wait for each other's counts.
  EXECUTE 'SELECT pg_advisory_xact_lock(hashtextextended(''episode counts '' || tenant_id || '' '' || project_id, 0))
    FROM (SELECT DISTINCT tenant_id, project_id FROM (' || step || ') AS step ORDER BY 1, 2) AS counted';
  EXECUTE counting_of(step);
  EXECUTE sharing_of(step);
  RETURN NULL;
END $$;--> statement-breakpoint
DELETE FROM project_counts;--> statement-breakpoint
DO $$ BEGIN
  EXECUTE counting_of('SELECT 1 AS sign, * FROM episodes');
  EXECUTE sharing_of('SELECT 1 AS sign, * FROM episodes');
END $$;
