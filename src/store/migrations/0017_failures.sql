CREATE TABLE "failure_imports" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"neighbours" integer NOT NULL,
	"novel_from" double precision NOT NULL,
	"failures" integer NOT NULL,
	"near" integer NOT NULL,
	"novel" integer NOT NULL,
	"not_assessable" integer NOT NULL,
	"baseline" jsonb NOT NULL,
	"notes" text[] NOT NULL,
	"slice_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "failure_imports_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "failures" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"import_id" text NOT NULL,
	"project_id" text NOT NULL,
	"record_id" text NOT NULL,
	"task" text,
	"failure_mode" text,
	"time_s" double precision,
	"occurred_at" timestamp (3) with time zone,
	"episode_id" text,
	"verdict" text NOT NULL,
	"reason" text,
	"by" text,
	"layout" text NOT NULL,
	"vector" vector,
	"distance" double precision,
	"novelty" double precision,
	"nearest" jsonb NOT NULL,
	CONSTRAINT "failures_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE INDEX "failure_imports_project" ON "failure_imports" USING btree ("tenant_id","project_id","id");--> statement-breakpoint
CREATE INDEX "failures_project" ON "failures" USING btree ("tenant_id","project_id","id");--> statement-breakpoint
CREATE INDEX "failures_import" ON "failures" USING btree ("tenant_id","import_id","id");