CREATE TABLE "curation_plans" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"plan_hash" text NOT NULL,
	"input_hash" text NOT NULL,
	"plan" jsonb NOT NULL,
	"episodes_kept" integer NOT NULL,
	"episodes_dropped" integer NOT NULL,
	"report" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "curation_plans_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE INDEX "curation_plans_project" ON "curation_plans" USING btree ("tenant_id","project_id","id");