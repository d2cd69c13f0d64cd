CREATE TABLE "annotation_counts" (
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"layer" text NOT NULL,
	"stream_kind" text NOT NULL,
	"episodes" bigint NOT NULL,
	"assessed" bigint NOT NULL,
	"quality" double precision NOT NULL,
	CONSTRAINT "annotation_counts_tenant_id_project_id_layer_stream_kind_pk" PRIMARY KEY("tenant_id","project_id","layer","stream_kind")
);
--> statement-breakpoint
CREATE TABLE "annotation_edits" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"episode_id" text NOT NULL,
	"layer" text NOT NULL,
	"text" text NOT NULL,
	"artifact_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "annotation_edits_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "annotations" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"episode_id" text NOT NULL,
	"layer" text NOT NULL,
	"stream_kind" text NOT NULL,
	"job_id" text NOT NULL,
	"run_id" text,
	"model" text,
	"config_hash" text NOT NULL,
	"input_hash" text NOT NULL,
	"artifact_blob" text NOT NULL,
	"artifact_offset" bigint NOT NULL,
	"artifact_length" integer NOT NULL,
	"artifact_hash" text NOT NULL,
	"media_type" text NOT NULL,
	"counts" jsonb NOT NULL,
	"quality" double precision,
	"quality_reason" text,
	"compute_s" double precision NOT NULL,
	"cost_usd" numeric(18, 6) NOT NULL,
	"produced_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "annotations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "job_events" (
	"id" bigserial NOT NULL,
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"job_id" text NOT NULL,
	"event" text NOT NULL,
	"data" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "job_events_tenant_id_project_id_id_pk" PRIMARY KEY("tenant_id","project_id","id")
);
--> statement-breakpoint
CREATE TABLE "job_items" (
	"tenant_id" text NOT NULL,
	"job_id" text NOT NULL,
	"place" integer NOT NULL,
	"episode_id" text NOT NULL,
	"state" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"worker" text,
	"faults" integer DEFAULT 0 NOT NULL,
	"deaths" integer DEFAULT 0 NOT NULL,
	"error" jsonb,
	CONSTRAINT "job_items_tenant_id_job_id_place_pk" PRIMARY KEY("tenant_id","job_id","place")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"layer" text NOT NULL,
	"origin" text NOT NULL,
	"run_id" text,
	"status" text NOT NULL,
	"config" jsonb NOT NULL,
	"config_hash" text NOT NULL,
	"model" text,
	"force" boolean NOT NULL,
	"total" integer NOT NULL,
	"done" integer NOT NULL,
	"failed" integer NOT NULL,
	"skipped" integer NOT NULL,
	"narrowed_from" integer,
	"attempts" integer NOT NULL,
	"estimate_usd" numeric(18, 6) NOT NULL,
	"reservation_id" text,
	"reserved_usd" numeric(18, 6) NOT NULL,
	"compute_s" double precision NOT NULL,
	"uncharged_s" double precision NOT NULL,
	"price_usd_per_s" double precision NOT NULL,
	"error" jsonb,
	"waiting" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"started_at" timestamp (3) with time zone,
	"progress_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "jobs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE INDEX "annotation_edits_episode" ON "annotation_edits" USING btree ("tenant_id","episode_id","layer","id");--> statement-breakpoint
CREATE UNIQUE INDEX "annotations_episode" ON "annotations" USING btree ("tenant_id","episode_id","layer");--> statement-breakpoint
CREATE INDEX "annotations_project" ON "annotations" USING btree ("tenant_id","project_id","layer","episode_id");--> statement-breakpoint
CREATE INDEX "annotations_blob" ON "annotations" USING btree ("tenant_id","artifact_blob");--> statement-breakpoint
CREATE INDEX "job_events_job" ON "job_events" USING btree ("tenant_id","job_id","id");--> statement-breakpoint
CREATE INDEX "job_items_open" ON "job_items" USING btree ("tenant_id","job_id","place") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "job_items_failed" ON "job_items" USING btree ("tenant_id","job_id","place") WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX "jobs_project" ON "jobs" USING btree ("tenant_id","project_id","id");--> statement-breakpoint
CREATE INDEX "jobs_run" ON "jobs" USING btree ("tenant_id","run_id") WHERE run_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_active" ON "jobs" USING btree ("tenant_id","project_id","layer") WHERE origin = 'queue' AND status IN ('queued', 'running', 'cancelling');--> statement-breakpoint
CREATE FUNCTION count_annotations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO annotation_counts AS c (tenant_id, project_id, layer, stream_kind, episodes, assessed, quality)
    SELECT tenant_id, project_id, layer, stream_kind, count(*), count(quality), coalesce(sum(quality), 0)
    FROM added GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, layer, stream_kind) DO UPDATE SET episodes = c.episodes + excluded.episodes,
      assessed = c.assessed + excluded.assessed, quality = c.quality + excluded.quality;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO annotation_counts AS c (tenant_id, project_id, layer, stream_kind, episodes, assessed, quality)
    SELECT tenant_id, project_id, layer, stream_kind, -count(*), -count(quality), -coalesce(sum(quality), 0)
    FROM gone GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, project_id, layer, stream_kind) DO UPDATE SET episodes = c.episodes + excluded.episodes,
      assessed = c.assessed + excluded.assessed, quality = c.quality + excluded.quality;
  ELSE
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
END $$;--> statement-breakpoint
CREATE TRIGGER annotations_added AFTER INSERT ON annotations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_annotations();--> statement-breakpoint
CREATE TRIGGER annotations_changed AFTER UPDATE ON annotations REFERENCING OLD TABLE AS gone NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_annotations();--> statement-breakpoint
CREATE TRIGGER annotations_gone AFTER DELETE ON annotations REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_annotations();--> statement-breakpoint
CREATE FUNCTION follow_episode_kind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE annotations a SET stream_kind = n.stream_kind
  FROM added n JOIN gone o ON o.tenant_id = n.tenant_id AND o.id = n.id AND o.stream_kind <> n.stream_kind
  WHERE a.tenant_id = n.tenant_id AND a.episode_id = n.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER episodes_kind_changed AFTER UPDATE ON episodes REFERENCING OLD TABLE AS gone NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION follow_episode_kind();
