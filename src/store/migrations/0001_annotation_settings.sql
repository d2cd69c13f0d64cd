CREATE TABLE "project_counts" (
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"stream_kind" text NOT NULL,
	"decision" text NOT NULL,
	"episodes" bigint NOT NULL,
	"reviewed" bigint NOT NULL,
	"cameras" bigint NOT NULL,
	"duration_s" double precision NOT NULL,
	CONSTRAINT "project_counts_tenant_id_project_id_stream_kind_decision_pk" PRIMARY KEY("tenant_id","project_id","stream_kind","decision")
);
--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "cameras" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "annotation_settings" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "annotation_settings" jsonb DEFAULT '{}'::jsonb NOT NULL;