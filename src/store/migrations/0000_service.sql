CREATE TABLE "episodes" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"source_id" text NOT NULL,
	"run_id" text NOT NULL,
	"receipt_id" text NOT NULL,
	"dataset_path" text NOT NULL,
	"name" text NOT NULL,
	"index" integer NOT NULL,
	"format" text NOT NULL,
	"kind" text NOT NULL,
	"derived_kind" text,
	"decision" text NOT NULL,
	"score" double precision,
	"graded_fraction" double precision NOT NULL,
	"duration_s" double precision NOT NULL,
	"start_ns" text,
	"robot" text,
	"task" text,
	"outcome" text NOT NULL,
	"shard_blob" text,
	"shard_place" integer,
	"flags" text[] NOT NULL,
	"review_decision" text,
	"reviewed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"rank" double precision GENERATED ALWAYS AS (coalesce(score, -1)) STORED NOT NULL,
	"stream_kind" text GENERATED ALWAYS AS (coalesce(derived_kind, kind)) STORED NOT NULL,
	"sort_name" text GENERATED ALWAYS AS (left(name, 100)) STORED NOT NULL,
	"task_key" text GENERATED ALWAYS AS (left(md5(task), 12)) STORED,
	"robot_key" text GENERATED ALWAYS AS (left(md5(robot), 12)) STORED,
	CONSTRAINT "episodes_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"episode_id" text NOT NULL,
	"run_id" text NOT NULL,
	"content_hash" text NOT NULL,
	"settings_hash" text NOT NULL,
	"pack_blob" text NOT NULL,
	"offset" bigint NOT NULL,
	"length" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "receipts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"episode_id" text NOT NULL,
	"decision" text NOT NULL,
	"note" text NOT NULL,
	"receipt_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "reviews_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"tenant_id" text NOT NULL,
	"token_id" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"claim" text NOT NULL,
	"claimed_until" timestamp (3) with time zone NOT NULL,
	"in_effect" boolean NOT NULL,
	"status" integer,
	"answer" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_tenant_id_token_id_key_pk" PRIMARY KEY("tenant_id","token_id","key")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"workspace_id" text NOT NULL,
	"name" text NOT NULL,
	"target_profile" text NOT NULL,
	"data_kind_override" text,
	"readiness_settings" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "projects_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "sources" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"location" jsonb NOT NULL,
	"state" text NOT NULL,
	"files" bigint,
	"bytes" bigint,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "sources_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "upload_files" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"source_id" text NOT NULL,
	"path" text NOT NULL,
	"bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"state" text NOT NULL,
	"expected" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "upload_files_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"use_case" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workspaces_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "queue_claims" (
	"job_id" text PRIMARY KEY NOT NULL,
	"queue" text NOT NULL,
	"worker" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_datasets" (
	"tenant_id" text NOT NULL,
	"run_id" text NOT NULL,
	"place" integer NOT NULL,
	"path" text NOT NULL,
	"format" text NOT NULL,
	"claim" jsonb NOT NULL,
	"root" text NOT NULL,
	"facts" jsonb NOT NULL,
	"evidence" jsonb NOT NULL,
	"kind" text,
	"kinds" jsonb NOT NULL,
	"episodes" integer NOT NULL,
	"unreadable" integer NOT NULL,
	"findings" jsonb NOT NULL,
	"compared" jsonb NOT NULL,
	CONSTRAINT "run_datasets_tenant_id_run_id_place_pk" PRIMARY KEY("tenant_id","run_id","place")
);
--> statement-breakpoint
CREATE TABLE "run_events" (
	"id" bigserial NOT NULL,
	"tenant_id" text NOT NULL,
	"run_id" text NOT NULL,
	"event" text NOT NULL,
	"data" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "run_events_tenant_id_run_id_id_pk" PRIMARY KEY("tenant_id","run_id","id")
);
--> statement-breakpoint
CREATE TABLE "run_units" (
	"tenant_id" text NOT NULL,
	"run_id" text NOT NULL,
	"place" integer NOT NULL,
	"dataset" integer NOT NULL,
	"unit" jsonb NOT NULL,
	"state" text NOT NULL,
	"attempt" integer NOT NULL,
	"worker" text,
	"deaths" integer DEFAULT 0 NOT NULL,
	"episodes" integer NOT NULL,
	"unreadable" integer NOT NULL,
	"kinds" jsonb NOT NULL,
	"findings" jsonb NOT NULL,
	"measured_blob" text,
	"pack_entry" jsonb,
	"shard_blob" text,
	"receipts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"compute_s" double precision NOT NULL,
	"error" jsonb,
	CONSTRAINT "run_units_tenant_id_run_id_place_pk" PRIMARY KEY("tenant_id","run_id","place")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"source_id" text NOT NULL,
	"type" text NOT NULL,
	"base_run_id" text,
	"status" text NOT NULL,
	"stage" text NOT NULL,
	"attempt" integer NOT NULL,
	"engine_version" text NOT NULL,
	"settings" jsonb NOT NULL,
	"kind_override" text,
	"kind" text,
	"kinds" jsonb NOT NULL,
	"plan_hash" text,
	"findings" jsonb NOT NULL,
	"episodes_expected" integer NOT NULL,
	"episodes_measured" integer NOT NULL,
	"episodes_judged" integer NOT NULL,
	"episodes_unreadable" integer NOT NULL,
	"bytes_expected" bigint NOT NULL,
	"bytes_measured" bigint NOT NULL,
	"accepted" integer NOT NULL,
	"to_review" integer NOT NULL,
	"rejected" integer NOT NULL,
	"compute_s" double precision NOT NULL,
	"cost_usd" double precision NOT NULL,
	"notes" jsonb,
	"report_prefix" text,
	"error" jsonb,
	"waiting" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"started_at" timestamp (3) with time zone,
	"stage_started_at" timestamp (3) with time zone,
	"stage_base" integer NOT NULL,
	"progress_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "runs_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"tenant_id" text NOT NULL,
	"sequence" bigint NOT NULL,
	"id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"role" text NOT NULL,
	"action" text NOT NULL,
	"object_type" text NOT NULL,
	"object_id" text NOT NULL,
	"before_hash" text,
	"after_hash" text,
	"detail" jsonb NOT NULL,
	"request_id" text NOT NULL,
	"previous_digest" text NOT NULL,
	"digest" text NOT NULL,
	CONSTRAINT "audit_entries_tenant_id_sequence_pk" PRIMARY KEY("tenant_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"sequence" bigint NOT NULL,
	"digest" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tenants_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"user_id" text,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"sha256" text NOT NULL,
	"one_time" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "tokens_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "tokens_sha256_unique" UNIQUE("sha256")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	CONSTRAINT "users_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "episodes_origin" ON "episodes" USING btree ("tenant_id","source_id","dataset_path","format","name");--> statement-breakpoint
CREATE INDEX "episodes_by_age" ON "episodes" USING btree ("tenant_id","project_id","id","rank","duration_s","decision","flags","stream_kind","outcome","review_decision","robot_key","task_key","source_id","run_id");--> statement-breakpoint
CREATE INDEX "episodes_by_rank" ON "episodes" USING btree ("tenant_id","project_id","rank","id","duration_s","decision","flags","stream_kind","outcome","review_decision","robot_key","task_key","source_id","run_id");--> statement-breakpoint
CREATE INDEX "episodes_by_decision" ON "episodes" USING btree ("tenant_id","project_id","decision","rank","id","duration_s","flags","stream_kind","outcome","review_decision","robot_key","task_key","source_id","run_id");--> statement-breakpoint
CREATE INDEX "episodes_by_duration" ON "episodes" USING btree ("tenant_id","project_id","duration_s","id","rank","decision","flags","stream_kind","outcome","review_decision","robot_key","task_key","source_id","run_id");--> statement-breakpoint
CREATE INDEX "episodes_by_name" ON "episodes" USING btree ("tenant_id","project_id",sort_name COLLATE "C","id","rank","duration_s","decision","flags","stream_kind","outcome","review_decision","robot_key","task_key","source_id","run_id");--> statement-breakpoint
CREATE INDEX "episodes_run" ON "episodes" USING btree ("tenant_id","run_id","id");--> statement-breakpoint
CREATE INDEX "episodes_source" ON "episodes" USING btree ("tenant_id","source_id","id");--> statement-breakpoint
CREATE INDEX "episodes_task" ON "episodes" USING btree ("tenant_id","project_id","task_key");--> statement-breakpoint
CREATE INDEX "episodes_reviewed" ON "episodes" USING btree ("tenant_id","project_id","review_decision","id") WHERE review_decision IS NOT NULL;--> statement-breakpoint
CREATE INDEX "episodes_flags" ON "episodes" USING gin ("flags") WITH (fastupdate=false);--> statement-breakpoint
CREATE UNIQUE INDEX "receipts_episode" ON "receipts" USING btree ("tenant_id","episode_id","run_id");--> statement-breakpoint
CREATE INDEX "reviews_episode" ON "reviews" USING btree ("tenant_id","episode_id","id");--> statement-breakpoint
CREATE INDEX "idempotency_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "projects_workspace" ON "projects" USING btree ("tenant_id","workspace_id","id");--> statement-breakpoint
CREATE INDEX "sources_project" ON "sources" USING btree ("tenant_id","project_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "upload_files_path" ON "upload_files" USING btree ("tenant_id","source_id","path");--> statement-breakpoint
CREATE INDEX "queue_claims_worker" ON "queue_claims" USING btree ("worker");--> statement-breakpoint
CREATE INDEX "run_units_state" ON "run_units" USING btree ("tenant_id","run_id","state");--> statement-breakpoint
CREATE INDEX "runs_project" ON "runs" USING btree ("tenant_id","project_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_active" ON "runs" USING btree ("tenant_id","source_id") WHERE status IN ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "audit_id" ON "audit_entries" USING btree ("tenant_id","id");--> statement-breakpoint
CREATE INDEX "audit_object" ON "audit_entries" USING btree ("tenant_id","object_id","sequence");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit_entries" USING btree ("tenant_id","actor_id","sequence");--> statement-breakpoint
CREATE INDEX "audit_action" ON "audit_entries" USING btree ("tenant_id","action","sequence");--> statement-breakpoint
CREATE INDEX "audit_time" ON "audit_entries" USING btree ("tenant_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("tenant_id","email");