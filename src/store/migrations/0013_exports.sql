CREATE TABLE "export_episodes" (
	"tenant_id" text NOT NULL,
	"export_id" text NOT NULL,
	"place" integer NOT NULL,
	"episode_id" text NOT NULL,
	"name" text NOT NULL,
	"source_index" integer NOT NULL,
	"decision" text NOT NULL,
	"receipt_id" text NOT NULL,
	"flags" text[] NOT NULL,
	"dropped" text,
	CONSTRAINT "export_episodes_tenant_id_export_id_place_pk" PRIMARY KEY("tenant_id","export_id","place")
);
--> statement-breakpoint
CREATE TABLE "exports" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"source_id" text NOT NULL,
	"dataset_path" text NOT NULL,
	"dataset_format" text NOT NULL,
	"format" text NOT NULL,
	"rate_hz" double precision,
	"status" text NOT NULL,
	"chosen" jsonb NOT NULL,
	"purpose" text NOT NULL,
	"kept" integer NOT NULL,
	"dropped" integer NOT NULL,
	"written" integer NOT NULL,
	"blob_prefix" text,
	"files" integer NOT NULL,
	"bytes" bigint NOT NULL,
	"seal" text,
	"estimate_usd" numeric(18, 6) NOT NULL,
	"reservation_id" text,
	"reserved_usd" numeric(18, 6) NOT NULL,
	"compute_s" double precision NOT NULL,
	"price_usd_per_s" double precision NOT NULL,
	"error" jsonb,
	"waiting" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"started_at" timestamp (3) with time zone,
	"progress_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"sealed_at" timestamp (3) with time zone,
	"sealed_by" text,
	CONSTRAINT "exports_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE INDEX "exports_project" ON "exports" USING btree ("tenant_id","project_id","id");--> statement-breakpoint
CREATE INDEX "exports_source" ON "exports" USING btree ("tenant_id","source_id") WHERE status IN ('queued', 'running', 'sealed');