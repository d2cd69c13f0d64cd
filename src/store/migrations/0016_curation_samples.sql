CREATE TABLE "curation_samples" (
	"tenant_id" text NOT NULL,
	"episode_id" text NOT NULL,
	"project_id" text NOT NULL,
	"version" integer NOT NULL,
	"content_hash" text,
	"head_s" double precision,
	"tail_s" double precision,
	"layout" text,
	"state_dims" integer,
	"action_dims" integer,
	"rows" integer,
	"states" "bytea",
	"actions" "bytea",
	CONSTRAINT "curation_samples_tenant_id_episode_id_pk" PRIMARY KEY("tenant_id","episode_id")
);
--> statement-breakpoint
CREATE INDEX "curation_samples_project" ON "curation_samples" USING btree ("tenant_id","project_id","version","episode_id");