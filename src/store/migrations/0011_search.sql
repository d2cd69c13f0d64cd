CREATE EXTENSION IF NOT EXISTS vector;--> statement-breakpoint
CREATE TABLE "embedding_moments" (
	"tenant_id" text NOT NULL,
	"descriptor" text NOT NULL,
	"episode_id" text NOT NULL,
	"part" integer NOT NULL,
	"project_id" text NOT NULL,
	"version" integer NOT NULL,
	"layout" text NOT NULL,
	"from_s" double precision NOT NULL,
	"to_s" double precision NOT NULL,
	"vector" vector NOT NULL,
	CONSTRAINT "embedding_moments_tenant_id_descriptor_episode_id_part_pk" PRIMARY KEY("tenant_id","descriptor","episode_id","part")
);
--> statement-breakpoint
CREATE TABLE "embeddings" (
	"tenant_id" text NOT NULL,
	"descriptor" text NOT NULL,
	"episode_id" text NOT NULL,
	"project_id" text NOT NULL,
	"version" integer NOT NULL,
	"layout" text NOT NULL,
	"vector" vector,
	"reason" text,
	CONSTRAINT "embeddings_tenant_id_descriptor_episode_id_pk" PRIMARY KEY("tenant_id","descriptor","episode_id")
);
--> statement-breakpoint
CREATE TABLE "slice_members" (
	"tenant_id" text NOT NULL,
	"slice_id" text NOT NULL,
	"place" integer NOT NULL,
	"episode_id" text NOT NULL,
	"receipt_hash" text NOT NULL,
	"score" double precision,
	CONSTRAINT "slice_members_tenant_id_slice_id_place_pk" PRIMARY KEY("tenant_id","slice_id","place")
);
--> statement-breakpoint
CREATE TABLE "slices" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"query" jsonb NOT NULL,
	"ranked_by" jsonb,
	"coverage" jsonb NOT NULL,
	"settings_hash" text NOT NULL,
	"response_hash" text NOT NULL,
	"episodes" integer NOT NULL,
	"locked_at" timestamp (3) with time zone,
	"locked_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "slices_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "objects" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "task_words" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', coalesce(left(task, 20000), ''))) STORED;--> statement-breakpoint
CREATE INDEX "embedding_moments_project" ON "embedding_moments" USING btree ("tenant_id","project_id","descriptor","version","layout");--> statement-breakpoint
CREATE INDEX "embeddings_project" ON "embeddings" USING btree ("tenant_id","project_id","descriptor","version","layout");--> statement-breakpoint
CREATE INDEX "slice_members_episode" ON "slice_members" USING btree ("tenant_id","episode_id","slice_id");--> statement-breakpoint
CREATE INDEX "slices_project" ON "slices" USING btree ("tenant_id","project_id","id");--> statement-breakpoint
CREATE INDEX "episodes_task_words" ON "episodes" USING gin ("task_words");--> statement-breakpoint
CREATE INDEX "episodes_objects" ON "episodes" USING gin ("objects");