CREATE TABLE "embedding_counts" (
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"descriptor" text NOT NULL,
	"version" integer NOT NULL,
	"layout" text NOT NULL,
	"reason" text NOT NULL,
	"episodes" bigint NOT NULL,
	CONSTRAINT "embedding_counts_tenant_id_project_id_descriptor_version_layout_reason_pk" PRIMARY KEY("tenant_id","project_id","descriptor","version","layout","reason")
);
--> statement-breakpoint
CREATE INDEX "embedding_moments_first" ON "embedding_moments" USING btree ("tenant_id","project_id","descriptor","version","layout","episode_id") WHERE part = 1;--> statement-breakpoint
-- What counts change by, as a statement over `step`: rows of embeddings with a `sign`, as `counting_of` for episodes.
CREATE FUNCTION counting_vectors_of(step text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'INSERT INTO embedding_counts AS c (tenant_id, project_id, descriptor, version, layout, reason, episodes)
    SELECT * FROM (
      SELECT tenant_id, project_id, descriptor, version, CASE WHEN vector IS NULL THEN '''' ELSE layout END AS l,
        CASE WHEN vector IS NULL THEN coalesce(nullif(reason, ''''), ''it has no vector'') ELSE '''' END AS r, sum(sign) AS n
      FROM (' || step || ') AS step
      GROUP BY 1, 2, 3, 4, 5, 6) AS change
    WHERE n <> 0
    ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (tenant_id, project_id, descriptor, version, layout, reason) DO UPDATE SET
      episodes = c.episodes + excluded.episodes'
$$;--> statement-breakpoint
CREATE FUNCTION count_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shown constant text := 'AS sign, tenant_id, project_id, descriptor, version, layout, reason, vector FROM ';
  step text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT 1 ' || shown || 'added'
    WHEN 'DELETE' THEN 'SELECT -1 ' || shown || 'gone'
    ELSE 'SELECT 1 ' || shown || 'added UNION ALL SELECT -1 ' || shown || 'gone' END;
BEGIN
  -- The lock of the counts of episodes, for the same reason: the statement that adds episodes adds their vectors.
  EXECUTE 'SELECT pg_advisory_xact_lock(hashtextextended(''episode counts '' || tenant_id || '' '' || project_id, 0))
    FROM (SELECT DISTINCT tenant_id, project_id FROM (' || step || ') AS step ORDER BY 1, 2) AS counted';
  EXECUTE counting_vectors_of(step);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER embeddings_added AFTER INSERT ON embeddings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_vectors();--> statement-breakpoint
CREATE TRIGGER embeddings_changed AFTER UPDATE ON embeddings REFERENCING OLD TABLE AS gone NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_vectors();--> statement-breakpoint
CREATE TRIGGER embeddings_gone AFTER DELETE ON embeddings REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_vectors();--> statement-breakpoint
DO $$ BEGIN EXECUTE counting_vectors_of('SELECT 1 AS sign, * FROM embeddings'); END $$;
